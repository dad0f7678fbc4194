"""Terms: content words, identifiers and short phrases, by which a theme that recurs in several sessions is found."""

import re

from shared.core.text.wording import singular_of
from shared.languages.language_file import every_word

MAX_TERMS = 60
_SCANNED_CHARS = 20_000
_WORD = re.compile(r"[^\W\d_][\w]{0,60}(?:[./:-]\w{1,60}){0,6}")
_BREAK = re.compile(r"[^ \t]")
_SHORTEST_WORD = 4
_COMMON = every_word("common")


def find_terms(text: str) -> tuple[str, ...]:
    """Return up to 60 distinct terms in order of appearance: words, identifiers, and pairs of neighbouring words.

    Words are lower case and without a plural's end; identifiers, paths and names such as `user_id`, `api/auth.md` or
    `goreleaser` count from three characters on. The first 20,000 characters are looked at.
    """
    head = text[:_SCANNED_CHARS].replace("\u2019", "'")
    terms: dict[str, None] = {}
    before, end = "", 0
    for word in _WORD.finditer(head):
        term = _normal(word[0])
        is_next = _BREAK.search(head, end, word.start()) is None
        if term and before and is_next:
            terms[f"{before} {term}"] = None
        if term:
            terms[term] = None
        before, end = term, word.end()
        if len(terms) >= MAX_TERMS:
            break
    return tuple(terms)[:MAX_TERMS]


def _normal(raw: str) -> str:
    word = raw.lower()
    is_identifier = any(mark in raw for mark in "_./:-") or (raw[1:] != raw[1:].lower() and raw[1:] != raw[1:].upper())
    is_acronym = len(raw) >= 2 and raw.isupper()
    if is_identifier or is_acronym:
        return word if len(word) >= 2 and word not in _COMMON else ""
    if len(word) < _SHORTEST_WORD or word in _COMMON:
        return ""
    return singular_of(word)
