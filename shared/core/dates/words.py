"""Pattern pieces for the words of English date phrases. Gaps and counts are bounded, so that matching is linear."""

import re
from collections.abc import Mapping

_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS: Mapping[str, int] = {
    "a": 1,
    "an": 1,
    **{word: number for number, word in enumerate(_SMALL, 1)},
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "ninety": 90,
}
ORDINALS: Mapping[str, int] = {
    **dict.fromkeys(("first", "1st"), 1),
    **dict.fromkeys(("second", "2nd"), 2),
    **dict.fromkeys(("third", "3rd"), 3),
    **dict.fromkeys(("fourth", "4th"), 4),
}
_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
MONTHS: Mapping[str, int] = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_WEEKDAY_NAMES = (
    ("monday", "mon"),
    ("tuesday", "tue", "tues"),
    ("wednesday", "wed"),
    ("thursday", "thu", "thurs"),
    ("friday", "fri"),
    ("saturday", "sat"),
    ("sunday", "sun"),
)
WEEKDAYS: Mapping[str, int] = {name: number for number, names in enumerate(_WEEKDAY_NAMES) for name in names}

GAP = r"\s{1,3}"
N = rf"(?:\d{{1,4}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
UNIT = r"(?:day|week|fortnight|month|year)s?"
#: "1 year, 2 months and 3 days"
DURATION = rf"{N}{GAP}{UNIT}(?:(?:,\s{{0,2}}|{GAP})(?:and{GAP})?{N}{GAP}{UNIT}){{0,3}}"
WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
#: Short names too; only beside a word that makes clear that "sat" and "sun" are days.
SHORT_WEEKDAY = rf"(?:{WEEKDAY}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)"

_PART = re.compile(rf"\b({N}){GAP}({UNIT})\b", re.IGNORECASE)


def read_number(word: str) -> int:
    """Return the number that a word or digits name."""
    return NUMBERS[word.lower()] if word.lower() in NUMBERS else int(word)


def read_duration(phrase: str) -> dict[str, int]:
    """Return the counts of a duration by unit; a fortnight is two weeks."""
    units: dict[str, int] = {}
    for part in _PART.finditer(phrase):
        unit = part[2].lower().removesuffix("s")
        count = read_number(part[1])
        unit, count = ("week", 2 * count) if unit == "fortnight" else (unit, count)
        units[unit] = units.get(unit, 0) + count
    return units


def finest_unit(units: Mapping[str, int]) -> str:
    """Return the smallest unit of a duration, which is its precision."""
    return next(unit for unit in ("day", "week", "month", "year") if unit in units)
