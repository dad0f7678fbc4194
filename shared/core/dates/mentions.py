"""Detect relative dates in a text. Resolving them is left to the model or its rules.

No rule resolves them in Chinese and Japanese, where they may end in the middle of a word; a model is shown such a text.
"""

import re

from shared.core.dates.reading.find import mentions_date
from shared.core.dates.reading.recognise import find_words
from shared.core.dates.words import MONTH, MONTHS, WEEKDAY, WEEKDAYS, N

RELATIVE_PHRASE = re.compile(
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
#: Chinese and Japanese name days so; also in the middle of words, which costs a question.
_HAN = re.compile(
    r"[昨今明前后後][天日晚晩夜]|[上下][个個]?[周週月]|[先来來去明昨]年|[先来來]週|先月|来月|[天日]前|天[后後]"
)
#: Each phrase of the pattern holds one of these words: most texts hold none and are not searched, which takes longer.
_SIGNS = frozenset(
    ["yesterday", "today", "tomorrow", "tonight", "ago", "last", "next", "now", "quarter", "sept"]
    + [unit + end for unit in ("week", "month", "year", "weekend", "night", "day", "fortnight") for end in ("", "s")]
    + [name + end for name in WEEKDAYS for end in ("", "s")]
    + [part for name in MONTHS for part in (name, name[:3])]
)


def has_relative_date(text: str) -> bool:
    """Tell whether a text gives a date only relative to the day on which it was written, in any language with a grammar."""
    # Of a folded text: a pattern that ignores case takes four times as long, and each changed memory is looked through.
    folded = text.casefold()
    words = find_words(folded)
    if not folded.isascii() and _HAN.search(folded):
        return True
    return (not _SIGNS.isdisjoint(words) and RELATIVE_PHRASE.search(folded) is not None) or mentions_date(text, words)
