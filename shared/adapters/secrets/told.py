"""Secrets that have no form of their own and are known by what is said of them: `DB_PASSWORD=…`, "the password is …", "PIN 4711".

A value counts only if no word and no name of a program would look like it. "password: ask Nadia", "token: null" and
"api_key=os.environ[…]" are ordinary notes, and so is a token's hash, id or type.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from shared.languages.language_file import every_word, pattern_of

#: What programs and their settings call a secret, in small letters; people's names for one are in `shared/languages`.
_NAMES = ("passw", "passphrase", "pwd", "secret", "token", "credential", "key", "connection string")
#: What stands in front of a key that is a secret. A primary key is none, and neither is the key of a song.
_OF_KEYS = (
    "api",
    "access",
    "account",
    "private",
    "signing",
    "encryption",
    "auth",
    "subscription",
    "secret",
    "master",
    "shared",
)
_REST = r"[\w-]{0,24}"
#: Names such as `token_hash` and `secret_id` name no secret.
_NO_SECRET = re.compile(
    r"hash|sha\d|digest|checksum|id$|ids$|limit|name|url|uri|path|file|type|count|len|size|version|policy|arn$",
    re.IGNORECASE,
)
_OPENING = r"[\s\"'`*\]]{0,4}"
_ASSIGNED = re.compile(
    rf"(?P<rest>{_REST}){_OPENING}(?::=|=>|:|=(?!=)|\bis\b|\bwas\b){_OPENING}(?P<value>[\w\-+/=.~]{{16,200}})", re.ASCII
)
_BEARER = re.compile(r"bearer\s{1,3}(?P<value>[\w\-+/=.~]{16,2000})", re.ASCII | re.IGNORECASE)
_BASIC = re.compile(r"basic\s{1,3}(?P<value>[A-Za-z0-9+/]{16,2000}={0,2})", re.IGNORECASE)
_HEADERS = (("bearer", _BEARER, "bearer token"), ("basic", _BASIC, "basic login"))
_PLACEHOLDER = re.compile(
    r"example|placeholder|redacted|changeme|change_me|dummy|your|xxxx|\.\.\.|\u2026|1234567890abcdef", re.IGNORECASE
)
_HASH_OR_ID = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-HJKMNP-TV-Z]{26}|(?:[a-z]{2,6}_)[0-9A-HJKMNP-TV-Z]{26}",
    re.IGNORECASE,
)
#: Names of programs and what is reached through points or slashes: `config.auth.token2`, `~/.ssh/id2`, `MY_TOKEN_2`.
_IDENTIFIER = re.compile(
    r"[A-Za-z_][a-z0-9_]*(?:[./][A-Za-z_][\w-]*)+|[A-Z0-9]+(?:_[A-Z0-9]+)+|[a-z0-9]+(?:[_-][a-z0-9]{1,12})+|[~.]{0,2}/.+"
)
#: What a password is said to be without being told: how it is kept or how long it is.
_TECHNICAL = re.compile(
    r"(?:1password|(?:sha|md|argon|bcrypt|scrypt|pbkdf|oauth|utf|base|aes|rs|hs|es|v|http|ipv|x)-?\d|\d+\W?\w{0,6}$|\w+@\w+\.\w|\w+://|[$%<{\[(])",
    re.IGNORECASE,
)


def entropy_of(text: str) -> float:
    """Return the bits a sign of a text, by how often each sign occurs in it."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


def is_placeholder(secret: str) -> bool:
    """Tell whether a text in the form of a secret stands for one: `AKIA…EXAMPLE`, `ghp_xxxxxxxx`."""
    return _PLACEHOLDER.search(secret) is not None


