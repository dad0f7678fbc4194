"""Draw probes of what a dream touched, and plan to put back the operations whose probes fail.

Probes are small searches drawn from the texts before the dream. Most are pairs: a fact and its subject, which must
occur together in one of the first ten hits; a number beside another subject does not count. The stub of an archived
memory, a short cue that stays searchable, also counts as a hit. A probe fails if it was answered before the dream and
is not answered after it. Then the operation, and every later one on the same memories, is put back, newest first.
Memories are searched as agents search them: without their list of sources, whose quotes may contain words that the text
no longer has.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, zip_longest

from shared.core.dream.operations import KINDS, Operation, OperationKind, Plan, PutBack, Skip
from shared.core.evaluation.around_dream import Touched, searched
from shared.core.evaluation.needles import QUERY_WORDS, find_pairs
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.links import without_bare_paths
from shared.core.memory.model import Memory, MemoryKind
from shared.core.memory.provenance import read_sources
from shared.core.search.bm25 import TextIndex
from shared.core.text.similarity import significant_words
from shared.core.text.words import cut
from workers.phases.recall_guard import NAME

MAX_PROBES = 200
#: An agent that searches does not find knowledge beyond the first ten hits.
MAX_RANK = 10
_PAIRS_PER_SOURCE = 8
_QUOTES_PER_SOURCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A search that must find its knowledge: a fact with its subject or, without a fact, a memory itself.

    Attributes:
        text: the probe in words, for people.
        subject: words of the fact's subject; half of them must occur in the text with the fact.
        fact: words that must all occur in one text.
    """

    operation_id: str
    source_path: str
    text: str
    subject: tuple[str, ...]
    fact: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words to search for."""
        return (*self.fact, *self.subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The searchable texts by path: live texts as `searched` gives them, and stubs; and the index of `by_path`."""

    texts: Mapping[str, str]
    index: TextIndex
    _words: dict[str, frozenset[str]] = field(default_factory=dict)

    def words_of(self, path: str) -> frozenset[str]:
        """Return the words of a text, cached, since many probes hit the same text."""
        if path not in self._words:
            self._words[path] = frozenset(cut(self.texts[path]))
        return self._words[path]


def draw_probes(touched: Sequence[Touched], limit: int = MAX_PROBES) -> tuple[Probe, ...]:
    """Return at most `limit` probes: each operation gets one before any gets a second one."""
    turns = zip_longest(*(_probes_of(one) for one in touched if is_guarded(one)))
    return tuple(islice((probe for turn in turns for probe in turn if probe is not None), limit))


def _probes_of(touched: Touched) -> Iterator[Probe]:
    for turn in zip_longest(*(_probes_of_source(touched, memory) for memory in touched.before)):
        yield from (probe for probe in turn if probe is not None)


def _probes_of_source(touched: Touched, memory: Memory) -> Iterator[Probe]:
    if kind_of_text(memory.path, memory.content) is not MemoryKind.TOPIC:
        return
    text = without_bare_paths(searched(memory.content))
    title = title_of(memory.path, text)
    is_linked = touched.kind is OperationKind.CROSS_REFERENCE  # its words are unchanged
    pairs = [] if is_linked else list(islice(find_pairs(text, title), _PAIRS_PER_SOURCE))
    draw = partial(Probe, operation_id=touched.operation_id, source_path=memory.path)
    probes = [draw(text=term, subject=one.subject, fact=one.fact) for term, one in pairs]
    yield from probes[:2]
    if touched.holders:
        quotes = [source.quote for source in read_sources(memory.content)[-_QUOTES_PER_SOURCE:]]
        for query in (f"{title} {summary_of(text)}", " ".join(significant_words(text, QUERY_WORDS)), *quotes):
            words = tuple(significant_words(query, QUERY_WORDS))
            if words:
                yield draw(text=title if query.startswith(title) else query[:80], subject=words)
    yield from probes[2:]


def decide_missed(probes: Sequence[Probe], touched: Sequence[Touched], now: Corpus) -> tuple[Probe, ...]:
    """Return the probes that do not find their knowledge after the dream."""
    of = {one.operation_id: one for one in touched}
    return tuple(
        probe
        for probe in probes
        if not _is_found(probe, now, of[probe.operation_id].holders, of[probe.operation_id].stubs)
    )


def decide_failed(missed: Sequence[Probe], before: Corpus) -> tuple[Probe, ...]:
    """Return the missed probes that found their source among the live memories before the dream."""
    return tuple(probe for probe in missed if _is_found(probe, before, frozenset({probe.source_path})))


def _is_found(probe: Probe, corpus: Corpus, holders: Collection[str], stubs: Collection[str] = ()) -> bool:
    hits = [key for key, _ in corpus.index.search(probe.words, MAX_RANK)]
    if not probe.fact:
        return any(key in holders for key in hits)
    return any(key in stubs or _says(corpus.words_of(key), probe) for key in hits)


def _says(words: frozenset[str], probe: Probe) -> bool:
    return words.issuperset(probe.fact) and 2 * len(words.intersection(probe.subject)) >= len(probe.subject)


def is_guarded(touched: Touched) -> bool:
    """Tell whether an operation rewrote or hid knowledge."""
    return KINDS[touched.kind].is_probed


def plan_put_back(probes: Sequence[Probe], failed: Sequence[Probe], touched: Sequence[Touched]) -> Plan:
    """Return one PUT_BACK for each failed operation and each later one on the same memories, newest first."""
    first = {probe.operation_id: probe for probe in reversed(failed)}
    doomed: dict[str, str] = {}
    ids: set[str] = set()
    for one in touched:
        mine = {memory.id for memory in (*one.before, *one.after)}
        if one.operation_id in first:
            probe = first[one.operation_id]
            reason = f"the probe {probe.text!r} no longer finds the statement of {probe.source_path}"
        elif mine & ids:
            reason = "it depended on a change that was put back"
        else:
            continue
        doomed[one.operation_id] = f"Put back {', '.join(_paths(one)[:3])} ({KINDS[one.kind].label}): {reason}"
        ids |= mine
    operations = (
        Operation(
            kind=OperationKind.PUT_BACK,
            phase=NAME,
            reason=doomed[one.operation_id],
            changes=(PutBack(operation_id=one.operation_id, kind=one.kind, paths=_paths(one)),),
            needs_review=True,
        )
        for one in reversed(touched)
        if one.operation_id in doomed
    )
    skips = tuple(Skip(code="probe_failed", detail=f"{p.source_path}: {p.text!r} is not found") for p in failed)
    return Plan(operations=tuple(operations), skips=skips, counts={"probes": len(probes)})


def _paths(touched: Touched) -> tuple[str, ...]:
    return tuple(dict.fromkeys(memory.path for memory in (*touched.before, *touched.after)))
