"""The language of a text, recognised by its most frequent words, with the patterns of its cues; its data is in `shared/languages`."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from shared.core.sessions.languages.language import Language, make_language
from shared.languages.language_file import read_heads, read_language

_WORD = re.compile(r"[^\W\d_]{1,20}")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_OF_KANA, _OF_HAN = "ja", "zh"
#: This many characters are enough to detect the language.
_LOOKED_AT = 2_000
#: A text in Chinese or Japanese may hold names and commands in Latin letters: one character says as much as a word.
_LEAST_HAN = 0.1


def find_language(text: str) -> Language:
    """Return the language that a text is written in, by its most frequent words; English when nothing tells."""
    return _load(_decide_code(text[:_LOOKED_AT]))


def _decide_code(head: str) -> str:
    kana = _KANA.findall(head)
    if len(_HAN.findall(head)) + len(kana) > _LEAST_HAN * len(head):
        return _OF_KANA if kana else _OF_HAN
    counts, codes = dict.fromkeys(read_heads(), 0), _codes_by_word()
    for word in _WORD.findall(head.lower()):
        for code in codes.get(word, ()):
            counts[code] += 1
    return max(counts, key=lambda code: counts[code])


@cache
def _codes_by_word() -> Mapping[str, Sequence[str]]:
    codes: dict[str, list[str]] = {}
    for code, head in read_heads().items():
        for word in head.words:
            codes.setdefault(word, []).append(code)
    return codes


@cache
def _load(code: str) -> Language:
    """Return a language; its patterns are compiled when a text first is in it."""
    return make_language(code, read_language(code))
