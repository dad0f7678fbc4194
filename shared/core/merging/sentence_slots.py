"""Align the sentences of two texts, and find the places in which one template is filled in differently."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from shared.core.merging.subject_words import list_stems
from shared.core.text.tokens import Token, TokenKind, find_tokens, tidy
from shared.languages.function_words import STOP_WORDS
from shared.languages.language_file import every_word

#: More sentences than these of a text are not aligned: the cost stays bounded, and a template shows before.
_MAX_SENTENCES = 80
_MAX_SENTENCE_CHARS = 600
#: Two sentences of which this share of tokens is equal and in the same order are one sentence, filled in differently.
_SAME_TEMPLATE = 0.5
_WORTH_ALIGNING = 50
_SHORT_SENTENCE = 6
#: Also behind an abbreviation: a template shows in short pieces, and of 400 paraphrases three more were kept apart without.
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_MARKUP = re.compile(r"[*`#>|]+|^\s*(?:[-+]|\d{1,3}[.)])\s+")
_LABEL = re.compile(r"^\W*([\w /-]{1,40}?)\s*(?:\*\*)?[:|]")
_NUMBERS = frozenset({TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION})
_VALUES = frozenset({TokenKind.IDENTIFIER, TokenKind.REFERENCE})
#: What stands before one of these is what a sentence is about.
_VERBS = every_word("verbs")
#: They change the statement about a subject, which other rules examine, but not the subject.
_SILENT = STOP_WORDS | every_word("silent")
#: A pronoun and its verb, or a French article and its noun's beginning.
_SHORTENED = re.compile(r"(?:i|you|he|she|it|we|they|that|there|c)'(?:ll|re|ve|s|d|m|est|était)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One place of a template with what each side has there; the texts differ in these words everywhere."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    is_number: bool  # on both sides nothing but numbers, dates and versions
    is_name: bool  # on both sides a name, a path, an address or an identifier
    is_subject: bool  # before the sentence's verb

    def told(self) -> str:
        """Return the two fillings as a reason quotes them."""
        return f"{' '.join(self.left)[:60]} against {' '.join(self.right)[:60]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The extent to which two texts share a template: aligned sentences of the shorter text, and those with another filling."""

    sentences: int
    equal: int
    filled: tuple[tuple[Slot, ...], ...]  # the slots of each sentence that has some
    unpaired: int  # the least number of sentences of each text that the other one lacks in any form
    #: The stems of both forms of each sentence said differently.
    pairs: tuple[tuple[frozenset[str], frozenset[str]], ...]
    #: The stems of each text's sentences that the other does not say word for word.
    own: tuple[frozenset[str], frozenset[str]]

    @property
    def share(self) -> float:
        """Return which part of the shorter text's sentences stands in the other one, but for slots."""
        return (self.equal + len(self.filled)) / self.sentences if self.sentences else 0.0

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return all slots."""
        return tuple(slot for sentence in self.filled for slot in sentence)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text as it is compared."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    plain: str
    label: str
    key: frozenset[str]  # its stems, to find it again in other order and with other function words


def align(left: str, right: str, left_words: frozenset[str], right_words: frozenset[str]) -> Alignment:
    """Return how two bodies follow one template.

    Args:
        left: one body.
        right: the other one.
        left_words: the stems of all that the one memory says, its title and path included.
        right_words: those of the other.
    """
    first, second = read_sentences(left), read_sentences(right)
    counts = Counter(one.key for one in second)
    rest, equal = [], 0
    for one in first:
        if counts[one.key] > 0:
            counts[one.key] -= 1
            equal += 1
        else:
            rest.append(one)
    others = [one for one in reversed(second) if _take(counts, one.key)][::-1]
    filled: list[tuple[Slot, ...]] = []
    pairs: list[tuple[frozenset[str], frozenset[str]]] = []
    for mine, its in _pair(rest, others):
        slots = _find_slots(mine, its, left_words, right_words)
        if slots is None:
            continue
        pairs.append((mine.key, its.key))
        if slots:
            filled.append(slots)
        else:
            equal += 1
    unpaired = min(len(rest), len(others)) - len(pairs)
    sentences = min(len(first), len(second))
    return Alignment(
        sentences=sentences,
        equal=equal,
        filled=tuple(filled),
        unpaired=unpaired,
        pairs=tuple(pairs),
        own=(_join(rest), _join(others)),
    )


def _join(sentences: Sequence[Sentence]) -> frozenset[str]:
    return frozenset().union(*(one.key for one in sentences))


def _take(counts: Counter[frozenset[str]], key: frozenset[str]) -> bool:
    counts[key] -= 1
    return counts[key] >= 0


@lru_cache(maxsize=64)
def read_sentences(body: str) -> tuple[Sentence, ...]:
    """Return the first sentences of a body that say something; a heading is one, too."""
    found: list[Sentence] = []
    for part in _SENTENCE_END.split(tidy(body)):
        if len(found) >= _MAX_SENTENCES:
            break
        label = _LABEL.match(part[:80])
        tokens = tuple(find_tokens(_MARKUP.sub(" ", part[:_MAX_SENTENCE_CHARS])))
        key = frozenset(list_stems(part[:_MAX_SENTENCE_CHARS]))
        if key:
            words = tuple(token.text for token in tokens)
            found.append(Sentence(tokens, words, " ".join(words), label[1].lower() if label else _first_of(words), key))
    return tuple(found)


def _first_of(words: Sequence[str]) -> str:
    """Return the first word of a short sentence, which heads it like a label: `Likes sun`, `Water daily`."""
    return words[0] if len(words) <= _SHORT_SENTENCE and words[0] not in _SILENT else ""


def _pair(first: Sequence[Sentence], second: Sequence[Sentence]) -> list[tuple[Sentence, Sentence]]:
    """Return each sentence with the one of the other text that is most like it, the most alike pairs first."""
    ranked = sorted(
        (
            (score, -abs(a - b), a, b)
            for a, one in enumerate(first)
            for b, other in enumerate(second)
            if (score := _likeness(one, other))
        ),
        reverse=True,
    )
    pairs, taken, used = [], set[int](), set[int]()
    for _, _, a, b in ranked:
        if a not in taken and b not in used:
            taken.add(a)
            used.add(b)
            pairs.append((first[a], second[b]))
    return pairs


def _likeness(one: Sentence, other: Sentence) -> float:
    """Return how alike two sentences are, those behind one label before all others; 0 for two that are not compared."""
    labelled = 100 if one.label and one.label == other.label else 0
    return fuzz.ratio(one.plain, other.plain, score_cutoff=0 if labelled else _WORTH_ALIGNING) + labelled


def _find_slots(
    mine: Sentence, its: Sentence, my_words: frozenset[str], its_words: frozenset[str]
) -> tuple[Slot, ...] | None:
    """Return the slots of two sentences of one template, none when only function words differ; None for two sentences."""
    runs = _find_runs(mine.words, its.words)
    same = len(mine.words) - sum(end - start for start, end, _, _ in runs)
    is_labelled = bool(mine.label) and mine.label == its.label
    if 2 * same < _SAME_TEMPLATE * (len(mine.words) + len(its.words)) and not is_labelled:
        return None
    slots = []
    for start, end, other_start, other_end in runs:
        ours = _find_own(mine.tokens[start:end], its_words)
        theirs = _find_own(its.tokens[other_start:other_end], my_words)
        if ours and theirs:
            slots.append(
                Slot(
                    left=tuple(token.raw for token in ours),
                    right=tuple(token.raw for token in theirs),
                    is_number=all(token.kind in _NUMBERS for token in (*ours, *theirs)),
                    is_name=_holds_name(ours, mine) and _holds_name(theirs, its),
                    is_subject=_VERBS.isdisjoint(mine.words[:start]),
                )
            )
    return tuple(slots)


def _find_runs(mine: Sequence[str], its: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return the stretches in which two lists of words differ."""
    runs: list[tuple[int, int, int, int]] = []
    for code in Indel.opcodes(mine, its):
        if code.tag == "equal":
            continue
        if runs and runs[-1][1] == code.src_start and runs[-1][3] == code.dest_start:
            runs[-1] = (runs[-1][0], code.src_end, runs[-1][2], code.dest_end)
        else:
            runs.append((code.src_start, code.src_end, code.dest_start, code.dest_end))
    return runs


def _find_own(tokens: Sequence[Token], other_words: frozenset[str]) -> list[Token]:
    """Return the tokens of which the other memory says nothing anywhere."""
    return [
        token
        for token in tokens
        if token.text not in _SILENT and not _SHORTENED.fullmatch(token.text) and _is_own(token, other_words)
    ]


def _is_own(token: Token, other_words: frozenset[str]) -> bool:
    stems = list_stems(token.raw)
    return bool(stems) and any(stem not in other_words for stem in stems)


def _holds_name(tokens: Sequence[Token], sentence: Sentence) -> bool:
    first = sentence.tokens[0]
    return any(
        token.kind in _VALUES or (token.raw[:1].isupper() and (token is not first or len(sentence.tokens) > 1))
        for token in tokens
    )
