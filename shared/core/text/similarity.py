"""The similarity of two memories, for finding candidates. It is not enough for a merge, which also needs `opposites`.

Measured on generated stores (80 words a memory, 5 % planted near-duplicates: sentences cut differently, words dropped or
swapped), on MRPC and STS-B, and on real memory trees; the benchmark of candidate recall repeats it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from rapidfuzz import fuzz

from shared.core.memory.yaml_read import split_frontmatter
from shared.core.text.words import MARKS, as_spaced, is_unspaced
from shared.languages.function_words import STOP_WORDS

#: Above this, two memories say the same: planted duplicates score 0.895 to 1, unrelated pairs of a domain at most 0.55.
NEAR_DUPLICATE = 0.85
#: Above this, two memories have the same subject and are worth showing to a model together. Unrelated real notes of one
#: project have a median of 0.32 and a 99th percentile of 0.46; notes that cover each other's subject begin at 0.57.
RELATED = 0.55
#: Below this many words, set measures are useless: any text may contain the words of a very short one.
_FEW_WORDS = 8
#: Longer texts are compared by their first words: the cost is quadratic and the verdict does not change.
_MAX_WORDS = 2_000
#: A longer word is data; of 2,000 such words, this many characters are compared.
_MAX_WORD_CHARS = 100
_MAX_CHARS = 20_000

_LETTERS = rf"\w+(?:[{MARKS}]+\w*)*"
_WORD = re.compile(rf"{_LETTERS}(?:['\u2019]{_LETTERS})?")


def similarity(left: str, right: str) -> float:
    """Return the similarity of two texts, 0 to 1; frontmatter, order, case and punctuation hardly count.

    A text and one that contains it are near-duplicates, too. Symmetric; 1 for texts of the same words.
    """
    return similarity_of(read_words(left), read_words(right))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWords:
    """The words of a text for comparisons, read once and compared with many texts."""

    number: int
    joined: str
    telling: Counter[str]  # the significant words, with the number of occurrences of each


def read_words(text: str) -> ReadWords:
    """Return the first words of a text, without its frontmatter."""
    words = _find_first_words(as_spaced(split_frontmatter(text).body))
    telling = Counter(word for word in words if word not in STOP_WORDS)
    return ReadWords(number=len(words), joined=" ".join(words), telling=telling)


def _find_first_words(text: str) -> list[str]:
    """Return the first words of a text in lower case, as many as are compared."""
    if len(text) <= _MAX_CHARS:  # most texts are this short and have no overlong word: then this takes half as long
        words: list[str] = _WORD.findall(text)[:_MAX_WORDS]
        if max(map(len, words), default=0) <= _MAX_WORD_CHARS:
            return words
    found = (match[0][:_MAX_WORD_CHARS] for match in islice(_WORD.finditer(text), _MAX_WORDS))
    return " ".join(found)[:_MAX_CHARS].split()


def similarity_of(first: ReadWords, second: ReadWords) -> float:
    """Return the similarity of two texts, as `similarity` does."""
    if first.joined == second.joined:
        return 1.0
    if not first.number or not second.number:
        return 0.0
    if min(first.number, second.number) < _FEW_WORDS:
        return fuzz.token_sort_ratio(first.joined, second.joined) / 100
    alike = fuzz.token_set_ratio(first.joined, second.joined) / 100
    return (alike + _containment(first.telling, second.telling)) / 2


def normalise_bm25(score: float) -> float:
    """Return a BM25 score as 0 to 1: s / (1 + s), so that ByteRover's 0.5 is a raw score of 1 and 0.85 one of 5.67."""
    return score / (1 + score) if score > 0 else 0.0


def significant_words(text: str, limit: int) -> tuple[str, ...]:
    """Return the first distinct significant words of three letters or more, in lower case.

    Where a script writes no spaces, pairs of characters stand for words.
    """
    found: dict[str, None] = {}
    spaced = as_spaced(text)
    words: Iterable[str] = (match[0] for match in _WORD.finditer(spaced))
    if len(spaced) <= _MAX_CHARS:  # quicker; of a longer text, the words beyond the limit are not looked for
        words = dict.fromkeys(_WORD.findall(spaced))
    for read in words:
        word = read
        if not word.isalnum():
            word, _, rest = word.replace("\u2019", "'").partition("'")
            if rest == "t" and word.endswith("n"):
                continue
        if word not in found and word not in STOP_WORDS and (len(word) >= 3 or is_unspaced(word)):
            found[word] = None
            if len(found) >= limit:
                break
    return tuple(found)[:limit]


def _containment(left: Counter[str], right: Counter[str]) -> float:
    """Return the share of the shorter text's significant words that the longer one also has, repetitions included."""
    shorter = min(left.total(), right.total())
    return (left & right).total() / shorter if shorter else 1.0
