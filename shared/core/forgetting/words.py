"""Find words in a text, whatever stands between their letters: `0170 123` is `0170/123`, `SOME-Name` is `some name`.

Texts are compared by their letters and digits alone, in small letters. What is found begins and ends with a word, so that `Ada`
is not found in `Adamant`. The time grows with the length of the text, times that of the longest thing that is looked for.
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from shared.core.policy.masked import FORGOTTEN_MARK

MARK = FORGOTTEN_MARK
#: Fewer letters would be found everywhere.
MIN_LETTERS = 3
#: Languages without blanks between words: each sign counts as a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[\u0300-\u036f])*")
_CUT = re.compile(r"\u2026|\.\.\.")
#: A beginning of this many letters in front of `…` is taken for a clipped quote.
_MIN_CLIPPED = 12


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text, in characters."""

    start: int
    end: int


#: Finds what is to be forgotten in a text; places in their order, which do not overlap.
Finder = Callable[[str], list[Span]]


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in small letters: what texts are compared by."""
    return "".join(letters for _, _, letters in _words(text))


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _WORD.finditer(text):
        word = found[0]
        if word.isascii():
            yield found.start(), found.end(), word.lower()
            continue
        folded = unicodedata.normalize("NFKC", word).casefold()
        yield found.start(), found.end(), "".join(c for c in folded if c.isalnum())


class _Letters:
    """The letters of a text, and where its words begin and end among them."""

    def __init__(self, text: str) -> None:
        words = [one for one in _words(text) if one[2]]
        self.all = "".join(letters for _, _, letters in words)
        self.starts: dict[int, int] = {}  # a place among the letters: the place in the text
        self.ends: dict[int, int] = {}
        place = 0
        for start, end, letters in words:
            self.starts[place] = start
            place += len(letters)
            self.ends[place] = end


def find_where(text: str, lengths: Collection[int], is_wanted: Callable[[str], bool]) -> list[Span]:
    """Return the places of a text whose letters, as many as one of these lengths, are wanted; the longest of several."""
    letters = _Letters(text)
    found: list[Span] = []
    for length in lengths:
        for place, start in letters.starts.items():
            end = letters.ends.get(place + length)
            if end is not None and is_wanted(letters.all[place : place + length]):
                found.append(Span(start, end))
    return unite(found)


def unite(spans: Collection[Span]) -> list[Span]:
    """Return places in their order; those that overlap become one."""
    kept: list[Span] = []
    for one in sorted(spans, key=lambda span: (span.start, span.end)):
        if kept and one.start < kept[-1].end:
            kept[-1] = Span(kept[-1].start, max(one.end, kept[-1].end))
        else:
            kept.append(one)
    return kept


class Phrases:
    """Texts to be found in others, also where they are clipped: `the beginning of a sen…`."""

    def __init__(self, phrases: Collection[str]) -> None:
        self.wanted = frozenset(letters for letters in map(letters_of, phrases) if len(letters) >= MIN_LETTERS)
        self._lengths = frozenset(map(len, self.wanted))
        self._beginnings = {one[:_MIN_CLIPPED]: one for one in sorted(self.wanted) if len(one) > _MIN_CLIPPED}

    def __call__(self, text: str) -> list[Span]:
        """Return the places of a text where one of the phrases stands."""
        if not self._lengths:
            return []
        whole = find_where(text, self._lengths, self.wanted.__contains__)
        return unite([*whole, *self._find_clipped(text)])

    def _find_clipped(self, text: str) -> Iterator[Span]:
        longest = max(self._lengths)
        begin = 0
        for cut in _CUT.finditer(text) if self._beginnings else ():
            # No more is read than a phrase may be long, with a blank after each letter.
            before = text[max(begin, cut.start() - 3 * longest - 100) : cut.start()]
            letters = _Letters(before)
            for place, start in reversed(letters.starts.items()):
                said = letters.all[place:]
                phrase = self._beginnings.get(said[:_MIN_CLIPPED])
                if phrase is not None and phrase.startswith(said):
                    yield Span(cut.start() - len(before) + start, cut.start())
                    break
                if len(said) > longest:
                    break
            begin = cut.end()


@dataclass(frozen=True, slots=True)
class Tombstone:
    """The rest of a forgotten text: how many letters it had, and a salted hash of them, keyed where the installation has a key."""

    letters: int
    digest: str


def bury(salt: str, phrase: str) -> Tombstone | None:
    """Return the tombstone of a text, or None if it is too short to be looked for."""
    letters = letters_of(phrase)
    return Tombstone(len(letters), digest_of(salt, letters)) if len(letters) >= MIN_LETTERS else None


def digest_of(salt: str, letters: str) -> str:
    """Return the hash of a text's letters; without the salt of its store it cannot be compared with others."""
    return hmac.digest(salt.encode(), letters.encode(), hashlib.sha256).hex()


def derive_key(secret: str) -> bytes:
    """Return the key of tombstones that comes from a secret of the installation."""
    return hmac.digest(secret.encode(), b"slowwave tombstones", hashlib.sha256)


def seal(key: bytes, digest: str) -> str:
    """Return the keyed hash of a salted one: without the key, no guess can be tested."""
    return hmac.digest(key, digest.encode(), hashlib.sha256).hex()


class Buried:
    """Finds in new texts what was forgotten before, by its tombstones."""

    def __init__(self, salt: str, tombstones: Collection[Tombstone], keys: Collection[bytes] = ()) -> None:
        self._salt = salt
        self._keys = keys
        self._digests = frozenset(one.digest for one in tombstones)
        self._lengths = frozenset(one.letters for one in tombstones)

    def __call__(self, text: str) -> list[Span]:
        """Return the places of a text where something stands that was forgotten."""
        return find_where(text, self._lengths, self._is_buried)

    def _is_buried(self, letters: str) -> bool:
        plain = digest_of(self._salt, letters)
        return plain in self._digests or any(seal(key, plain) in self._digests for key in self._keys)


def replace_in(text: str, find: Finder, mark: str = MARK) -> str:
    """Return a text with a mark in each of the places; the same object when there are none."""
    found = find(text)
    if not found:
        return text
    kept: list[str] = []
    end = 0
    for one in found:
        kept += [text[end : one.start], mark]
        end = one.end
    return "".join([*kept, text[end:]])


@dataclass(frozen=True, slots=True)
class Anchor:
    """A part of a phrase by which a database finds the rows that may hold it.

    `squeezed` is compared with a text's ASCII letters and digits alone, `plain` with its small letters; where both are empty,
    every row may hold it.
    """

    squeezed: str = ""
    plain: str = ""


_RUN = re.compile(r"[^\W_]+")


def anchor_of(phrase: str) -> Anchor:
    """Return the anchor of a phrase: of its beginning, so that it finds clipped quotes, too."""
    run = ""
    for found in _WORD.finditer(phrase):
        if not found[0].isascii():
            if len(run) >= _MIN_CLIPPED // 2:
                break
            run = ""
            continue
        run += found[0].lower()
    if len(run) >= MIN_LETTERS:
        return Anchor(squeezed=run[:_MIN_CLIPPED])
    words = (unicodedata.normalize("NFKC", one[0]) for one in _RUN.finditer(phrase))
    return Anchor(plain=next((one.lower()[:_MIN_CLIPPED] for one in words if one.lower() == one.casefold()), ""))
