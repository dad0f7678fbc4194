"""Measure recall: ask the same questions of the store before and after this dream, and count which answers a search finds.

Reads this dream's operations and the live texts. The questions are facts of the texts before the dream, drawn over the whole store, so
the counts tell what the dream did to recall; `slowwave evaluate` asks more, of more readers. Runs last. Proposes no operation, never
changes a memory, and needs no model. It cannot read what agents searched for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from shared.core.dream.operations import Plan
from shared.core.evaluation.around_dream import (
    LOST_BY,
    Touched,
    after_the_dream,
    before_the_dream,
    find_losing,
    searched,
    with_stubs,
)
from shared.core.evaluation.probes import Probe, WrittenText, draw_pairs
from shared.core.evaluation.readers import Snapshot, StoreReaders
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import MemoryKind
from shared.core.search.bm25 import by_path
from shared.ports.database import UnitOfWork
from workers.phase.index_cache import INDEX_CACHE
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import find_touched
from workers.phases.measure_recall import ENTRY

MAX_PROBES = 200
#: Of a store with few facts, no more texts are read for them.
MAX_READ = 1_000
#: Operations that are named because they lost answers, those that lost most.
_MOST_NAMED = 5
#: The draw is even over ages, too, where they are known; here every text counts as equally old.
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """This dream's operations, oldest first, and the live texts after them, by path; indexes are left out of both."""

    store_id: str
    touched: tuple[Touched, ...]
    texts: dict[str, str]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the operations in force (in a dry run: the planned ones) and the texts that agents can find."""
    touched = find_touched(context)
    if not touched:
        return NothingToDo("nothing was changed that could be lost")
    touched = tuple(map(_topics_of, touched))
    texts = find_topics(context.uow, context.store.id)
    return Inputs(
        store_id=context.store.id,
        touched=touched,
        texts=after_the_dream(texts, touched) if context.dream.is_dry_run else texts,
    )


def find_topics(uow: UnitOfWork, store_id: str) -> dict[str, str]:
    """Return the live texts without indexes, as they are searched, by path."""
    live = uow.memories(store_id).find_texts()
    return {one.path: searched(one.text) for one in live if _is_topic(one.path, one.text)}


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Propose nothing, and count."""
    return Plan(counts=count_found(inputs))


def count_found(inputs: Inputs) -> dict[str, int]:
    """Return how many answers are found before and after, by the names of a summary's counts."""
    earlier = before_the_dream(inputs.texts, inputs.touched)
    written = [WrittenText(path=path, content=text, at=_ANY_DAY) for path, text in earlier.items()]
    probes = draw_pairs(written, MAX_PROBES, MAX_READ)
    after = _find(inputs.store_id, probes, with_stubs(inputs.texts, inputs.touched))
    before = _find(inputs.store_id, probes, earlier)
    lost = [one for one, old, new in zip(probes, before, after, strict=True) if old and not new]
    losing = find_losing((one.cluster for one in lost), inputs.touched)
    return {
        "recall_asked": len(probes),
        "recall_before": sum(before),
        "recall_after": sum(after),
        "recall_lost": len(lost),
    } | {f"{LOST_BY}{operation}": number for operation, number in losing.most_common(_MOST_NAMED)}


def _topics_of(one: Touched) -> Touched:
    return replace(
        one,
        before=tuple(memory for memory in one.before if _is_topic(memory.path, memory.content)),
        after=tuple(memory for memory in one.after if _is_topic(memory.path, memory.content)),
    )


def _is_topic(path: str, text: str) -> bool:
    """Tell whether a text is knowledge, and no index, which a dream writes, too."""
    return kind_of_text(path, text) is MemoryKind.TOPIC


def _find(store_id: str, probes: Sequence[Probe], texts: Mapping[str, str]) -> list[bool]:
    if not probes:
        return []
    with INDEX_CACHE.borrow(store_id, by_path(texts.items())) as index:
        readers = StoreReaders(
            Snapshot(live=texts), lambda words, limit: [path for path, _ in index.search(words, limit)]
        )
        return [readers.finds(probe) for probe in probes]


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    runs_after_deadline=True,
    runs_when_canceled=True,
)
