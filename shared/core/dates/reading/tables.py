"""Relative dates in languages without a grammar: dateparser's tables define phrases such as "2 weeks ago", and dateparser reads them."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any

import dateparser
from dateparser.languages.loader import default_loader

from shared.core.dates.resolved import When, as_exact_as

_UNITS = ("day", "week", "month", "year")
#: A shorter phrase ("in 3 d") is an abbreviation that may be anything.
_SHORTEST_PHRASE = 4
_SHORTEST_UNIT = 3
_NUMBER_GROUP = r"(\d++[.,]?\d*+)"
_COUNT = r"(?:\d{1,4}|[^\W\d_]{2,12})"


def find_table_dates(text: str, today: date, language: str) -> Iterator[tuple[int, int, When | None]]:
    """Yield (start, end, meaning) of the phrases of a language; None where dateparser does not read what its table holds.

    Args:
        text: the text with its code made blank.
        today: the local day on which it was said.
        language: two letters. A language that dateparser does not know has no phrases.
    """
    phrases = _pattern_of(language)
    for found in phrases.finditer(text) if phrases else ():
        unit = next(name for name in _UNITS if found.group(name))
        yield found.start(), found.end(), _read(found[0], unit, today, language)


def _read(phrase: str, unit: str, today: date, language: str) -> When | None:
    at = datetime.combine(today, time(12))
    parsed = dateparser.parse(
        phrase.lower(), languages=[language], settings={"RELATIVE_BASE": at, "RETURN_AS_TIMEZONE_AWARE": False}
    )
    return None if parsed is None else as_exact_as(parsed.date(), unit)


@lru_cache(maxsize=64)
def _pattern_of(language: str) -> re.Pattern[str] | None:
    """Return the pattern of a language's relative phrases, with a group for each unit."""
    info = _info_of(language)
    if not info:
        return None
    groups = [rf"(?P<{unit}>{'|'.join(_phrases_of(info, unit)) or '(?!)'})" for unit in _UNITS]
    return re.compile(rf"\b(?:{'|'.join(groups)})(?!\w)", re.IGNORECASE)


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


def _info_of(language: str) -> Mapping[str, Any]:
    """Return dateparser's table of a language; an empty one for an unknown language."""
    try:
        return default_loader.get_locale(language).info
    except ValueError:
        return {}
