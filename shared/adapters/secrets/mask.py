"""Find keys, tokens and passwords in a text, and replace them by their kind before the text is stored.

Forms of keys are `rules.py`, what is known by the words in front of it is `told.py`. Guesses by entropy alone are left out: in
notes and transcripts they hit hashes, ids and examples far more often than secrets. The time that a scan takes grows as its
text does, whatever is written in it: a rule is tried on windows around its keywords only.
"""

import re
from collections.abc import Iterator

from shared.adapters.secrets.rules import Rule, read_keywords
from shared.adapters.secrets.told import entropy_of, find_told, is_placeholder
from shared.core.personal_data.spans import Span, find_repeats, lowered, mask_spans, without_overlaps

_LOGIN = re.compile(r"://[^\s/@{}]{1,100}:(?P<password>[^\s/@{}]{1,200})@")
#: What stands for a password in the address of an example.
_NO_PASSWORD = re.compile(
    r"(?:your|my|db)?[-_ ]?(?:password|passwd|pass|pwd|pw|secret|token|x+|\*+|\.+|\u2026)\d?|[$%<].*", re.IGNORECASE
)
_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_MAX_BLOCK_CHARS = 20_000
#: Patterns are tried on windows of this shape around a keyword, so that a hostile text costs no more than its length.
_BEFORE_CHARS, _STEP_CHARS, _AFTER_CHARS = 100, 600, 1_400
_TOKEN = re.compile(r"[\w\-.=+/]*", re.ASCII)
#: What has a form of its own is this long at least. Few words of a note are.
_MIN_CHARS = 18


def find_secrets(text: str) -> list[Span]:
    """Return the secrets of a text in their order; none overlaps another."""
    low = lowered(text)
    found = [*_find_keys(text, low), *_find_logins(text), *_find_blocks(text)]
    # What has a form of its own says better what it is than the words in front of it.
    found += [
        one for one in (Span(*told) for told in find_told(text, low)) if not any(_overlap(one, key) for key in found)
    ]
    kinds = {text[one.start : one.end]: one.kind for one in found}
    return without_overlaps([*found, *find_repeats(text, kinds)])


class SecretMask:
    """Masks secrets in a text: `[masked: AWS Access Key]`."""

    def __call__(self, text: str) -> str:
        """Return the text with secrets masked; the same object when there are none."""
        return mask_spans(text, find_secrets(text))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _find_keys(text: str, low: str) -> Iterator[Span]:
    # Few words of a text are as long as a key, and no key has a blank: most texts are done with these words.
    long = " ".join([word for word in text.split() if len(word) >= _MIN_CHARS])
    words = lowered(long)
    for keyword, rule in [pair for pair in read_keywords() if pair[0] in words] if words else ():
        if any(_find_form(long, words, rule, keyword)):
            yield from _find_form(text, low, rule, keyword)


def _find_form(text: str, low: str, rule: Rule, keyword: str) -> Iterator[Span]:
    place = 0
    while (hit := low.find(keyword, place)) >= 0:
        begin, limit = max(0, hit - _BEFORE_CHARS), min(len(text), hit + _AFTER_CHARS)
        found = list(_find_in_window(text, begin, limit, rule))
        yield from found
        # What a key was followed to its end through is not searched again, however long the key is.
        place = max(hit + _STEP_CHARS, max((one.end for one in found), default=0) - _BEFORE_CHARS)


def _find_in_window(text: str, begin: int, limit: int, rule: Rule) -> Iterator[Span]:
    for match in rule.compiled.finditer(text, begin, limit):
        start, end = match.span()
        if match.re.groups and match.end(1) - match.start(1) >= _MIN_CHARS:
            start, end = match.span(1)
        if end == limit and (rest := _TOKEN.match(text, end)):  # a window may end within a key
            end = rest.end()
        if not is_placeholder(text[start:end]) and entropy_of(text[start:end]) >= rule.entropy:
            yield Span(start, end, rule.name)


def _find_logins(text: str) -> Iterator[Span]:
    for login in _LOGIN.finditer(text) if "://" in text and "@" in text else ():
        if not _NO_PASSWORD.fullmatch(login["password"]):
            yield Span(login.start("password"), login.end("password"), "password")


def _find_blocks(text: str) -> Iterator[Span]:
    place = 0
    while block := _BLOCK.search(text, place) if "PRIVATE KEY" in text else None:
        limit = min(len(text), block.end() + _MAX_BLOCK_CHARS)
        closing = _BLOCK_END.search(text, block.end(), limit)
        place = closing.end() if closing else limit
        yield Span(block.start(), place, "private key")
