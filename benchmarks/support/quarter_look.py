"""Measure the store in the simulated quarter: recall, sizes, and losses."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean

from benchmarks.support.locomo_data import Fact, Question
from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Memory, MemoryKind, MemoryState, kind_of
from shared.core.memory.provenance import read_sources, without_sources
from shared.core.merging.specifics import find_missing_specifics
from shared.core.search.bm25 import TextIndex
from shared.core.text.similarity import significant_words
from shared.ports.dreams import RecordedOperation

_TOP = 10
_QUERY_WORDS = 50
_WORD = re.compile(r"\w+")
_ADDED_DATE = re.compile(r" \([^()\n]{0,40}\d{4}[^()\n]{0,40}\)")
_MERGES = frozenset({OperationKind.MERGE, OperationKind.FOLD})


@dataclass(slots=True, kw_only=True)
class Snapshot:
    """The facts and turns that have arrived so far, to measure the store against."""

    questions: Sequence[Question]
    facts: list[Fact] = field(default_factory=list)
    turns: set[str] = field(default_factory=set)
    protected: Mapping[str, str] = field(default_factory=dict)
    first: list[Question] = field(default_factory=list)

    def keep_first(self) -> None:
        """Keep the questions of now: what is found of them later shows what a growing store does to them."""
        self.first = self.answerable()

    def answerable(self) -> list[Question]:
        """Return the questions whose evidence has been said by now."""
        return [question for question in self.questions if question.evidence <= self.turns]

    def at(self, ports: Ports, tenant: str, store: str) -> dict[str, float]:
        """Return the figures of this moment."""
        with ports.db.transaction(tenant) as uow:
            memories = uow.memories(uow.stores.get(store).id)
            live, retired = memories.find_live(), memories.find_retired()
        topics = [memory for memory in live if kind_of(memory.path) is MemoryKind.TOPIC]
        archived = [memory for memory in retired if memory.state is MemoryState.ARCHIVED]
        index = next((memory.content for memory in live if memory.path == "MEMORY.md"), "")
        return {
            "memories": len(topics),
            "archived": len(archived),
            "superseded": sum(memory.state is MemoryState.SUPERSEDED for memory in retired),
            "index lines": len(index.splitlines()),
            "index bytes": len(index.encode()),
            "questions": len(self.answerable()),
            "recall": self._recall(topics, self.answerable()),
            "recall, first weeks": self._recall(topics, self.first or self.answerable()),
            "recall with archive": self._recall([*topics, *archived], self.answerable()),
            "facts live %": round(100 * self._share_of_facts(topics), 1),
            "protected lost": self._protected_lost(live),
        }

    def _recall(self, memories: Sequence[Memory], questions: Sequence[Question]) -> float:
        """Return the mean share of a question's evidence that the first ten memories stand for, by BM25."""
        stands_for = list(self._turns_of(memories))
        texts = ((str(n), f"{m.path} {without_sources(m.content)}") for n, m in enumerate(memories))
        index = TextIndex(texts)
        shares = []
        for question in questions:
            hits = index.search(significant_words(question.text, _QUERY_WORDS), _TOP)
            found = {turn for key, _ in hits for turn in stands_for[int(key)]}
            shares.append(len(question.evidence & found) / len(question.evidence))
        return round(mean(shares), 3) if shares else 0.0

    def _turns_of(self, memories: Sequence[Memory]) -> Iterator[frozenset[str]]:
        """Yield, for each memory, the turns that it names as sources or whose observations it still holds."""
        facts = [(_plain(fact.text), fact.turns) for fact in self.facts]
        for memory in memories:
            said = _plain(memory.content)
            named = (source.event_id for source in read_sources(memory.content))
            yield frozenset((*named, *(turn for fact, turns in facts if fact in said for turn in turns)))

    def _share_of_facts(self, memories: Sequence[Memory]) -> float:
        texts = "\n".join(_plain(memory.content) for memory in memories)
        return mean([_plain(fact.text) in texts for fact in self.facts]) if self.facts else 1.0

    def _protected_lost(self, live: Sequence[Memory]) -> int:
        """Return how many protected texts no live memory holds any more; links beside them are welcome."""
        texts = "\n".join(_plain(memory.content) for memory in live)
        return sum(_plain(content) not in texts for content in self.protected.values())


def find_lost_specifics(operations: Sequence[RecordedOperation]) -> list[str]:
    """Return the specifics that a merge's sources had and its result has not."""
    lost: list[str] = []
    for one in operations:
        if one.operation.kind in _MERGES and one.state is OperationState.APPLIED:
            sources = [effect.before.content for effect in one.effects if effect.before is not None]
            result = "\n\n".join(e.after.content for e in one.effects if e.after.state is MemoryState.LIVE)
            lost += find_missing_specifics(result, sources)
    return lost


def _plain(text: str) -> str:
    """Return the words of a text without the dates that a dream has added after phrases."""
    return f" {' '.join(_WORD.findall(_ADDED_DATE.sub('', text).lower()))} "
