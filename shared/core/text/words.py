"""Cut texts into words, in every script: the same way for indexing, searching and comparing.

A word is letters and digits with their marks (vowel signs of Hindi, points of Hebrew, combining accents). In scripts
without spaces, pairs of neighbouring characters count as words, as in Lucene's CJKBigramFilter.
"""

import re
import unicodedata
from itertools import pairwise

#: Combining marks of letters, up to the last script in everyday use; `\w` does not match them.
MARKS = "".join(chr(code) for code in range(0x300, 0x11000) if unicodedata.category(chr(code)).startswith("M"))
#: Thai, Lao, Myanmar, Khmer, Japanese, Chinese; and Korean, which attaches particles to words.
_UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3\u3041-\u3096\u30a1-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af"
)
#: Names and commands in Latin letters take up the rest of it.
_LEAST_UNSPACED = 0.1
_RUN = re.compile(f"[{_UNSPACED}]+")
#: An underscore separates, so that `max_retries` is found by its parts.
_WORD = re.compile(rf"[^\W_]+(?:[{MARKS}]+[^\W_]*)*")
_TYPOGRAPHY = "\u2000-\u206f\u2190-\u2426\u2500-\u2767"
_TYPOGRAPHIC = re.compile(f"[{_TYPOGRAPHY}]+")
#: The usual characters of English text outside ASCII. A text without others is simple, which is known without a look at
#: each letter.
_USUAL_SIGNS = "\u2026\u2013\u2014\u2018\u2019\u201c\u201d"
#: Anything but Latin, Cyrillic, ASCII and the usual typography: only a text with such characters needs the slow way.
_FOREIGN = re.compile(rf"[^\x00-\x7f\xc0-\xd6\xd8-\xf6\xf8-\u024f\u0400-\u0481\u048a-\u052f{_TYPOGRAPHY}]")
#: For UTF-8 bytes: ASCII other than letters and digits becomes a space. Ten times as fast as finding the words.
_BLANKED = bytes(code if code > 0x7F or chr(code).isalnum() else 0x20 for code in range(256))


def is_unspaced(word: str) -> bool:
    """Tell whether a word is of a script without spaces, where two characters mean as much as a word."""
    return _RUN.match(word) is not None


def is_mostly_unspaced(text: str) -> bool:
    """Tell whether a text is in a script without spaces; one of its characters says as much as a word."""
    return not text.isascii() and sum(map(len, _RUN.findall(text))) > _LEAST_UNSPACED * len(text)


def as_spaced(text: str) -> str:
    """Return a text in lower case, composed, with spaces between pairs of characters of scripts without spaces."""
    if text.isascii() or _FOREIGN.search(text) is None:
        return text.lower()
    return _RUN.sub(lambda run: f" {_in_pairs(run[0])} ", unicodedata.normalize("NFC", text).lower())


def cut(text: str) -> list[str]:
    """Return the words of a text in order, in lower case."""
    return _WORD.findall(as_spaced(text))


def as_indexed(text: str) -> str:
    """Return the words that `cut` finds, separated by single spaces, for an index to split."""
    for sign in _USUAL_SIGNS if not text.isascii() else "":
        text = text.replace(sign, " ")
    if not text.isascii() and _FOREIGN.search(text) is not None:
        return " ".join(cut(text))
    lower = text.lower()
    if not lower.isascii():
        lower = _TYPOGRAPHIC.sub(" ", lower)
    return lower.encode().translate(_BLANKED).decode()


def _in_pairs(run: str) -> str:
    return " ".join(map("".join, pairwise(run))) or run
