"""Relative dates in other languages: dateparser's tables define phrases such as "2 weeks ago", and dateparser reads them.

What its tables lack or misread stands in our own table, `locale_phrases`, which is asked first.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time
from functools import lru_cache, partial
from typing import Any

import dateparser
from dateparser.languages.loader import default_loader

from shared.core.dates.arithmetic import nearest, shift, weekday_in_week
from shared.core.dates.locale_phrases import LOCALE_PHRASES, TODAY, LocalePhrases
from shared.core.dates.resolved import When, as_exact_as, in_span, on_day

_Read = Callable[[re.Match[str], date], When | None]
_Rule = tuple[str, _Read]
_UNITS = ("day", "week", "month", "year")
#: A shorter phrase ("in 3 d") is an abbreviation that may be anything.
_SHORTEST_PHRASE = 4
_SHORTEST_UNIT = 3
_NUMBER_GROUP = r"(\d++[.,]?\d*+)"
_COUNT = r"(?:\d{1,4}|[^\W\d_]{2,12})"
#: "morgen" and "mañana" are also the morning.
_MORNING = re.compile(
    r"\b(?:guten|am|jeden|heute|gestern|frühen|nächsten|diesen|der|den|la|esta|cada|buena|una|misma|de)\s{1,3}(?:morgen|mañana)$",
    re.IGNORECASE,
)
_TOMORROW = frozenset({"morgen", "mañana"})
#: German writes the day small inside a sentence; with a capital it is the morning, an acre or a name.
_NOUN = re.compile(r"[^\W\d_,]\s{1,3}Morgen$")
#: "Verschiebe nicht auf morgen, was du heute kannst besorgen", "más vale hoy que mañana": no day is meant.
_BOTH_DAYS = re.compile(
    r"\b(?:heute|hoy)\b[^.!?\n]{0,120}\b(?:morgen|mañana)\b|\b(?:morgen|mañana)\b[^.!?\n]{0,120}\b(?:heute|hoy)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(r"\b(?:nicht|nie|nur|kein|besser|lieber|statt|als|no|nunca|mejor|más vale|que)\b", re.IGNORECASE)
_REACH = 160
_HOURS_A_DAY = 24
#: How a language says "last <weekday>": the word before it, or after it.
_LAST = {
    "de": r"(?:letzten|letzter|letztem|vergangenen|vorigen)\s{1,3}(?P<weekday>DAY)",
    "es": r"(?:el\s{1,3})?(?P<weekday>DAY)\s{1,3}pasado",
    "fr": r"(?P<weekday>DAY)\s{1,3}dernier",
    "it": r"(?P<weekday>DAY)\s{1,3}scors[oa]",
    "nl": r"(?:afgelopen|vorige)\s{1,3}(?P<weekday>DAY)",
}
_WEEKDAY_KEYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def find_locale_dates(text: str, today: date, language: str) -> Iterator[tuple[int, int, When | None]]:
    """Yield (start, end, meaning) of the phrases of a language other than English; None where it abstains.

    Args:
        text: the text with its code made blank.
        today: the local day on which it was said.
        language: two letters. A language that dateparser does not know has no phrases.
    """
    yield from _find_own(text, today, language)
    phrases, last = _patterns_of(language)
    if last is not None:
        for found in last.finditer(text):
            name = found["weekday"].lower()
            yield found.start(), found.end(), on_day(nearest(today, _weekdays_of(language)[name], -1))
    if phrases is None:
        return
    for found in phrases.finditer(text):
        unit = next(name for name in _UNITS if found.group(name))
        when = None if _is_no_day(text, found) else _read(found[0], unit, today, language)
        if when is not None and found[0].lower() in TODAY:
            when = replace(when, is_clear=False)
        yield found.start(), found.end(), when


def _is_no_day(text: str, found: re.Match[str]) -> bool:
    """Tell whether a word for tomorrow is the morning, a name, or a part of a saying."""
    if found[0].lower() not in _TOMORROW:
        return False
    before = text[max(0, found.start() - 12) : found.end()]
    if _MORNING.search(before) or _NOUN.search(before):
        return True
    sentence = _sentence_at(text, found.start(), found.end())
    return _BOTH_DAYS.search(sentence) is not None and _ADVICE.search(sentence) is not None


def _sentence_at(text: str, start: int, end: int) -> str:
    left = re.split(r"[.!?\n]", text[max(0, start - _REACH) : start])[-1]
    return left + text[start:end] + re.split(r"[.!?\n]", text[end : end + _REACH], maxsplit=1)[0]


def _read(phrase: str, unit: str, today: date, language: str) -> When | None:
    at = datetime.combine(today, time(12))
    parsed = dateparser.parse(
        phrase.lower(), languages=[language], settings={"RELATIVE_BASE": at, "RETURN_AS_TIMEZONE_AWARE": False}
    )
    return None if parsed is None else as_exact_as(parsed.date(), unit)


@lru_cache(maxsize=64)
def _patterns_of(language: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Return the pattern of a language's relative phrases, with a group for each unit, and the one of past weekdays."""
    info = _info_of(language)
    if not info:
        return None, None
    groups = [rf"(?P<{unit}>{'|'.join(_phrases_of(info, unit)) or '(?!)'})" for unit in _UNITS]
    phrases = re.compile(rf"\b(?:{'|'.join(groups)})(?!\w)", re.IGNORECASE)
    if language not in _LAST:
        return phrases, None
    days = "|".join(sorted(map(re.escape, _weekdays_of(language)), key=len, reverse=True))
    return phrases, re.compile(rf"\b{_LAST[language].replace('DAY', f'(?:{days})')}\b", re.IGNORECASE)


