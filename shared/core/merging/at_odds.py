"""Find statements of two texts that may not both hold: they speak of the same thing, and neither surely says the other.

No list of opposites decides this. `The cache is warm` and `The cache is cold` share half of their words, and so do two wordings of
one fact: only a reader can tell them apart. So what is at odds is not merged without a person, whichever of the two it is.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, islice, product
from typing import NamedTuple

from shared.core.merging.opposites import reason_opposed
from shared.core.merging.statements import StatedText, Statement, is_said, known_of, read_statements
from shared.core.text.clip import clip
from shared.core.text.markdown import split_at_stops
from shared.core.text.tokens import spell_alike
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
#: A longer statement is not told to a person.
_MOST_CHARS = 600
#: `Last updated: 2026-03-04`: a label with nothing but a day behind it.
_ONLY_DATED = re.compile(r"[:\uff1a][*_\s]*\d{4}-\d\d-\d\d\W*\Z")


class _Said(NamedTuple):
    """A statement, or a sentence of one, as it is compared."""

    text: str
    wording: str
    words: frozenset[str]
    is_denied: bool


def reason_at_odds(left: str, right: str) -> str | None:
    """Return the sentence that names two statements of two texts that may contradict each other, or None."""
    if left == right:
        return None
    first, second = read_statements(left), read_statements(right)
    ours, theirs = find_own(first, second), find_own(second, first)
    if len(ours) * len(theirs) > _MAX_PAIRS:
        return f"The texts differ in {len(ours) + len(theirs)} statements."
    ours_said, theirs_said = ([_read(one.text, one.wording) for one in some] for some in (ours, theirs))
    at_odds = (pair for pair in product(ours_said, theirs_said) if _speak_of_same(*pair))
    pairs: Iterator[tuple[Statement | _Said, Statement | _Said]] = chain(
        _find_same_place(ours, theirs, first, second), at_odds
    )
    for one, other in pairs:
        if one.wording == other.wording:
            return f'"{clip(one.text)}" stands in both under other headings, so that it may be about two things.'
        return f'"{clip(one.text)}" and "{clip(other.text)}" say the same in other words, or cannot both hold.'
    return None


def reason_denied(left: str, right: str) -> str | None:
    """Return the sentence that names two statements, one of which denies much of what the other one says, or None.

    Compares single sentences and items: in a long list some word is denied, and some word is shared.
    """
    first, second = _read_sentences(left), _read_sentences(right)
    ours = [one for wording, one in first.items() if wording not in second]
    theirs = [one for wording, one in second.items() if wording not in first]
    pairs = (pair for pair in product(ours, theirs) if pair[0].is_denied != pair[1].is_denied)
    for one, other in islice(pairs, _MAX_PAIRS):
        if _is_denied_by(one, other):
            return f'"{clip(one.text)}" and "{clip(other.text)}" may not both hold: only one of them denies it.'
    return None


def find_plain_conflict(left: str, right: str) -> str | None:
    """Return the sentence that quotes the only statement in which two texts differ, if both forms surely cannot hold, or None.

    What is told to a person has to be certain: in one place another value stands, or a denial is added. When a page was written
    is about the page, and differs anyway.
    """
    first, second = read_statements(left), read_statements(right)
    ours, theirs = find_own(first, second), find_own(second, first)
    if not len(ours) == len(theirs) == 1 or _ONLY_DATED.search(ours[0].text):
        return None
    if max(len(ours[0].text), len(theirs[0].text)) > _MOST_CHARS:
        return None
    mine, its = (spell_alike(one.text).split() for one in (ours[0], theirs[0]))
    slots = [one for one in SequenceMatcher(None, mine, its, autojunk=False).get_opcodes() if one[0] != "equal"]
    if len(slots) != 1:
        return None
    _, start, end, its_start, its_end = slots[0]
    gone, come = mine[start:end], its[its_start:its_end]
    if start == 0 or NEGATIONS.isdisjoint((*gone, *come)) != bool(gone and come):
        return None
    return reason_opposed(ours[0].text, theirs[0].text, strict=True)


def _read_sentences(text: str) -> dict[str, _Said]:
    """Return each sentence and list item of a text by its wording."""
    said = (_BOLD.sub("", one.text) for one in read_statements(text).statements)
    lines = (" ".join(line.split()) for one in said for line in _LINE.split(one))
    found = ((wording_of(one), one) for line in lines for one in split_at_stops(line))
    return {wording: _read(one, wording) for wording, one in found}


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


def _speak_of_same(one: _Said, other: _Said) -> bool:
    """Tell whether two statements share enough words to speak of the same thing."""
    shared, least = len(one.words & other.words), min(len(one.words), len(other.words))
    if one.is_denied != other.is_denied or least <= _FEW_WORDS:
        return shared > 0
    return shared >= max(_FEWEST_SHARED, _SHARED_PART * least)


def _is_denied_by(one: _Said, other: _Said) -> bool:
    few, many = sorted(len(said.words - _DENIALS) for said in (one, other))
    shared = len(one.words & other.words - _DENIALS)
    return shared >= (1 if many <= _FEW_WORDS else max(_FEWEST_SHARED, _DENIED_PART * few))


def _read(text: str, wording: str) -> _Said:
    """Return a statement with what it speaks of, without endings, and whether it denies something."""
    found = (word.lower() for word in _WORD.findall(wording))
    words = frozenset(word[:_STEM_LETTERS] if word.isalpha() else word for word in found if word not in STOP_WORDS)
    return _Said(text, wording, words, not NEGATIONS.isdisjoint(wording.lower().split()))
