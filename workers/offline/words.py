"""Reduce a text to the words that the offline rules compare: no stop words, no endings, lower case."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from shared.core.merging.subject_words import STOP_WORDS_ABROAD
from shared.core.text.same_values import same_word
from shared.core.text.similarity import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['\u2019](?!s\b)[a-z]+)?")
_ALSO_STOP = """above again always anything although cannot down either else etc every further get gets he her here hers how keep
keeps let like made make makes many may me might much must need needs never new often one onto others per put s see set something
still take takes these through together two upon us via way well whose within without yes yet"""
_STOP = STOP_WORDS | frozenset(_ALSO_STOP.split())
_GENERIC_WORDS = """add added agent agents applies apply approach area available based behavior behaviour build case change
changed changes check class code concept config configuration current customer customers data date day days default
dependencies dependency describe detail details doc docs document documentation documents draft example examples fact
feature feedback field file files first fix fixed flow follow found full handle handling high highlight hour hours id
implement implementation important info information instead issue issues item items keyword kind last level line
lines list long low main memories memory message minute minutes month months name narrative note notes number old order
overview page part path pattern patterns people point prefer previous problem process product project provide raw read
reason reference related relevant request require required result return rule rules run running second seconds section
service session short show simple small source specific standard start state status step steps store structure summary
support system systems tag task team test tests text thing things third time timestamp title today tool topic type
update updated user users value version want week work working works write year answer answered ask asked begin bring buy
call called calls carry close come ends expect fail failed fails give given go goes hold holds keeps know leave left look
lost mean means move moved nothing open opened opens pass press refuse refused say says send sending sends sent seen stay
stays stop stops tell think tried try turn wait waits watch went write written yourself body header everything instead
ensure avoid allow create created explicit single multiple whole real clear good better best direct directly remove
removed please"""
_ENDINGS = ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without the commonest English endings: `retries` equals `retry`, and `merged` equals `merge`."""
    word = same_word(word)
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _shorten(word[: -len(ending)] + instead)
    return _shorten(word)


def _shorten(word: str) -> str:
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def find_words(text: str) -> frozenset[str]:
    """Return the stems of a text's significant words; numbers count, stop words do not."""
    return frozenset(list_words(text))


def list_words(text: str) -> tuple[str, ...]:
    """Return the stems of a text's significant words, in order, with repetitions."""
    return tuple(stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP and _is_plain(word))


def _is_plain(word: str) -> bool:
    """Tell whether a word is no contraction such as `isn't`."""
    return "'" not in word and "\u2019" not in word


def spell_words(text: str, stems: frozenset[str]) -> dict[str, str]:
    """Return a text's spelling of each of these stems, in the order of the text; a name keeps its capital."""
    spellings: dict[str, Counter[str]] = {}
    for found in _WORD.finditer(text):
        stemmed = stem(found[0].lower())
        if stemmed in stems:
            spellings.setdefault(stemmed, Counter())[found[0]] += 1
    return {stemmed: _usual(counts) for stemmed, counts in spellings.items()}


def _usual(counts: Counter[str]) -> str:
    """Return the commonest spelling; a capital in a heading or a first word does not make a name."""
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    small = next((word for word in ranked if word.islower()), None)
    return small if small is not None and 3 * counts[small] >= counts[ranked[0]] else ranked[0]


def spell_specific(specific: str, text: str) -> str:
    """Return a specific in the text's spelling; empty if the text has only parts of it, such as another unit."""
    found = re.search(rf"(?<![^\W_]){re.escape(specific)}(?![^\W_])", text, re.IGNORECASE)
    return found[0] if found else ""


def join_words(words: Sequence[str]) -> str:
    """Join words into a list: `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def is_generic(stemmed: str) -> bool:
    """Tell whether a stem indicates no topic."""
    return stemmed in _GENERIC_STEMS or stemmed in STOP_WORDS_ABROAD or stemmed.isdigit() or len(stemmed) < 3


#: Words that are common in all notes of agents and indicate no topic.
_GENERIC_STEMS = frozenset(stem(word) for word in _GENERIC_WORDS.split())