def _phrases_of(info: Mapping[str, Any], unit: str) -> list[str]:
    """Return the patterns that name or count a unit, longest first, without abbreviations."""
    said = [re.escape(phrase) for key, some in info["relative-type"].items() if unit in key.split() for phrase in some]
    counted = [
        phrase.replace(_NUMBER_GROUP, _COUNT).replace(" ", r"\s{1,3}")
        for key, some in info["relative-type-regex"].items()
        if unit in key.split()
        for phrase in some
        if not 0 < len(phrase.rpartition(")")[2].strip()) < _SHORTEST_UNIT
    ]
    return sorted({phrase for phrase in (*said, *counted) if len(phrase) >= _SHORTEST_PHRASE}, key=len, reverse=True)


@lru_cache(maxsize=64)
def _weekdays_of(language: str) -> Mapping[str, int]:
    """Return the full names of the weekdays."""
    info = _info_of(language)
    return {name.lower(): number for number, key in enumerate(_WEEKDAY_KEYS) for name in info[key] if len(name) >= 4}


def _info_of(language: str) -> Mapping[str, Any]:
    """Return dateparser's table of a language; an empty one for an unknown language."""
    try:
        return default_loader.get_locale(language).info
    except ValueError:
        return {}


def _find_own(text: str, today: date, language: str) -> Iterator[tuple[int, int, When | None]]:
    """Yield the phrases of `LOCALE_PHRASES`; of two that overlap the longer one comes first."""
    for pattern, read in _rules_of(language):
        for found in pattern.finditer(text):
            try:
                yield found.start(), found.end(), read(found, today)
            except (OverflowError, ValueError):  # outside the calendar
                yield found.start(), found.end(), None


@lru_cache(maxsize=64)
def _rules_of(language: str) -> tuple[tuple[re.Pattern[str], _Read], ...]:
    own = LOCALE_PHRASES.get(language)
    if own is None:
        return ()
    edge = r"\b" if own.is_spaced else ""
    rules = (*_days(own), *_torn(own), *_weekdays(own), *_counted(own), *_spans(own))
    return tuple(
        (re.compile(rf"{edge}(?:{words.replace(' ', chr(92) + 's{1,3}')}){edge}", re.IGNORECASE), read)
        for words, read in rules
    )


def _weekdays(own: LocalePhrases) -> Iterator[_Rule]:
    for number, name in enumerate(own.weekdays):
        for pattern, weeks in own.week_weekday.items():
            yield pattern.replace("D", name), partial(_read_weekday, weeks=weeks, weekday=number)
        if own.past_weekday:
            yield own.past_weekday.replace("D", name), partial(_read_past_weekday, weekday=number)


def _counted(own: LocalePhrases) -> Iterator[_Rule]:
    number = rf"(?P<number>\d{{1,4}}|{'|'.join(sorted(own.numbers, key=len, reverse=True))})"
    for pattern, sign in own.counted.items():
        for words, unit in own.units.items():
            counted = pattern.replace("U", words).replace("N", number)
            yield counted, partial(_read_counted, numbers=own.numbers, unit=unit, sign=sign)


def _days(own: LocalePhrases) -> Iterator[_Rule]:
    for pattern, days in sorted(own.days.items(), key=lambda item: -len(item[0])):
        yield pattern, partial(_read_days, days=days)


def _torn(own: LocalePhrases) -> Iterator[_Rule]:
    for pattern in own.torn:
        yield pattern, _abstain


def _spans(own: LocalePhrases) -> Iterator[_Rule]:
    for pattern, (unit, sign) in own.spans.items():
        yield pattern, partial(_read_span, unit=unit, sign=sign)


def _abstain(_found: re.Match[str], _today: date) -> When | None:
    return None


def _read_days(_found: re.Match[str], today: date, *, days: int) -> When:
    return on_day(shift(today, {"day": abs(days)}, 1 if days > 0 else -1))


def _read_counted(
    found: re.Match[str], today: date, *, numbers: Mapping[str, int], unit: str, sign: int
) -> When | None:
    said = found["number"]
    count = int(said) if said.isascii() and said.isdigit() else numbers[" ".join(said.lower().split())]
    if unit == "hour":  # of a part of a day, the day depends on the hour at which it was said
        days, rest = divmod(count, _HOURS_A_DAY)
        return on_day(shift(today, {"day": days}, sign)) if days and not rest else None
    return as_exact_as(shift(today, {unit: count}, sign), unit)


def _read_span(_found: re.Match[str], today: date, *, unit: str, sign: int) -> When:
    return in_span(shift(today, {unit: abs(sign)}, 1 if sign > 0 else -1), unit)


def _read_weekday(_found: re.Match[str], today: date, *, weeks: int, weekday: int) -> When:
    return on_day(weekday_in_week(shift(today, {"week": abs(weeks)}, 1 if weeks > 0 else -1), weekday))


def _read_past_weekday(_found: re.Match[str], today: date, *, weekday: int) -> When:
    return on_day(nearest(today, weekday, -1))
