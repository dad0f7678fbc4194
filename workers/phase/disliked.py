"""Thumbs down without words: what is wrong is not said, so the memory that each names is flagged, and nothing changes.

A request to forget a memory becomes a proposal to archive it, for a person to decide.

A thumbs-down with words is a correction (workers/phases/gather/noted.py).
"""

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.model import ReviewState
from shared.core.dream.operations import Flag, Operation, OperationKind, Plan, Retire, Skip
from shared.core.learning.feedback import Feedback, FeedbackKind
from shared.core.memory.model import Memory, MemoryState
from shared.core.questions.fingerprint import text_fingerprint
from workers.phase.shape import PhaseContext

#: One dream reads at most this many, the newest ones.
_MAX_THUMBS = 200
#: Only the newest flags are looked at: beyond these, a memory may be shown twice.
_MAX_FLAGS = 2_000
#: The most merges in a row that are followed.
_MOST_MERGES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Disliked:
    """A live memory with thumbs down, and the ids of these."""

    memory_id: str
    version: int
    path: str
    fingerprint: str
    thumbs: tuple[str, ...]
    last_at: datetime
    is_shown: bool  # a flag on the same text waits for a person
    is_unwanted: bool = False  # it was asked to forget it


def find_disliked(context: PhaseContext) -> tuple[Disliked, ...]:
    """Return the live memories that unused thumbs down without words and requests to forget name, by path."""
    feedback = context.uow.feedback(context.store.id)
    found = [
        *feedback.find(limit=_MAX_THUMBS, kinds=(FeedbackKind.THUMBS_DOWN,), only_unused=True, with_words=False),
        *feedback.find(limit=_MAX_THUMBS, kinds=(FeedbackKind.FORGET,), only_unused=True),
    ]
    thumbs = [one for one in found if one.subject]
    if not thumbs:
        return ()
    named = _find_named(context, {one.subject for one in thumbs})
    waiting = _find_waiting(context)
    memories = {memory.id: memory for memory in named.values()}.values()
    return tuple(
        _make(memory, [one for one in thumbs if named.get(one.subject) == memory], waiting)
        for memory in sorted(memories, key=lambda memory: memory.path)
    )


def _find_named(context: PhaseContext, names: AbstractSet[str]) -> dict[str, Memory]:
    """Return the live memories by the ids and paths that name them; for one that was merged, what it became."""
    repository = context.uow.memories(context.store.id)
    found = {one.id: one for one in repository.find_live(names)} | repository.find_by_paths(names)
    for name in sorted(names - found.keys()):
        successor = _find_successor(context, name)
        if successor is not None:
            found[name] = successor
    return found


def _find_successor(context: PhaseContext, name: str) -> Memory | None:
    repository = context.uow.memories(context.store.id)
    named = next(iter(repository.find_retired([name])), None)
    retired = named or context.uow.catalog(context.store.id).find_retired_at(name)
    for _ in range(_MOST_MERGES):
        if retired is None or retired.superseded_by is None:
            return None
        following = [retired.superseded_by]
        live = repository.find_live(following)
        if live:
            return live[0]
        retired = next(iter(repository.find_retired(following)), None)
    return None


def _find_waiting(context: PhaseContext) -> frozenset[str]:
    recorded = context.uow.operations.find_flags(context.store.id, _MAX_FLAGS)
    waiting = (one for one in recorded if one.review is ReviewState.PENDING)
    return frozenset(flag.fingerprint for one in waiting for flag in one.operation.changes if isinstance(flag, Flag))


def _make(memory: Memory, mine: Sequence[Feedback], waiting: Collection[str]) -> Disliked:
    digest = text_fingerprint(memory)
    return Disliked(
        memory_id=memory.id,
        version=memory.version,
        path=memory.path,
        fingerprint=digest,
        thumbs=tuple(one.id for one in mine),
        last_at=max(one.occurred_at for one in mine),
        is_shown=digest in waiting,
        is_unwanted=any(one.kind is FeedbackKind.FORGET for one in mine),
    )


def plan_flags(phase: str, disliked: Sequence[Disliked]) -> Plan:
    """Return one FLAG for each memory, or the proposal to archive it; what waits for a person already is shown once."""
    shown = [one for one in disliked if one.is_shown and not one.is_unwanted]
    return Plan(
        operations=tuple((_forget if one.is_unwanted else _flag)(phase, one) for one in disliked if one not in shown),
        skips=tuple(Skip(code="flagged_before", detail=f"{one.path}: it waits for a person already") for one in shown),
        used=tuple(thumb for one in disliked for thumb in one.thumbs),
    )


def _flag(phase: str, one: Disliked) -> Operation:
    times = "a thumbs-down" if len(one.thumbs) == 1 else f"{len(one.thumbs)} thumbs down"
    said = f"{times} without words, last on {one.last_at.date().isoformat()}"
    return Operation(
        kind=OperationKind.FLAG,
        phase=phase,
        reason=f"{one.path} may be wrong: {said}",
        changes=(Flag(memory_id=one.memory_id, version=one.version, path=one.path, fingerprint=one.fingerprint),),
        needs_review=True,
    )


def _forget(phase: str, one: Disliked) -> Operation:
    return Operation(
        kind=OperationKind.FORGET,
        phase=phase,
        reason=f"{one.path}: asked to be forgotten on {one.last_at.date().isoformat()}",
        changes=(Retire(memory_id=one.memory_id, version=one.version, path=one.path, state=MemoryState.ARCHIVED),),
        propose_only="only a person decides what is forgotten",
    )
