"""Find the last day on which a sentence holds: "for one week, …", "until 12 October".

Only a day that can be read in one way counts, and only where all of the sentence ends with it: where the sentence or the request to
remember it begins with the span, or an end closes it. What is still worth knowing afterwards has no last day: until when a certificate
is valid, how long backups are kept.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache

from shared.core.dates.arithmetic import shift
from shared.core.dates.rewrite import find_local
from shared.core.dates.since import AHEAD, QUOTED, day_of, place, read_day
from shared.languages.language_file import (
    DateWords,
    LastDayWords,
    every_word,
    pattern_of,
    read_date_words,
    read_last_day_words,
)

_UNITS = ("day", "week", "month", "year")
_MAX_CHARS = 1_000
_WORD = re.compile(r"[\w']+")
_FORBIDS = pattern_of("forbids", r"\W{0,8}<>")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """The patterns of a language: of a sentence that begins with its end, and of one that closes with it."""

    words: DateWords
    leading: tuple[re.Pattern[str], ...]
    closing: tuple[re.Pattern[str], ...]
    days: re.Pattern[str]
    outlasts: re.Pattern[str]


def find_last_day(sentence: str, said_at: datetime, zone: str = "UTC") -> date | None:
    """Return the last day on which a sentence says that it holds; None where it names none, or none for certain.

    Args:
        sentence: what a person asked to remember.
        said_at: when, as `rewrite_dates` takes it.
        zone: the zone of the speaker.

    Raises:
        BadInputError: there is no such zone.
    """
    if len(sentence) > _MAX_CHARS:
        return None
    prose = QUOTED.sub(" ", sentence).strip()
    days = {day for rules in _compile() for day in _read(rules, prose, said_at, zone)}
    days |= {_read_plain(found, said_at.date()) for one in _compile_plain() if (found := one.match(prose))}
    return next(iter(days)) if len(days) == 1 else None


def _read(rules: _Rules, prose: str, said_at: datetime, zone: str) -> Iterator[date | None]:
    found = next((one for pattern in rules.leading if (one := pattern.match(prose))), None)
    is_asked = found is not None and found["asked"] is not None
    if found is None:
        found = next((one for pattern in rules.closing if (one := pattern.search(prose))), None)
        if found is None or _denies(prose[: found.start()]):
            return
    if not is_asked and rules.outlasts.search(prose):
        return
    local = find_local(said_at, zone)
    today = local.date() if local is not None else None
    if rules.days.search(f"{prose[: found.start('span')]} {prose[found.end('span') :]}"):
        yield None  # another day beside it: the end of a span, or one of several
    elif "day" in found.groupdict():
        yield read_day(found["day"], rules.words, said_at.date(), today, AHEAD)
    elif today is not None:
        yield _count(found, rules.words, today)


def _read_plain(found: re.Match[str], said_on: date) -> date | None:
    """Return the day of a match of `_compile_plain`, whose year may be missing."""
    year = found["year"]
    return place(int(year) if year else None, int(found["month"]), int(found["nth"]), said_on, AHEAD)


def _denies(before: str) -> bool:
    """Tell whether a sentence denies something without being an order: "not due until Friday" begins on that day."""
    if _FORBIDS.match(before):
        return False
    words = {word.lower() for word in _WORD.findall(before)}
    return bool(words & every_word("negations")) or any(word.endswith("n't") for word in words)


def _count(found: re.Match[str], words: DateWords, today: date) -> date | None:
    said = found.groupdict().get("number", "1").lower()
    named = (number for number, names in enumerate(words.numbers.split(), 1) if said in names.split("/"))
    number = int(said) if said.isdecimal() else next(named)
    unit = next(
        one for one, names in zip(_UNITS, words.units, strict=True) if re.fullmatch(names, found["unit"], re.IGNORECASE)
    )
    try:
        return shift(today, {unit: number}, 1)
    except (OverflowError, ValueError):  # outside the calendar
        return None


@cache
def _compile() -> tuple[_Rules, ...]:
    return tuple(_make(words) for words in read_date_words().values() if words.until)


@cache
def _compile_plain() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of languages without spaces: a whole sentence with one day, of which nothing outlasts the day."""
    return tuple(_make_plain(words, span) for words in read_last_day_words().values() for span in words.until)


def _make_plain(words: LastDayWords, span: str) -> re.Pattern[str]:
    # No other number stands in the sentence: it would be another day, or a part of this one.
    lasts = rf"(?![^\n]*(?:{words.outlasts}))"
    head = rf"(?:(?:{words.asks})\W{{0,2}}){{0,3}}(?:{words.before})?"
    return re.compile(rf"{lasts}{head}(?:{span.replace('<D>', words.day, 1)})[^\d\n]*\Z")


def _make(words: DateWords) -> _Rules:
    day = day_of(words)
    number = rf"(?P<number>\d{{1,3}}|{'|'.join(words.numbers.replace('/', ' ').split())})"
    filled = {"<D>": f"(?P<day>{day})", "<N>": number, "<U>": f"(?P<unit>{'|'.join(words.units)})"}
    head = rf"\W{{0,8}}(?P<asked>(?:(?:{words.asks})\W{{1,4}}){{1,5}})?"
    ends = [_fill(one, filled) for one in (*words.until, *words.coming)]
    spans = [*ends, *(_fill(one, filled) for one in words.lasting)]
    return _Rules(
        words=words,
        leading=tuple(_pattern(rf"{head}(?P<span>{one})(?!\w|,?\s?\d)[\s,:;\u2013-]{{1,4}}(?=\w)") for one in spans),
        closing=tuple(_pattern(rf"(?<!\w)(?P<span>{one})[\s.!\u2026]{{0,4}}\Z") for one in ends),
        days=_pattern(rf"(?<!\w)(?:{day})(?!\w)"),
        outlasts=_pattern(rf"(?<!\w)(?:{words.outlasts})(?!\w)"),
    )


def _fill(pattern: str, filled: Mapping[str, str]) -> str:
    for name, words in filled.items():
        pattern = pattern.replace(name, words)
    return pattern


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s{1,3}"), re.IGNORECASE)
