"""Find statements of two texts that may not both hold: they speak of the same thing, and neither surely says the other.

No list of opposites decides this. `The cache is warm` and `The cache is cold` share half of their words, and so do two wordings of
one fact: only a reader can tell them apart. So what is at odds is not merged without a person, whichever of the two it is.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, product

from shared.core.merging.statements import StatedText, Statement, is_said, known_of, read_statements
from shared.core.text.clip import clip
from shared.core.text.markdown import split_at_stops
from shared.core.text.wording import wording_of
from shared.languages.function_words import NEGATIONS, STOP_WORDS

#: Two statements speak of the same thing if they share this many words, or this part of the shorter one's: `kept for at least 90
#: days` and `gone after 30 days at the latest` share little more than what they are about.
_FEWEST_SHARED = 2
_SHARED_PART = 0.25
#: Between statements with at most this many telling words, or if one is a denial, a single shared word is enough.
_FEW_WORDS = 3
#: A denial of what shares this part of its words is for a person, whatever a second reader says.
_DENIED_PART = 0.5
#: More pairs of statements than these are not compared one by one: so much that differs is for a person.
_MAX_PAIRS = 3_600
#: Word forms that begin alike count as one word: `deployed`, `deploys`, `deployment`.
_STEM_LETTERS = 4
_DENIALS = frozenset(word[:_STEM_LETTERS] for word in NEGATIONS)
_BOLD = re.compile(r"\*\*|__")
#: Where an item, a row or a paragraph begins.
_LINE = re.compile(r"\n(?=\s*(?:[-*+|\n]|\d{1,9}[.)]\s))")
_WORD = re.compile(r"[^\W_]+")


def decide_at_odds(left: str, right: str) -> str | None:
    """Return the sentence that names two statements of two texts that may contradict each other, or None."""
    if left == right:
        return None
    first, second = read_statements(left), read_statements(right)
    ours, theirs = find_own(first, second), find_own(second, first)
    if len(ours) * len(theirs) > _MAX_PAIRS:
        return f"The texts differ in {len(ours) + len(theirs)} statements."
    for one, other in (*_find_same_place(ours, theirs, first, second), *_find_same_subject(ours, theirs)):
        if one.wording == other.wording:
            return f'"{clip(one.text)}" stands in both under other headings, so that it may be about two things.'
        return f'"{clip(one.text)}" and "{clip(other.text)}" say the same in other words, or cannot both hold.'
    return None


def find_denied(left: str, right: str) -> str | None:
    """Return the sentence that names two statements, one of which denies much of what the other one says, or None.

    Compares single sentences and items: in a long list some word is denied, and some word is shared.
    """
    first, second = _read_sentences(left), _read_sentences(right)
    (denied, plain), (its_denied, its_plain) = _split_own(first, second), _split_own(second, first)
    pairs = chain(product(denied, its_plain), product(plain, its_denied))
    for one, other in islice(pairs, _MAX_PAIRS):
        words, others = _words_of(one) - _DENIALS, _words_of(other) - _DENIALS
        few, many = sorted((len(words), len(others)))
        if len(words & others) >= (1 if many <= _FEW_WORDS else max(_FEWEST_SHARED, _DENIED_PART * few)):
            told = f'"{clip(first[one])}" and "{clip(second[other])}"'
            return f"{told} may not both hold: only one of them denies it."
    return None


def _split_own(told: Collection[str], other: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the wordings that the other text does not have: those that deny something, and the others."""
    own = [one for one in told if one not in other]
    return [one for one in own if _is_denied(one)], [one for one in own if not _is_denied(one)]


def _read_sentences(text: str) -> dict[str, str]:
    """Return each sentence and list item of a text by its wording."""
    said = (_BOLD.sub("", one.text) for one in read_statements(text).statements)
    lines = (" ".join(line.split()) for one in said for line in _LINE.split(one))
    return {wording_of(one): one for line in lines for one in split_at_stops(line)}


def find_own(told: StatedText, other: StatedText) -> list[Statement]:
    """Return the statements of a text that the other one does not surely say."""
    known = known_of(other)
    return [one for one in told.statements if not is_said(one, told.title, other.title, known)]


def _find_same_place(
    ours: Sequence[Statement], theirs: Sequence[Statement], first: StatedText, second: StatedText
) -> Iterator[tuple[Statement, Statement]]:
    """Yield statements that stand between the same neighbours: two fillings of one place."""
    places: dict[tuple[object, ...], Statement] = {}
    for place, statement in _places_of(first, {id(one) for one in ours}):
        places.setdefault(place, statement)
    for place, statement in _places_of(second, {id(one) for one in theirs}):
        if place in places:
            yield places[place], statement


def _places_of(told: StatedText, own: set[int]) -> Iterator[tuple[tuple[object, ...], Statement]]:
    """Yield the own statements that stand alone between two shared ones, or a shared one and an end of their section."""
    count = len(told.statements)
    for at, one in enumerate(told.statements):
        if id(one) not in own:
            continue
        before = told.statements[at - 1] if at and told.statements[at - 1].under == one.under else None
        after = told.statements[at + 1] if at + 1 < count and told.statements[at + 1].under == one.under else None
        is_alone = not any(near is not None and id(near) in own for near in (before, after))
        if is_alone and before is not None and after is not None:
            yield (one.under, before.wording, after.wording), one


def _find_same_subject(ours: Sequence[Statement], theirs: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """Yield statements that share enough words to speak of the same thing."""
    others = [(one, _words_of(one.wording)) for one in theirs]
    for one in ours:
        words = _words_of(one.wording)
        for other, its_words in others:
            if _speak_of_same(words, its_words, is_denied=_is_denied(one.wording) != _is_denied(other.wording)):
                yield one, other


def _speak_of_same(words: frozenset[str], others: frozenset[str], *, is_denied: bool) -> bool:
    shared, least = len(words & others), min(len(words), len(others))
    if is_denied or least <= _FEW_WORDS:
        return shared > 0
    return shared >= max(_FEWEST_SHARED, _SHARED_PART * least)


def _words_of(wording: str) -> frozenset[str]:
    """Return what a statement speaks of, without endings."""
    found = (word.lower() for word in _WORD.findall(wording))
    return frozenset(word[:_STEM_LETTERS] if word.isalpha() else word for word in found if word not in STOP_WORDS)


def _is_denied(wording: str) -> bool:
    return not NEGATIONS.isdisjoint(wording.lower().split())
