"""Reduce a text to the words that the offline rules compare: no stop words, no endings, lower case."""

import re
from collections.abc import Sequence
from functools import lru_cache

from shared.core.text.same_values import same_word
from shared.languages.function_words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['\u2019](?!s\b)[a-z]+)?")
_ALSO_STOP = """above again always anything although cannot down either else etc every further get gets he her here hers how keep
keeps let like made make makes many may me might much must need needs never new often one onto others per put s see set something
still take takes these through together two upon us via way well whose within without yes yet"""
_STOP = STOP_WORDS | frozenset(_ALSO_STOP.split())
_ENDINGS = ("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without the commonest English endings: `retries` equals `retry`, and `merged` equals `merge`."""
    word = same_word(word)
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _shorten(word[: -len(ending)] + instead)
    return _shorten(word)


def _shorten(word: str) -> str:
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def find_words(text: str) -> frozenset[str]:
    """Return the stems of a text's significant words; numbers count, stop words do not."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP and _is_plain(word))


def _is_plain(word: str) -> bool:
    """Tell whether a word is no contraction such as `isn't`."""
    return "'" not in word and "\u2019" not in word


def spell_specific(specific: str, text: str) -> str:
    """Return a specific in the text's spelling; empty if the text has only parts of it, such as another unit."""
    found = re.search(rf"(?<![^\W_]){re.escape(specific)}(?![^\W_])", text, re.IGNORECASE)
    return found[0] if found else ""


def join_words(words: Sequence[str]) -> str:
    """Join words into a list: `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
