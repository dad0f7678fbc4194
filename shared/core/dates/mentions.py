"""Detect relative dates in a text, so that a model is asked about it.

No rule reads them in Chinese and Japanese, where they may end in the middle of a word; a model is shown such a text.
"""

import re
from functools import cache, lru_cache
from itertools import islice

from shared.core.dates.phrases import any_phrase
from shared.core.dates.words import MONTH, WEEKDAY
from shared.languages.language_file import read_date_words

_LOOKED_AT = 100
#: What English names by more than the words of its file, which a model can count.
_ENGLISH = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|from (?:now|today)|before last|after next|over the weekend|just gone"
    rf"|(?:last|next|this|previous|coming|past|current)\s+(?:week|weekend|month|year|quarter|night|{WEEKDAY}|{MONTH})"
    rf"|(?:first|second|third|fourth|fifth|last)\s+{WEEKDAY}\s+(?:of|in)|{WEEKDAY}\s+(?:week|fortnight)|(?:week|fortnight)s?\s+on\s+{WEEKDAY}"
    r"|in\s+(?:\d+|a|one|two|three|four|five|six)\s+(?:day|week|month|year)s?)\b"
)
#: Chinese and Japanese name days so; also in the middle of words, which costs a question.
_HAN = re.compile(
    r"[昨今明前后後][天日晚晩夜]|[上下][个個]?[周週月]|[先来來去明昨]年|[先来來]週|先月|来月|[天日]前|天[后後]"
)


#: "Hier" is German for "here".
_FRENCH = re.compile(r"\b(?:est|une|été|dans|avec|pour|nous|vous)\b")
_WORD = re.compile(r"[^\W\d_]{3,20}")


def has_relative_date(text: str) -> bool:
    """Tell whether a text gives a date only relative to the day on which it was written."""
    # Of a folded text: a pattern that ignores case takes four times as long, and each changed memory is looked through.
    folded = text.casefold()
    if _ENGLISH.search(folded) is not None or (not folded.isascii() and _HAN.search(folded) is not None):
        return True
    if not any(map(_is_sign, set(_WORD.findall(folded)))):
        return False
    found = islice(any_phrase().finditer(folded), _LOOKED_AT)
    return any(one[0] != "hier" or _FRENCH.search(folded) is not None for one in found)


@lru_cache(maxsize=20_000)
def _is_sign(word: str) -> bool:
    return _signs().fullmatch(word) is not None


@cache
def _signs() -> re.Pattern[str]:
    """Return a pattern of single words of which every phrase of any language holds one."""
    signs: list[str] = []
    for words in read_date_words().values():
        last_words = (re.split(r"\W", pattern)[-1] for pattern in (*words.days, *words.loose))
        signs += (*words.units, *words.spans, *words.weekdays, *filter(None, last_words))
    return re.compile("|".join(signs))
