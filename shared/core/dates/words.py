"""Pattern pieces for the names of months and weekdays, and for the end of a sentence."""

import re

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
#: Full and short names; "sept" is the only short one of four letters.
MONTH = rf"(?:{'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS if name != 'may')}|sept)"
#: The end of a sentence, in any of the languages.
STOP = re.compile(r"[.!?](?=\s|$)|\n|[。！？]")  # noqa: RUF001 - as Chinese and Japanese end a sentence
WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
SHORT_WEEKDAY = rf"(?:{WEEKDAY}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"


def read_month(name: str) -> int:
    """Return the number of a month by its full or short name."""
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))
