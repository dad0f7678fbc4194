"""Relative dates in a text: only whether there are any. Resolving them is a decision of the model or its rules."""

import re

_RELATIVE = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this)\s+(?:week|month|year|quarter|weekend"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:\d+|a|two|three|four|five|six|several|a\s+few)\s+(?:day|week|month|year)s?\s+ago"
    r"|in\s+(?:\d+|a|two|three)\s+(?:day|week|month)s?)\b",
    re.IGNORECASE,
)


def has_relative_date(text: str) -> bool:
    """Tell whether a text says when something was only relative to the day it was written."""
    return _RELATIVE.search(text) is not None
