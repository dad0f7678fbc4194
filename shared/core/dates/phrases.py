"""Find the relative dates of a text: which days each phrase means, counted from the day on which it was said."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from itertools import islice

from shared.core.dates.arithmetic import nearest, shift, span_of, weekday_in_week
from shared.core.dates.protected import blank_protected
from shared.languages.language_file import DateWords, read_date_words

#: In the order in which each language has them in its file.
_UNITS = ("day", "week", "month", "year")
_SPANS = ("weekend", "week", "month", "year")
#: Characters of a sentence that are read, and phrases that one rule looks at: they bound the cost of a hostile text.
_MAX_CHARS, _MAX_PHRASES = 20_000, 100
_Read = Callable[[re.Match[str], date], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A phrase of a sentence, `text[start:end]`, and its date: `2026-03-04`, `week of 2026-03-02`, `2026-03`, `2026`.

    `is_plain` tells that it names one day and nothing else: "yesterday", "3 days ago", but not "today" or "last Friday".
    """

    start: int
    end: int
    date: str
    is_plain: bool


def find_phrases(sentence: str, said_on: date) -> tuple[Phrase, ...]:
    """Return the relative dates of a sentence in any language, in order, without overlaps.

    Code, addresses and identifiers hold none.
    """
    prose = blank_protected(sentence[:_MAX_CHARS])
    taken = bytearray(len(prose))
    found = []
    for pattern, read, is_plain in _compiled_rules():
        for one in islice(pattern.finditer(prose), _MAX_PHRASES):
            start, end = one.span()
            if any(taken[start:end]):
                continue
            taken[start:end] = b"\x01" * (end - start)
            try:
                found.append(Phrase(start=start, end=end, date=read(one, said_on), is_plain=is_plain))
            except (OverflowError, ValueError):  # outside the calendar
                continue
    return tuple(sorted(found, key=lambda one: one.start))


@cache
def any_phrase(*, is_plain: bool = False) -> re.Pattern[str]:
    """Return one pattern of every phrase of any language, or of the plain ones only: most texts hold none of it."""
    wanted = (pattern for pattern, _, plain in _rules() if plain or not is_plain)
    return _compile("|".join(wanted).replace("?P<number>", "?:"))


@cache
def _rules() -> tuple[tuple[str, _Read, bool], ...]:
    rules = [rule for words in read_date_words().values() for rule in _make_rules(words)]
    return tuple(sorted(rules, key=lambda rule: not rule[2]))


@cache
def _compiled_rules() -> tuple[tuple[re.Pattern[str], _Read, bool], ...]:
    return tuple((_compile(pattern), read, is_plain) for pattern, read, is_plain in _rules())


def _make_rules(words: DateWords) -> Iterator[tuple[str, _Read, bool]]:
    yield from _make_counts(words)
    for is_plain, days in ((True, words.days), (False, words.loose)):
        for pattern, away in days.items():
            yield f"(?:{pattern})(?: (?:{words.part}))?", partial(_read_day, away=away), is_plain
    for side, name in ((-1, words.last), (0, words.this), (1, words.next)):
        for unit, span in zip(_SPANS, words.spans, strict=True):
            yield _beside(name, span), partial(_read_span, unit=unit, side=side), False
        for number, weekday in enumerate(words.weekdays):
            yield _beside(name, weekday), partial(_read_weekday, weekday=number, side=side), False


def _make_counts(words: DateWords) -> Iterator[tuple[str, _Read, bool]]:
    number = rf"(?P<number>\d{{1,4}}|{'|'.join(words.numbers.replace('/', ' ').split())})"
    for sign, pattern in (*((-1, one) for one in words.ago), *((1, one) for one in words.ahead)):
        for unit, names in zip(_UNITS, words.units, strict=True):
            filled = pattern.replace("<N>", number).replace("<U>", f"(?:{names})")
            yield filled, partial(_read_count, words=words, unit=unit, sign=sign), unit == "day" and sign < 0


def _compile(pattern: str) -> re.Pattern[str]:
    spaced = pattern.replace(" ", r"\s{1,3}")
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)", re.IGNORECASE)


def _beside(side: str, name: str) -> str:
    return f"(?:{side}) (?:{name})|(?:{name}) (?:{side})"


def _read_count(found: re.Match[str], said_on: date, *, words: DateWords, unit: str, sign: int) -> str:
    said = found["number"].lower()
    named = (number for number, names in enumerate(words.numbers.split(), 1) if said in names.split("/"))
    return span_of(shift(said_on, {unit: int(said) if said.isdecimal() else next(named)}, sign), unit)


def _read_day(_found: re.Match[str], said_on: date, *, away: int) -> str:
    return (said_on + timedelta(days=away)).isoformat()


def _read_span(_found: re.Match[str], said_on: date, *, unit: str, side: int) -> str:
    return span_of(shift(said_on, {"week" if unit == "weekend" else unit: side}, 1), unit)


def _read_weekday(_found: re.Match[str], said_on: date, *, weekday: int, side: int) -> str:
    if side < 0:
        return nearest(said_on, weekday, -1).isoformat()
    return weekday_in_week(said_on + timedelta(weeks=side), weekday).isoformat()
