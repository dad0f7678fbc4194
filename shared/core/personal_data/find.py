"""Find personal data in a text: numbers of cards, accounts and persons, phone numbers, e-mail addresses.

What counts is data, `kinds.toml`. A number is found by its form and its checksum; where other numbers have the same form, a word
near it must say what it is. The time that a scan takes grows as its text does.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache

from shared.core.personal_data.kinds import Kind, read_kinds
from shared.core.personal_data.spans import Span, lowered, mask_spans
from shared.languages.language_file import every_word

_BEFORE_CHARS, _BEHIND_CHARS, _LIST_CHARS = 60, 20, 5
_OTHER = re.compile(r"\d{3}|\n")
_BRACKET = re.compile(r" ?\(")
#: Digits and signs of full width, as Japanese and Chinese texts write them, each at its place.
_NARROW = {ord(wide): chr(ord(wide) - 0xFEE0) for wide in map(chr, range(0xFF01, 0xFF5F))} | {0x3000: " "}


class _Form:
    """A kind's pattern with what may not touch it, the check of what that finds, and the words near it."""

    def __init__(self, kind: Kind, check: Callable[[str], bool]) -> None:
        self.name, self._has_group = kind.name, not kind.edges and re.compile(kind.pattern).groups > 0
        edged = rf"(?<![\w.#/+-])(?:{kind.pattern})(?!\w|[-.]\w)" if kind.edges else kind.pattern
        self.pattern = re.compile(edged, re.ASCII)
        self.is_valid = check
        words = sorted(every_word(kind.near)) if isinstance(kind.near, str) else kind.near
        told = "|".join(map(re.escape, words))
        self.words = re.compile(rf"(?<![a-z])(?:{told})(?![a-z])") if told else None

    def place_of(self, hit: re.Match[str]) -> tuple[int, int]:
        """Return where it stands; a begin below 0 if the pattern found what is none."""
        return hit.span(1) if self._has_group else hit.span()


@cache
def _read_forms() -> Sequence[_Form]:
    # The numbering plans of all countries take a tenth of a second to import; a store that takes personal data never needs them.
    from shared.core.personal_data.checks import CHECKS  # noqa: PLC0415 - the reason is above

    return [_Form(one, CHECKS[one.check] if one.check else bool) for one in read_kinds()]


def find_personal_data(text: str, kinds: Collection[str] | None = None) -> list[Span]:
    """Return the personal data of some kinds (default: all) in a text, in their order; none overlaps another."""
    narrow = text if text.isascii() else text.translate(_NARROW)
    low = lowered(narrow)
    rows = [one for one in _read_forms() if kinds is None or one.name in kinds]
    found: list[Span] = []
    for one in rows:
        of_row = list(_find(narrow, low, one))
        found += of_row
        narrow = _without(narrow, of_row)  # what one row has found is not part of another's
    return sorted(found)


def mask_personal_data(text: str, kinds: Collection[str] | None = None) -> str:
    """Return a text with its personal data masked (`[masked: card number]`); the same object when there is none."""
    return mask_spans(text, find_personal_data(text, kinds))


def _find(text: str, low: str, kind: _Form) -> Iterator[Span]:
    if kind.words is not None and not kind.words.search(low):
        return
    place, last = 0, -1
    while hit := kind.pattern.search(text, place):
        start, end = kind.place_of(hit)
        if start < 0:  # the pattern names what is none
            place = hit.end()
        elif kind.words and not (_is_told(low, start, end, kind.words) or _goes_on(text, last, start)):
            place = _end_of_group(text, start, end)
        elif (valid := _find_valid(text, start, end, kind)) is None:
            place = _end_of_group(text, start, end)  # what failed as a whole may hold another behind its first group
        else:
            place = last = valid
            yield Span(start, valid, kind.name)


def _without(text: str, found: Sequence[Span]) -> str:
    """Return a text of the same length with a sign that no form has in place of what was found."""
    if not found:
        return text
    parts, end = [], 0
    for one in found:
        parts += [text[end : one.start], "\x00" * (one.end - one.start)]
        end = one.end
    return "".join([*parts, text[end:]])


def _find_valid(text: str, start: int, end: int, kind: _Form) -> int | None:
    """Return where a valid number ends: words or numbers that follow it may look like its last groups."""
    while start < end:
        if kind.pattern.fullmatch(text, start, end) and kind.is_valid(text[start:end]):
            return end
        end = text.rfind(" ", start, end)
    return None


def _is_told(low: str, start: int, end: int, words: re.Pattern[str]) -> bool:
    """Tell whether a word says what a number is: before it on its line, with no other number between, or in brackets behind it."""
    before = low[max(0, start - _BEFORE_CHARS) : start]
    if words.search(_OTHER.split(before)[-1]):
        return True
    bracket = _BRACKET.match(low, end)
    return bracket is not None and words.search(low, bracket.end(), bracket.end() + _BEHIND_CHARS) is not None


def _goes_on(text: str, last: int, start: int) -> bool:
    """Tell whether a number follows another of its kind in a list."""
    return last >= 0 and start - last <= _LIST_CHARS and "\n" not in text[last:start]


def _end_of_group(text: str, start: int, end: int) -> int:
    place = start + 1
    while place < end and text[place].isalnum():
        place += 1
    return place
