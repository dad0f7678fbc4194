"""Terms: content words, identifiers and short phrases, by which a theme that recurs in several sessions is found."""

import re

MAX_TERMS = 60
_SCANNED_CHARS = 20_000
_WORD = re.compile(r"[^\W\d_][\w]{0,60}(?:[./:-]\w{1,60}){0,6}")
_BREAK = re.compile(r"[^ \t]")
_SHORTEST_WORD = 4
_STOP_TEXT = """
about above actually after again agree against ahead almost already also although always another anything around asked
away back because been before begin behind being below better between both bring called came cannot change check code come
comes could couldn't course current does doesn't doing done don't down during each either else ensure even ever every
everything exactly explain file files find fine first follow following found from full further gave getting give given goes
going gone good great have haven't having hello here herself himself hmmm hope however idea implement indeed inside instead
into isn't itself just keep kind know last later least left less like line lines list little long look looking looks made
make makes making many maybe mean means might more most move much must need needed needs never next nice nothing okay once
only onto other others otherwise over part people perhaps place please point probably properly quite rather read really
remove request right same says seems seen sense shall should show shows simple since some someone something sometimes
soon start still stop such sure take taken tell text than thank thanks that that's their them then there there's these they
they're thing things think this those though through thus time times today tomorrow together told took tried true trying
turn under understand unless until update upon used user uses using usually very want wants wasn't ways week well went were
we're we've what what's when where whether which while whole whom whose will with within without won't work working works
would wouldn't write wrong year yeah yesterday your you're yours yourself
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())


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
        return word if len(word) >= 2 and word not in STOP_WORDS else ""
    if len(word) < _SHORTEST_WORD or word in STOP_WORDS:
        return ""
    return _singular(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 4
    return word[:-1] if is_plural else word
