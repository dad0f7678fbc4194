"""Probes: questions with the statement that answers them, drawn from a store before it dreams.

Four kinds, which are reported apart, because they err differently. *pair* knows what was written, not what is asked. *said* knows what
was asked in sessions. *asked* knows what agents searched for, and what they then read. *own* is what the owner wants to be found.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, pairwise

from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.needles import QUERY_WORDS, Needle, find_pairs, needle_of
from shared.core.memory.headline import title_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import MemoryKind
from shared.core.memory.provenance import without_sources
from shared.core.reading.placed import Form, read_placed
from shared.core.sessions.cues import is_transient
from shared.core.text.similarity import significant_words
from shared.core.text.words import cut

#: Pairs of one memory: more would let a long file decide.
_PAIRS_PER_TEXT = 8
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_MAX_QUESTION_CHARS = 400
_PARTS = 3  # of the ages and of the lengths, for an even draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One question and its answer.

    Attributes:
        key: of 16 hexadecimal digits, the same for the same question and answer in every draw.
        query: what is asked, for people.
        words: what is searched for.
        cluster: the memory or the session that it was drawn from; probes of one are not independent.
    """

    key: str
    kind: ProbeKind
    query: str
    words: tuple[str, ...]
    needle: Needle
    cluster: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The words of one side in a session."""

    session: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenText:
    """A live memory to draw pairs from."""

    path: str
    content: str
    at: datetime


def make_probe(kind: ProbeKind, query: str, needle: Needle, cluster: str) -> Probe | None:
    """Return a probe; None if nothing can be searched for, or the needle cannot be told from any other text."""
    words = significant_words(query, QUERY_WORDS)
    if not words or not (needle.fact or len(needle.subject) >= _PARTS):
        return None
    told = "\n".join((kind, *words, "", *needle.fact, "", *needle.subject))
    key = hashlib.sha256(told.encode()).hexdigest()[:16]
    return Probe(key=key, kind=kind, query=query, words=words, needle=needle, cluster=cluster)


def draw_pairs(texts: Sequence[WrittenText], limit: int, most_read: int | None = None) -> tuple[Probe, ...]:
    """Return at most `limit` probes of what a store says, spread over its old and new, short and long texts.

    At most `most_read` texts are read for them. The draw depends on nothing but the texts, so that a store that has not changed is
    asked the same.
    """
    topics = [one for one in texts if kind_of_text(one.path, one.content) is MemoryKind.TOPIC]
    strata: dict[tuple[int, int], list[WrittenText]] = defaultdict(list)
    ages = _thirds([(one.at.timestamp(), one.path) for one in topics])
    sizes = _thirds([(float(len(one.content)), one.path) for one in topics])
    for one in topics:
        strata[ages[one.path], sizes[one.path]].append(one)
    most = None if most_read is None or not strata else most_read // len(strata)
    drawn = [_pairs_of_all(strata[key], most) for key in sorted(strata)]
    return tuple(islice(_in_turn(drawn), limit))


def _thirds(values: Sequence[tuple[float, str]]) -> dict[str, int]:
    ordered = sorted(values)
    return {path: _PARTS * place // len(ordered) for place, (_, path) in enumerate(ordered)}


def _pairs_of_all(texts: Sequence[WrittenText], most: int | None) -> Iterator[Probe]:
    """Yield the probes of these texts, of so many at most: each text gives one before any gives a second one."""
    ordered = sorted(texts, key=lambda one: hashlib.sha256(one.path.encode()).digest())[:most]
    return _in_turn([islice(_pairs_of(one), _PAIRS_PER_TEXT) for one in ordered])


def _pairs_of(text: WrittenText) -> Iterator[Probe]:
    content = without_sources(text.content)
    title = title_of(text.path, content)
    # By statements, not lines: a line may end in the middle of a sentence. What the frontmatter says is upkept by dreams.
    said = "\n".join(one.text for one in read_placed(content) if one.form is not Form.FIELD)
    seen: set[str] = set()
    for _, needle in find_pairs(said, title, with_amounts=True):
        query = f"{title}: {' '.join(needle.subject)}"
        probe = make_probe(ProbeKind.PAIR, query, needle, text.path) if query not in seen else None
        seen.add(query)
        if probe is not None:
            yield probe


def _in_turn(drawn: Sequence[Iterable[Probe]]) -> Iterator[Probe]:
    """Yield one of each, then another of each; no text is read before it is its turn."""
    left = [iter(one) for one in drawn]
    while left:
        going: list[Iterator[Probe]] = []
        for one in left:
            for probe in islice(one, 1):
                going.append(one)
                yield probe
        left = going


def draw_said(turns: Sequence[Turn], limit: int) -> tuple[Probe, ...]:
    """Return probes of what was asked in sessions: a question, and what the other side answered next.

    A request ("Can you …?") is no question: what the other side then says tells that it was done, and is nothing to remember.
    """
    return tuple(islice(_find_said(turns), limit))


def _find_said(turns: Sequence[Turn]) -> Iterator[Probe]:
    for asked, answer in pairwise(turns):
        text = asked.text.strip()
        is_asked = text.endswith(_QUESTION_MARKS) and len(text) <= _MAX_QUESTION_CHARS and not is_transient(text)
        if is_asked and asked.session == answer.session and asked.speaker != answer.speaker:
            probe = _said(asked, answer)
            if probe is not None:
                yield probe


def _said(asked: Turn, answer: Turn) -> Probe | None:
    """Return the probe of an answer with a fact in it; without one, half of all texts would answer."""
    statements = [one.text for one in read_placed(answer.text)]
    needles = [needle for one in statements if (needle := needle_of(one)).fact]
    wanted = _wanted(asked.text)
    best = max(needles, key=lambda one: len(wanted.intersection(cut(one.quote))), default=None)
    return make_probe(ProbeKind.SAID, asked.text.strip(), best, asked.session) if best is not None else None


def probe_of_reading(query: str, content: str, cluster: str) -> Probe | None:
    """Return the probe of a search after which a memory was read: its statement that shares most words with the query."""
    wanted = _wanted(query)
    shared, best = max(
        ((len(wanted.intersection(cut(one.text))), one.text) for one in read_placed(content)),
        key=lambda one: one[0],
        default=(0, ""),
    )
    return make_probe(ProbeKind.ASKED, query, needle_of(best), cluster) if shared else None


def _wanted(query: str) -> frozenset[str]:
    return frozenset(significant_words(query, QUERY_WORDS))


def probes_of_owner(rows: Sequence[Mapping[str, object]]) -> tuple[Probe, ...]:
    """Return the probes of rows with a `question` and its `evidence`, one for each quote. A row without either is left out."""
    return tuple(probe for _, probe in _read_rows(rows) if probe is not None)


def find_unasked(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the quotes of rows that are not asked for: any text may hold them, or the question has no word to search for."""
    return [quote for quote, probe in _read_rows(rows) if probe is None]


def _read_rows(rows: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, Probe | None]]:
    for row in rows:
        question, evidence = row.get("question"), row.get("evidence")
        quotes = [evidence] if isinstance(evidence, str) else evidence if isinstance(evidence, Sequence) else []
        if isinstance(question, str):
            for quote in quotes:
                if isinstance(quote, str):
                    cluster = str(row.get("group") or question)
                    yield quote, make_probe(ProbeKind.OWN, question, needle_of(quote), cluster)
