"""Read what an evaluation measures: the texts of a store, what its sessions asked, and what a dream touched."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.evaluation.probes import (
    Probe,
    Turn,
    WrittenText,
    draw_pairs,
    draw_said,
    probe_of_reading,
    probes_of_owner,
)
from shared.core.evaluation.readers import Snapshot
from shared.core.evaluation.report import Touch
from shared.core.memory.model import MemoryState
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork
from shared.ports.evidence.search_log import AskedSearch, Outcome
from workers.phase.turns import find_turns
from workers.phases.revise import NAME as REVISE

MOST_PAIRS, MOST_SAID, MOST_ASKED = 400, 200, 400
_SESSIONS, _EVENTS = 100, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The live texts of a store by the ids of their memories, and what was said in its newest sessions, session by session."""

    texts: Mapping[str, WrittenText]
    turns: Sequence[Turn]


def read_material(uow: UnitOfWork, store: Store) -> Material:
    """Return what the probes of a store are drawn from."""
    texts = {
        one.id: WrittenText(path=one.path, content=one.content, at=one.updated_at)
        for one in uow.memories(store.id).find_live()
    }
    return Material(texts=texts, turns=list(find_turns(uow, store.id, sessions=_SESSIONS, events=_EVENTS)))


def draw_probes(
    material: Material, own: Sequence[Mapping[str, object]], asked: Sequence[AskedSearch]
) -> tuple[Probe, ...]:
    """Return the probes of a store: the owner's, what agents searched for, what its memories say, and what sessions asked."""
    drawn = (
        *probes_of_owner(own),
        *probes_of_searches(material.texts, asked),
        *draw_pairs(list(material.texts.values()), MOST_PAIRS),
        *draw_said(material.turns, MOST_SAID),
    )
    return tuple({one.key: one for one in drawn}.values())


def probes_of_searches(texts: Mapping[str, WrittenText], asked: Sequence[AskedSearch]) -> Iterator[Probe]:
    """Yield a probe for each search after which one of these memories (by id) was read; none of what was told to be wrong."""
    for search in asked:
        read = next((texts[one] for one in search.read if one in texts), None)
        if read is not None and search.outcome is not Outcome.WRONG:
            probe = probe_of_reading(search.query, read.content, read.path)
            if probe is not None:
                yield probe


def read_snapshot(uow: UnitOfWork, store: Store) -> tuple[Snapshot, dict[str, str]]:
    """Return the texts that agents read, and those of archived memories by their path."""
    memories = uow.memories(store.id)
    live = {one.path: one.content for one in memories.find_live()}
    archived = [one for one in memories.find_retired() if one.state is MemoryState.ARCHIVED]
    stubs = {one.path: one.stub for one in archived if one.stub and one.path not in live}
    return Snapshot(live=live, stubs=stubs), {one.path: one.content for one in archived}


def rewritten_with(touched: Iterable[Touch]) -> dict[str, set[str]]:
    """Return by path the memories that `revise` updated or merged with it: it leaves out what a second question confirms to stand elsewhere."""
    found: dict[str, set[str]] = {}
    for one in touched:
        if one.phase == REVISE and one.kind in {OperationKind.UPDATE, OperationKind.MERGE}:
            for path in one.paths:
                found.setdefault(path, set()).update(one.paths)
    return found


def find_touches(uow: UnitOfWork, dream_id: str) -> tuple[Touch, ...]:
    """Return what the operations of a dream did to which paths."""
    return tuple(
        Touch(
            operation_id=one.id,
            kind=str(one.operation.kind),
            phase=one.operation.phase,
            paths=tuple(
                dict.fromkeys(
                    memory.path
                    for effect in one.effects
                    for memory in (effect.before, effect.after)
                    if memory is not None
                )
            ),
        )
        for one in uow.operations.find_all(dream_id)
        if one.state is OperationState.APPLIED and one.effects
    )
