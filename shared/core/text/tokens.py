"""Cut text into comparable tokens: `3.10`, `2025-04-15`, `src/app.py`, `10ms` and `don't` are one token each.

Text is processed line by line, so the tokens of two joined texts are the tokens of both: a concatenation loses none.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from shared.core.text.same_values import (
    full_name,
    is_number_word,
    read_clock,
    same_number,
    same_word,
    scale_of,
    tidy_values,
)
from shared.languages.language_file import read_readings


class TokenKind(StrEnum):
    """The kind of a token by its form."""

    WORD = "word"
    NUMBER = "number"
    DATE = "date"
    VERSION = "version"
    REFERENCE = "reference"  # a path, a URL, an e-mail address
    IDENTIFIER = "identifier"  # a name from code, or a word with digits in it


class Token(NamedTuple):
    """`text` is compared, `raw` is the original spelling; `start` and `end` are offsets in the tidied text.

    A tuple, because every word of a text is one: a frozen dataclass takes three times as long to create.
    """

    text: str
    raw: str
    kind: TokenKind
    start: int
    end: int


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH_NUMBER = {name: number for number, name in enumerate(_MONTHS.split(), start=1)}
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_MONTH_DAY_YEAR = re.compile(rf"\b{_MONTH}[ ]+(\d{{1,2}})(?:[a-z]{{2}})?,?[ ]+(\d{{4}})\b", re.IGNORECASE)
_DAY_MONTH_YEAR = re.compile(rf"\b(\d{{1,2}})(?:[a-z]{{2}})?[ ]+(?:of[ ]+)?{_MONTH},?[ ]+(\d{{4}})\b", re.IGNORECASE)
_SLASHED_DATE = re.compile(r"(?<![\w/.])(\d{4})/(\d{2})/(\d{2})(?![\w/])")
#: `4,000` and `4_000` are 4000.
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}([,_])\d{3}(?:\1\d{3})*(?!\w|[,_]\d)")
_SAME_SIGNS = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2013": "-"}
_SIGN = re.compile(f"[{''.join(_SAME_SIGNS)}]")
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060-\u2069\ufeff\xad]")

_UNIT_OF = {spelling: row[0] for one in read_readings() for row in one.units for spelling in row}
_UNIT_GAPS = ("", " ", "-")
_NUMBER_KINDS = frozenset({TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION})
_RANGE = re.compile(r"\d{1,4}-\d{1,4}")
_DIGIT = re.compile(r"\d")
_DIGITS = frozenset("0123456789")
_ONES = frozenset("123456789")
_MOST_SCALED_DIGITS = 6

#: Lookbehinds and bounded counts keep the search linear on hostile texts: a run is only tried from its beginning.
_TOKEN = re.compile(
    r"""
      (?P<plain>[a-z]{1,40}(?=[\s,;!?)\]"*`]|\.?$|\.\s))
    | (?P<url>(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,20}://
        (?:(?![,;:!?][\u3041-\u9fff])[^\s<>"'`|()\[\]{}\u3001-\u3020])+)
    | (?P<mail>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,9})
    | (?P<date>\d{4}-\d{2}-\d{2}(?!\d))
    | (?P<path>(?<![\w.@+~-])(?:(?:~|\.{1,2})?/)?[\w.@+-]{1,255}(?:/[\w.@+*-]+)+|(?<![\w.~/])(?:~|\.{1,2})?/[\w.@+-]+)
    | (?P<time>T?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z\b|[+-]\d{2}:?\d{2})?)
    | (?P<version>[vV]\d+(?:\.\d+)*(?:[-+.]?\w+)*|\d+(?:\.\d+){2,}(?:[-+.]?\w+)*|\d+\.\d+(?:[-+.]?[A-Za-z]+\.?\d+)+)
    | (?P<number>[$\u20ac\xa3#]?\d+(?:[.,]\d+)*(?:[-/:x]\d+(?:\.\d+)*)*(?:\ ?%|\w+)?)
    | (?P<flag>(?<![\w-])--?[A-Za-z]\w*(?:-\w+)*)
    | (?P<word>(?:(?<!\w)\.(?=[a-z]))?\w+(?:(?:\.|::|->|-|'|:(?=\d))\w+)*)
    """,
    re.VERBOSE,
)
#: For groups that are one token unchanged: the kind, and the leading signs that do not count.
_SIMPLE = {
    "date": (TokenKind.DATE, ""),
    "time": (TokenKind.NUMBER, "T"),
    "version": (TokenKind.VERSION, "vV"),
    "number": (TokenKind.NUMBER, "#"),
    "flag": (TokenKind.IDENTIFIER, "-"),
}
_CASE_CHANGE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_PLAIN_SLASH = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)")
_IDEOGRAPHS = r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"
_IDEOGRAPH = re.compile(_IDEOGRAPHS)
#: Words without a space before or after a path or an address.
_WORD_BEFORE, _WORD_BEHIND = (
    re.compile(rf"{_IDEOGRAPHS}+(?=[A-Za-z0-9~.])"),
    re.compile(rf"(?<=[A-Za-z0-9]){_IDEOGRAPHS}+\Z"),
)
_URL_IN_WORDS = re.compile(rf"(?<={_IDEOGRAPHS})(?=[A-Za-z][A-Za-z0-9+.-]{{0,20}}://)")
_BETWEEN_SLASHES, _BETWEEN_JOINTS = re.compile(r"[^/]+"), re.compile(r"[^\-.:]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_OF_ONE_SCRIPT = re.compile(
    r"[A-Za-z\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f_.-]*[A-Za-z0-9\u00c0-\u024f])?"
    r"|(?P<date>\d{4}-\d{2}-\d{2}(?!\d))|\d+(?:\.\d+)*|[^\W\dA-Za-z\u00c0-\u024f]+"
)


def tidy(text: str) -> str:
    """Return the text with one spelling for quotes, dashes, thousands, prices and dates that name a month and a year.

    A URL right behind words without spaces gets a space before it.
    """
    if not text.isascii():
        text = _SIGN.sub(lambda found: _SAME_SIGNS[found[0]], unicodedata.normalize("NFKC", text))
        text = _URL_IN_WORDS.sub(" ", _INVISIBLE.sub("", text))
    if _DIGIT.search(text) is None:
        return text
    text = tidy_values(text)
    text = _MONTH_DAY_YEAR.sub(lambda found: _iso(found[3], found[1], found[2]), text)
    text = _DAY_MONTH_YEAR.sub(lambda found: _iso(found[3], found[2], found[1]), text)
    return ungroup(_SLASHED_DATE.sub(r"\1-\2-\3", text))


def ungroup(text: str) -> str:
    """Return a text with its large numbers written without marks between their thousands."""
    return _GROUPED.sub(lambda found: found[0].replace(found[1], ""), text)


def list_numbers(tokens: Iterable[Token]) -> frozenset[str]:
    """Return the numbers, dates and versions among tokens."""
    return frozenset(token.text for token in tokens if token.kind in _NUMBER_KINDS)


def spread_ranges(numbers: Iterable[str]) -> frozenset[str]:
    """Return numbers with both ends of a range in its place: of `8-12`, `8` and `12`."""
    return frozenset(
        end for number in numbers for end in (number.split("-") if _RANGE.fullmatch(number) else (number,))
    )


def find_tokens(tidied: str) -> list[Token]:
    """Return the tokens of one line that went through `tidy`, in order."""
    found: list[Token] = []
    has_number = False
    for match in _TOKEN.finditer(tidied):
        name, raw = str(match.lastgroup), match[0]
        # Most words, plain or with a capital, need no further decision.
        if name == "plain" and same_word(raw) == raw:
            found.append(Token(raw, raw, TokenKind.WORD, *match.span()))
        elif name == "plain" or (name == "word" and raw.isalpha() and raw.istitle() and not _IDEOGRAPH.search(raw)):
            token = _word(raw, match.start(), is_name=name != "plain" and not _goes_on_small(tidied, match.end()))
            has_number = has_number or token.text[0] in _DIGITS
            found.append(token)
        else:
            for token in _tokens_of(name, raw, match.start()):
                has_number = has_number or token.kind is TokenKind.NUMBER or token.text[0] in _DIGITS
                found.append(token)
    return list(_join_numbers(tidied, found)) if has_number else found


def spell_alike(text: str) -> str:
    """Return a text's tokens in the compared spelling, to measure the similarity of two short texts."""
    return " ".join(token.text for line in tidy(text).splitlines() for token in find_tokens(line))


def _word(raw: str, start: int, *, is_name: bool = False) -> Token:
    """Return the token of a plain word; number words are numbers, except in a name: `Seven Bridges`."""
    small = full_name(raw).casefold()
    text = same_word(small)
    kind = TokenKind.WORD
    if text is not small and text[0] in _DIGITS:
        if is_name:
            text = small
        elif is_number_word(small):
            kind = TokenKind.NUMBER
    return Token(text, raw, kind, start, start + len(raw))


def _goes_on_small(tidied: str, end: int) -> bool:
    """Tell whether a word with a capital begins a sentence, not a name: the next word begins with a small letter."""
    return tidied[end : end + 1] in (" ", "-") and tidied[end + 1 : end + 2].islower()


def _tokens_of(name: str, raw: str, start: int) -> Iterator[Token]:
    if name in ("url", "mail", "path"):
        before, behind = _WORD_BEFORE.match(raw), _WORD_BEHIND.search(raw)
        if before or behind:
            first, last = before.end() if before else 0, behind.start() if behind else len(raw)
            yield from [_word(before[0], start)] if before else ()
            yield from _tokens_of(name, raw[first:last], start + first)
            yield from [_word(behind[0], start + last)] if behind else ()
            return
        kept = raw.rstrip(".,;:!?*_~-/")
        if name == "path" and _PLAIN_SLASH.fullmatch(kept):  # either/or, Redis/Valkey: words, not a path
            yield from _pieces(kept, start, _BETWEEN_SLASHES)
        elif kept:
            yield _token(kept, TokenKind.REFERENCE, start)
    elif name == "word":
        yield from _word_tokens(raw, start)
    else:
        kind, prefix = _SIMPLE[name]
        # `v3.10` is `3.10`, but `v2` is more than the number 2.
        text = raw if name == "version" and "." not in raw else (raw.lstrip(prefix) if prefix else raw).replace(" ", "")
        yield _token(raw, kind, start, text)


def _word_tokens(raw: str, start: int) -> Iterator[Token]:
    bare = raw.strip("_")  # emphasis, or a dunder: both sides of a comparison drop the underscores
    if not bare:
        return
    start += raw.index(bare)
    if bare.endswith(("'s", "'S")):
        bare = bare[:-2]
    has_digit = any(map(str.isdigit, bare))
    if "-" in bare and same_word(bare.casefold()) != bare.casefold():
        yield _token(bare, TokenKind.WORD, start, same_word(bare.casefold()))
    elif _IDEOGRAPH.search(bare) and (has_digit or _LATIN.search(bare)):
        yield from _mixed(bare, start)
    elif has_digit or "_" in bare or "::" in bare or "->" in bare or _is_dotted(bare) or _CASE_CHANGE.search(bare):
        is_plural = bare.endswith("s") and bare[:-1].isupper()
        kind = TokenKind.WORD if is_plural else TokenKind.IDENTIFIER
        yield _token(bare[:-1] if is_plural else bare, kind, start)
    else:
        yield from _pieces(bare, start, _BETWEEN_JOINTS)


def _mixed(raw: str, start: int) -> Iterator[Token]:
    """Return the tokens where a script without spaces writes names and numbers into its words: `URL` of `URL\u3092`."""
    for piece in _OF_ONE_SCRIPT.finditer(raw):
        at = start + piece.start()
        if piece[0][0].isdigit():
            yield _token(piece[0], TokenKind.DATE if piece["date"] else TokenKind.NUMBER, at)
        elif _LATIN.match(piece[0]):
            yield from _word_tokens(piece[0], at)
        else:
            yield _word(piece[0], at)


def _pieces(raw: str, start: int, pattern: re.Pattern[str]) -> Iterator[Token]:
    for piece in pattern.finditer(raw):
        word = piece[0][:-1] if len(piece[0]) > 2 and piece[0].endswith("s") and piece[0][:-1].isupper() else piece[0]
        at = start + piece.start()
        yield _token(word, TokenKind.NUMBER, at) if word[0].isdigit() else _word(word, at, is_name=word.istitle())


def _join_numbers(tidied: str, tokens: list[Token]) -> Iterator[Token]:
    """Join a number and its unit into one token: `10 ms`, `10ms` and `10 milliseconds` are the same."""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind is not TokenKind.NUMBER and token.text[0] not in _DIGITS:
            yield token
            index += 1
            continue
        token = _with_attached(token)
        while index + 1 < len(tokens) and (joined := _join(tidied, token, tokens[index + 1])) is not None:
            token, index = joined, index + 1
        yield token
        index += 1


def _with_attached(token: Token) -> Token:
    """Return a number with its unit in one spelling: `10sec`, `8pm`, `10k`, `14h30`, `3rd`."""
    if token.kind is not TokenKind.NUMBER or token.text.isdigit():
        return token
    digits = token.text.rstrip("abcdefghijklmnopqrstuvwxyz%")
    attached = token.text[len(digits) :]
    text = digits + _UNIT_OF[attached] if attached in _UNIT_OF else read_clock(digits, attached)
    if text is None and token.raw.islower():
        text = same_number(token.text)
    return token if text in {None, token.text} else _token(token.raw, TokenKind.NUMBER, token.start, text)


def _join(tidied: str, token: Token, after: Token) -> Token | None:
    """Return one token for a number and the word after it, or None if the word does not belong to it."""
    is_number = token.kind is TokenKind.NUMBER or token.text.isdecimal()
    if not is_number or tidied[token.end : after.start] not in _UNIT_GAPS:
        return None
    is_bare = token.raw[-1] in _DIGITS or token.raw.isalpha()  # no word belongs to it yet
    text = read_clock(token.text, after.text) if is_bare else None
    if text is None and token.text[-1] in _DIGITS:
        unit, scale = _UNIT_OF.get(after.text), scale_of(after.text)
        if unit:
            text = token.text + unit
        elif scale and token.text.isdecimal() and len(token.text) <= _MOST_SCALED_DIGITS:
            text = str(int(token.text) * scale)
        elif _are_tens_and_ones(token, after):
            text = str(int(token.text) + int(after.text))
    raw = tidied[token.start : after.end]
    return None if text is None else _token(raw, TokenKind.NUMBER, token.start, text)


def _are_tens_and_ones(token: Token, after: Token) -> bool:
    """Tell whether two number words are one number: `twenty-five`."""
    is_tens = token.raw.isalpha() and len(token.text) == 2 and token.text[1] == "0" and token.text != "10"
    return is_tens and after.raw.isalpha() and after.text in _ONES


def _token(raw: str, kind: TokenKind, start: int, text: str | None = None) -> Token:
    return Token((raw if text is None else text).casefold(), raw, kind, start, start + len(raw))


def _is_dotted(word: str) -> bool:
    """Tell `os.path` from `e.g`: at least one part is a word."""
    return "." in word and any(len(part) > 1 for part in word.split("."))


def _iso(year: str, month: str, day: str) -> str:
    return f"{year}-{_MONTH_NUMBER[month[:3].lower()]:02d}-{int(day):02d}"
