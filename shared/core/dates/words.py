"""Pattern pieces for the words of English date phrases. Gaps and counts are bounded, so that matching is linear."""

import re
from collections.abc import Mapping

_SMALL = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    word: 10 * number
    for number, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
NUMBERS: Mapping[str, int] = {
    "a": 1,
    "an": 1,
    **{word: number for number, word in enumerate(_SMALL, 1)},
    **_TENS,
}
ORDINALS: Mapping[str, int] = {
    **dict.fromkeys(("first", "1st"), 1),
    **dict.fromkeys(("second", "2nd"), 2),
    **dict.fromkeys(("third", "3rd"), 3),
    **dict.fromkeys(("fourth", "4th"), 4),
    **dict.fromkeys(("fifth", "5th"), 5),
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
#: Full and short names; "sept" is the only short one of four letters.
MONTH = rf"(?:{'|'.join(_MONTH_NAMES)}|{'|'.join(name[:3] for name in _MONTH_NAMES if name != 'may')}|sept)"
_WEEKDAY_NAMES = (
    ("monday", "mon"),
    ("tuesday", "tue", "tues"),
    ("wednesday", "wed"),
    ("thursday", "thu", "thur", "thurs"),
    ("friday", "fri"),
    ("saturday", "sat"),
    ("sunday", "sun"),
)
WEEKDAYS: Mapping[str, int] = {name: number for number, names in enumerate(_WEEKDAY_NAMES) for name in names}

#: The end of a sentence, in any of the languages.
STOP = re.compile(r"[.!?](?=\s|$)|\n|[。！？]")  # noqa: RUF001 - as Chinese and Japanese end a sentence
GAP = r"\s{1,3}"
#: "Forty-eight" and "forty eight" count as "48" does.
_COMPOUND = rf"(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_SMALL[:9])})"
#: "A couple of" is two, though less sure than "two" itself.
N = rf"(?:\d{{1,4}}|(?:a\s{{1,3}})?couple(?:\s{{1,3}}of)?|{_COMPOUND}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
UNIT = r"(?:day|night|evening|morning|week|wk|fortnight|month|year|yr|decade)s?"
#: "1 year, 2 months and 3 days"
DURATION = rf"{N}{GAP}{UNIT}(?:(?:,\s{{0,2}}|{GAP})(?:and{GAP})?{N}{GAP}{UNIT}){{0,3}}"
WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
#: Short names too; only beside a word that makes clear that "sat" and "sun" are days.
SHORT_WEEKDAY = rf"(?:{WEEKDAY}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"

_OTHER_UNITS = {
    **dict.fromkeys(("night", "evening", "morning"), ("day", 1)),
    "fortnight": ("week", 2),
    "wk": ("week", 1),
    "yr": ("year", 1),
    "decade": ("year", 10),
}
_PART = re.compile(rf"\b({N}){GAP}({UNIT})\b", re.IGNORECASE)


def read_number(word: str) -> int:
    """Return the number that a word or digits name."""
    parts = word.lower().replace("-", " ").split()
    if "couple" in parts:
        return 2
    return sum(NUMBERS[part] for part in parts) if all(part in NUMBERS for part in parts) else int(word)


def read_duration(phrase: str) -> dict[str, int]:
    """Return the counts of a duration by unit; a fortnight is two weeks, a decade ten years."""
    units: dict[str, int] = {}
    for part in _PART.finditer(phrase):
        unit = part[2].lower().removesuffix("s")
        count = read_number(part[1])
        unit, times = _OTHER_UNITS.get(unit, (unit, 1))
        count *= times
        units[unit] = units.get(unit, 0) + count
    return units


def read_month(name: str) -> int:
    """Return the number of a month by its full or short name."""
    return next(number for month, number in MONTHS.items() if month.startswith(name.lower()[:3]))


def finest_unit(units: Mapping[str, int]) -> str:
    """Return the smallest unit of a duration, which is its precision."""
    return next(unit for unit in ("day", "week", "month", "year") if unit in units)
