"""Detect relative dates in a text. Resolving them is left to the model or its rules."""

import re

from shared.core.dates.reading.find import mentions_date
from shared.core.dates.words import MONTH, WEEKDAY, N

_RELATIVE = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this|previous|coming|past|current)\s+(?:week|month|year|quarter|weekend|night"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    rf"|(?:\d+|{N}|several|few)\s+(?:minute|hour|day|night|week|weekend|fortnight|month|year)s?"
    r"\s+(?:ago|from\s+now|from\s+today)|\d{1,3}(?:d|w|mo|y|h)\s+ago"
    rf"|(?:\d+|{N})\s+(?:business|working)\s+days?\s+ago"
    rf"|{WEEKDAY}\s+(?:week|fortnight|just\s+gone)|{N}\s+(?:week|fortnight)s?\s+on\s+{WEEKDAY}"
    r"|(?:before\s+last|after\s+next)|over\s+the\s+weekend"
    rf"|(?:first|second|third|fourth|fifth|last)\s+{WEEKDAY}\s+(?:of|in)|{WEEKDAY}s\s+ago|(?:last|this|next)\s+{MONTH}"
    r"|in\s+(?:\d+|a|one|two|three|four|five|six)\s+(?:day|week|month|year)s?)\b"
)


def has_relative_date(text: str) -> bool:
    """Tell whether a text gives a date only relative to the day on which it was written, in any language with a grammar."""
    # Of a folded text: a pattern that ignores case takes four times as long, and each changed memory is looked through.
    return _RELATIVE.search(text.casefold()) is not None or mentions_date(text)