def find_told(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    """Yield the begin, the end and the kind of secrets that the words in front of them tell; `low` is the text in small letters."""
    if not any(map(low.__contains__, _stems(is_ascii=text.isascii()))):
        return
    yield from _find_assigned(text, low)
    yield from _find_headers(text, low)
    for said in _said():
        yield from said.find(text, low)


def _find_assigned(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    for name in [one for one in _NAMES if one in low]:
        for place in _places(low, name):
            if name == "key" and not low[max(0, place - 16) : place].rstrip("_- ").endswith(_OF_KEYS):
                continue
            hit = _ASSIGNED.match(text, place + len(name))
            if hit and not _NO_SECRET.search(hit["rest"]) and _is_random(hit["value"].rstrip(".")):
                kind = "key" if name == "key" else "password" if name.startswith("p") else "secret"
                yield hit.start("value"), hit.start("value") + len(hit["value"].rstrip(".")), kind


def _find_headers(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    for word, pattern, kind in _HEADERS:
        for place in _places(low, word):
            hit = pattern.match(text, place)
            if hit and _is_random(hit["value"].rstrip(".")):
                yield hit.start("value"), hit.start("value") + len(hit["value"].rstrip(".")), kind


def _places(low: str, name: str) -> Iterator[int]:
    place = low.find(name)
    while place >= 0:
        yield place
        place = low.find(name, place + len(name))


def _is_random(value: str) -> bool:
    if not (any(c.isdigit() for c in value) and any(c.isalpha() for c in value)) or is_placeholder(value):
        return False
    return not (_HASH_OR_ID.fullmatch(value) or _IDENTIFIER.fullmatch(value)) and entropy_of(value) >= 3.0


class _Said:
    """A secret that people tell in a sentence: its names, the words between name and value, and what counts as a value."""

    def __init__(self, kind: str, value: str) -> None:
        self._kind, self.names = kind, sorted(every_word("pins" if kind == "PIN" else "passwords"))
        by = rf"[ \t]{{0,2}}(?::=|=>|:|=(?!=)|\uff1a)|[ \t]{{0,2}}{pattern_of('tells').pattern}:?"
        self._pattern = re.compile(
            rf"(?:(?P<gap>[^\n.:;=]{{0,50}}?)(?P<by>{by})|(?=[ \t]))[\s\"'`*]{{0,4}}{value}", re.IGNORECASE
        )

    def find(self, text: str, low: str) -> Iterator[tuple[int, int, str]]:
        for name in [one for one in self.names if one in low]:
            for place in _places(low, name):
                hit = None if low[max(0, place - 1) : place].isalpha() else self._pattern.match(text, place + len(name))
                value = hit["value"].rstrip(".?:") if hit else ""
                if hit and self._counts(value, text[place : hit.end("by")], hit["gap"], hit["by"]):
                    yield hit.start("value"), hit.start("value") + len(value), self._kind

    def _counts(self, value: str, named: str, gap: str | None, by: str | None) -> bool:
        if gap and _NO_SECRET.match(gap.strip(" _-\"'`*")):  # "password policy", but "password of the file server"
            return False
        if self._kind == "PIN":  # a version is pinned, too: `pin: 2024`
            return not named[:3].islower() or (by is not None and by.strip().isalpha())
        return by is not None and _is_password(value)


def _is_password(value: str) -> bool:
    has_letter, has_more = any(c.isalpha() for c in value), any(c.isdigit() or c in "!@#$%^&+?~" for c in value)
    is_ordinary = (
        _TECHNICAL.match(value) or _IDENTIFIER.fullmatch(value) or _HASH_OR_ID.fullmatch(value) or "/" in value
    )
    return has_letter and has_more and not is_ordinary and not is_placeholder(value)


@cache
def _said() -> tuple[_Said, ...]:
    return _Said("password", r"(?P<value>[^\s\\\"'`*<>,;()\[\]{}|]{6,64})"), _Said(
        "PIN", r"(?P<value>[0-9]{4,8})(?![\w.-]?[0-9])"
    )


@cache
def _stems(*, is_ascii: bool) -> tuple[str, ...]:
    """Return words of which each text that tells a secret holds one: most texts hold none, and are done with these."""
    names = {*_NAMES, *(word for word, _, _ in _HEADERS), *(name for said in _said() for name in said.names)}
    able = [one for one in names if one.isascii() or not is_ascii]
    return tuple(one for one in able if not any(other != one and other in one for other in able))
