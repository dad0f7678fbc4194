"""Needles: statements that a text must still make. A needle is found word for word, or by its facts beside its subject.

The facts are what a rewrite may not change: numbers, names, code. A text makes the statement if one of its lines, read with the
title and the headings above it, has every fact and half of the subject's words. A number beside another subject does not count, nor
does a line that denies nothing for a statement that does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from shared.core.memory.frontmatter import body_of
from shared.core.memory.headline import title_of
from shared.core.memory.links import without_bare_paths
from shared.core.memory.provenance import without_sources
from shared.core.merging.specifics import find_specifics
from shared.core.sessions.statement_text import current_of
from shared.core.text.similarity import significant_words
from shared.core.text.words import cut
from shared.languages.function_words import NEGATIONS

QUERY_WORDS = 12
_SUBJECT_WORDS = 6
#: Numbers, dates and amounts, which the coverage rule checks in merges.
_STARTS_AS_AMOUNT = re.compile(r"[\W\d]")
_HEADING = re.compile(r"(#{1,6})[ \t]+\S")
#: A quote without facts is said by a line that has this part of its words.
_MOST = 0.8
#: A shorter quote stands in texts that say something else.
_FEWEST_QUOTED = 3
#: Words that deny; `isn't` is cut into two words, of which the second one is always the same.
_DENYING = NEGATIONS | {"t"}
#: Of the superseded or the archived: so much of a needle's subject in one line makes it about the same thing.
_ABOUT = 0.75


@dataclass(frozen=True, slots=True)
class Needle:
    """A statement to find.

    Attributes:
        quote: the statement as it was written, for people.
        fact: words that must all stand in one line; none if the statement has no fact.
        subject: further words of the statement, of which half must stand beside the fact.
    """

    quote: str
    fact: tuple[str, ...]
    subject: tuple[str, ...]


def needle_of(quote: str, fact: Sequence[str] = (), subject: Sequence[str] = ()) -> Needle:
    """Return the needle of a quote; without a fact given, its numbers, names and code are the fact."""
    quote = " ".join(quote.split())
    words = tuple(dict.fromkeys(cut(quote)))
    if not fact:
        told = {word for one in find_specifics(quote) for word in cut(one)}
        fact = tuple(word for word in words if word in told)
    if not subject:
        subject = tuple(word for word in cut(" ".join(significant_words(quote, QUERY_WORDS))) if word not in fact)
    return Needle(quote=quote, fact=tuple(fact), subject=tuple(dict.fromkeys(subject)))


def find_pairs(text: str, title: str, *, with_amounts: bool = False) -> Iterator[tuple[str, Needle]]:
    """Yield the specifics of a text, the longest first, each as the needle of its line.

    The subject is the other words of the line. A line without other words is about the title. Lines that only name a file say nothing.
    Numbers, dates and amounts are left out unless they are asked for.
    """
    text = without_bare_paths(text)
    lines = [(frozenset(cut(line)), line) for line in text.splitlines() if line.strip()]
    holding: dict[str, list[int]] = {}
    for number, (words, _) in enumerate(lines):
        for word in words:
            holding.setdefault(word, []).append(number)
    subject_words = cache(_subject_words)
    terms = (one for one in find_specifics(text) if with_amounts or not _STARTS_AS_AMOUNT.match(one))
    for term in sorted(terms, key=lambda one: (-len(one), one)):
        fact = tuple(dict.fromkeys(cut(term)))
        # A search cannot find a spelling that only the normal form has, such as an ISO date.
        if fact and holding.keys() >= set(fact):
            rarest = min((holding[word] for word in fact), key=len)
            line = next((lines[number][1] for number in rarest if lines[number][0].issuperset(fact)), "")
            subject = _without(subject_words(line), fact) or _without(subject_words(title), fact)
            yield term, Needle(line.strip(), fact, subject)


def _subject_words(line: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cut(" ".join(significant_words(line, QUERY_WORDS)))))


def _without(words: Sequence[str], fact: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in fact)[:_SUBJECT_WORDS]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """A text as readers take it in: its words in one string, and the words of each line with those of its headings."""

    flat: str
    lines: tuple[frozenset[str], ...]
    superseded: tuple[frozenset[str], ...]


def read_lines(path: str, content: str, limit: int) -> ReadLines:
    """Return the first `limit` characters of a memory's body, without its sources, as lines to look for needles in."""
    body = body_of(without_sources(content))
    current = current_of(body)
    above = cut(f"{path} {title_of(path, content)}")
    return ReadLines(
        flat=f" {' '.join(cut(current[:limit]))} ",
        lines=tuple(_read(current[:limit], above)),
        superseded=tuple(frozenset(cut(line)) for line in body[len(current) : max(limit, len(current))].splitlines()),
    )


def _read(text: str, above: Sequence[str]) -> Iterator[frozenset[str]]:
    headings: list[tuple[int, frozenset[str]]] = []
    outer = frozenset(above)
    for line in text.splitlines():
        words = frozenset(cut(line))
        if not words:
            continue
        heading = _HEADING.match(line)
        if heading:
            level = len(heading[1])
            headings = [*(one for one in headings if one[0] < level), (level, words)]
            outer = frozenset(above).union(*(one for _, one in headings))
        yield words | outer


def says(text: ReadLines, needle: Needle) -> bool:
    """Tell whether a text makes the statement now; what it only says as superseded does not count."""
    quoted = cut(needle.quote)
    if len(quoted) >= _FEWEST_QUOTED and f" {' '.join(quoted)} " in text.flat:
        return True
    lines = (line for line in text.lines if _denies(line)) if _denies(quoted) else iter(text.lines)
    if not needle.fact:
        least = _MOST * len(needle.subject)
        return bool(needle.subject) and any(len(line.intersection(needle.subject)) >= least for line in lines)
    return any(
        line.issuperset(needle.fact) and 2 * len(line.intersection(needle.subject)) >= len(needle.subject)
        for line in lines
    )


def comes_close(line: str, needle: Needle) -> bool:
    """Tell whether a line has half of the words of a needle, all of its facts, and denies as it does."""
    words, told = frozenset(cut(line)), frozenset((*needle.fact, *needle.subject))
    return (
        words.issuperset(needle.fact)
        and 2 * len(words & told) >= len(told) > 0
        and _denies(words) == _denies(cut(needle.quote))
    )


def _denies(words: Iterable[str]) -> bool:
    return not _DENYING.isdisjoint(words)


def says_as_superseded(text: ReadLines, needle: Needle) -> bool:
    """Tell whether a text only says something superseded about the needle's subject."""
    least = _ABOUT * len(needle.subject)
    about = (line for line in islice(text.superseded, 1, None) if len(line.intersection(needle.subject)) >= least)
    return len(needle.subject) >= 2 and any(True for _ in about)
