"""Find statements of two texts that may not both hold: they speak of the same thing, and neither surely says the other.

No list of opposites decides this. `The cache is warm` and `The cache is cold` share half of their words, and so do two wordings of
one fact: only a reader can tell them apart. So what is at odds is not merged without a person, whichever of the two it is.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, product

from shared.core.memory.frontmatter import body_of
from shared.core.merging.statements import DAY_BEHIND
from shared.core.merging.subject_words import list_stems
from shared.core.reading.placed import Form, Placed, read_placed
from shared.core.text.clip import clip
from shared.core.text.markdown import is_step, opens_with_pointer, split_at_stops
from shared.core.text.remember import remember_last
from shared.core.text.wording import wording_of
from shared.core.text.words import as_spaced
from shared.languages.function_words import NEGATIONS

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
_BOLD = re.compile(r"\*\*|__")
#: The number of a step has at most so many characters.
_MOST_MARK = 12


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement, or a sentence of one, as it is compared."""

    text: str
    wording: str
    under: tuple[str, ...]  # the wordings of the headings that it needs to mean what it says
    words: frozenset[str]  # the stems of what it speaks of
    is_denied: bool
    is_numbered: bool  # a step of a list


def reason_at_odds(left: str, right: str) -> str | None:
    """Return the sentence that names two statements of two texts that may contradict each other, or None."""
    first, second = _read(left), _read(right)
    ours, theirs = _find_own(first, second), _find_own(second, first)
    if len(ours) * len(theirs) > _MAX_PAIRS:
        return f"The texts differ in {len(ours) + len(theirs)} statements."
    own = {*ours, *theirs}
    places = dict(reversed(list(_places_of(first, own))))  # between the same neighbours: two fillings of one place
    in_one_place = (("stand in the same place", places[p], one) for p, one in _places_of(second, own) if p in places)
    of_same = (("may speak of the same thing", *pair) for pair in product(ours, theirs) if _speak_of_same(*pair))
    for how, one, other in chain(in_one_place, of_same):
        if one.wording == other.wording:
            return f'"{clip(one.text)}" stands in both under other headings, so that it may be about two things.'
        return f'"{clip(one.text)}" and "{clip(other.text)}" {how}{_tell_difference(one, other)}.'
    if turned := _find_other_order(first, second):
        return f'"{clip(turned[0])}" and "{clip(turned[1])}" are steps that follow each other in two orders.'
    return None


def reason_denied(left: str, right: str) -> str | None:
    """Return the sentence that names two statements, one of which denies much of what the other one says, or None.

    Compares single sentences, since in two some word is denied, and some word is shared.
    """
    first, second = _read_sentences(left), _read_sentences(right)
    ours = [one for wording, one in first.items() if wording not in second]
    theirs = [one for wording, one in second.items() if wording not in first]
    pairs = (pair for pair in product(ours, theirs) if pair[0].is_denied != pair[1].is_denied)
    for one, other in islice(pairs, _MAX_PAIRS):
        if _is_denied_by(one, other):
            return f'"{clip(one.text)}" and "{clip(other.text)}" may not both hold: only one of them denies it.'
    return None


@remember_last
def _read(text: str) -> tuple[_Said, ...]:
    """Return the statements of a text's body as they are compared."""
    body = body_of(text)
    return tuple(_read_one(one, body) for one in read_placed(text) if one.form is not Form.FIELD)


def _read_one(placed: Placed, body: str) -> _Said:
    """Return a statement as it is compared: a row with its columns, and what opens with a pointer under the text's title."""
    has_title = bool(placed.under) and placed.under[0].startswith("# ")
    needs_title = placed.form is Form.PROSE and opens_with_pointer(placed.text)
    under = tuple(map(wording_of, placed.under[has_title and not needs_title :]))
    mark = body[body.rfind("\n", 0, placed.start) + 1 :][:_MOST_MARK].lstrip()
    is_numbered = placed.form is Form.ITEM and is_step(mark)
    return _said("\n".join(filter(None, (placed.head, placed.text))), placed.text, under, is_numbered=is_numbered)


def _said(whole: str, text: str, under: tuple[str, ...] = (), *, is_numbered: bool = False) -> _Said:
    wording = "\n".join(map(wording_of, whole.split("\n")))
    is_denied = not NEGATIONS.isdisjoint(wording.lower().split())
    return _Said(text, wording, under, frozenset(list_stems(as_spaced(text))), is_denied, is_numbered)


def _read_sentences(text: str) -> dict[str, _Said]:
    """Return the sentences of a text by their wordings; one in bold ends where it does."""
    parts = (part for one in _read(text) for part in split_at_stops(_BOLD.sub("", one.text)))
    return {one.wording: one for one in (_said(part, part) for part in parts)}


def _find_own(said: Sequence[_Said], others: Sequence[_Said]) -> list[_Said]:
    """Return the statements of a text that the other one does not surely say; what a statement begins with it says, too."""
    known = {(one.under, wording) for one in others for wording in _wordings_of(one)}
    return [one for one in said if (one.under, one.wording) not in known]


def _wordings_of(said: _Said) -> Iterator[str]:
    yield said.wording
    yield from map(wording_of, accumulate(split_at_stops(said.text), "{} {}".format))
    if DAY_BEHIND.search(said.text):  # `Yesterday (2026-03-04)` says `yesterday`, too; not the other way round
        yield wording_of(DAY_BEHIND.sub("", said.text))


def _places_of(said: Sequence[_Said], own: Collection[_Said]) -> Iterator[tuple[tuple[object, ...], _Said]]:
    """Yield the own statements that stand alone between two shared ones of their section."""
    for before, one, after in zip(said, said[1:], said[2:], strict=False):
        is_alone = one in own and before not in own and after not in own
        if is_alone and before.under == one.under == after.under:
            yield (one.under, before.wording, after.wording), one


def _find_other_order(first: Sequence[_Said], second: Sequence[_Said]) -> tuple[str, str] | None:
    """Return two steps that both texts have, in another order."""
    ours, theirs = ({one.wording: one.text for one in said if one.is_numbered} for said in (first, second))
    pairs = zip((one for one in ours if one in theirs), (one for one in theirs if one in ours), strict=True)
    return next(((ours[one], theirs[other]) for one, other in pairs if one != other), None)


def _speak_of_same(one: _Said, other: _Said) -> bool:
    """Tell whether two statements share enough words to speak of the same thing."""
    shared, least = len(one.words & other.words), min(len(one.words), len(other.words))
    if one.is_denied != other.is_denied or least <= _FEW_WORDS:
        return shared > 0
    return shared >= max(_FEWEST_SHARED, _SHARED_PART * least)


def _tell_difference(one: _Said, other: _Said) -> str:
    """Return what is known to differ between two statements; whether they agree, only a reader knows."""
    if one.is_denied != other.is_denied:
        return ", and only one of them denies something"
    own = ("".join(one.words - other.words), "".join(other.words - one.words))
    return ", and name different values" if all(any(map(str.isdigit, text)) for text in own) else " in different words"


def _is_denied_by(one: _Said, other: _Said) -> bool:
    few, many = sorted(len(said.words) for said in (one, other))
    return len(one.words & other.words) >= (1 if many <= _FEW_WORDS else max(_FEWEST_SHARED, _DENIED_PART * few))
