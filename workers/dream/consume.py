"""Reset what an ending dream has consumed, and return the old values for undo.

Each phase reports what it has consumed (`Phase.consume`). This module adds that up and writes it once: memories are no longer
marked as changed, activity counters go down, cursors of sessions move, and pending merges, feedback and workflow runs are
marked as used. It also records answered questions and settled clusters for the change gate.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter, ValidationError

from shared.core.dream.model import Dream, DreamState, OperationState, PhaseRun, PhaseState
from shared.core.dream.operations import KINDS, Absorb, Retire, Rewrite
from shared.core.gates.jitter import wait_with_jitter
from shared.core.merging.settled_clusters import Settled
from shared.core.policy.policy import Policy
from shared.core.questions.change_gate import Asked, find_forgotten_before, follow_up
from shared.core.sessions.model import Window
from shared.core.tenants.store import PendingMerge, Store
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.services.dreams.next_check import schedule_next_check
from workers.ask.dollars import DOLLAR_BUDGET
from workers.phase.planned import PlanNotes
from workers.phase.shape import Consumed, Coverage, EndedPhase, Phase, load_inputs
from workers.phases import PHASES

_log = get_logger()
_WINDOWS: TypeAdapter[list[Window]] = TypeAdapter(list[Window])
_THROUGH = frozenset({PhaseState.DONE, PhaseState.PARTIAL})
_Ended = tuple[Phase, EndedPhase[Any]]


def consume_inputs(uow: UnitOfWork, dream: Dream, runs: Sequence[PhaseRun], state: DreamState) -> dict[str, Any]:
    """Remove what a dream has consumed from its store; return the store's previous state for undo."""
    policy = uow.stores.get(dream.store).policy
    ended = _find_ended(uow, dream, runs)
    consumed = add_up([phase.consume(one) for phase, one in ended])
    has_read = consumed.memories is Coverage.READ
    recorded = uow.operations.find_all(dream.id)
    read = [one for one in consumed.changed if has_read and one[0] not in consumed.unread]
    cleaned = _follow_own_writes(recorded, read)
    uow.memories(dream.store_id).set_dirty(cleaned, is_dirty=False)
    _mark_unread_news(uow, dream, recorded, consumed)
    if consumed.windows:
        uow.gathering(dream.store_id).advance(consumed.windows)
    _consume_signals(uow, dream, runs, consumed.waiting_feedback)
    record_questions(uow, dream, policy, ended, recorded)
    activity = {
        "curations": consumed.curations if has_read else 0,
        "sessions": _count_session_activity(uow, dream, consumed),
    }
    hints = _consume_hints(uow, dream, consumed.hints, state)
    if any(run.counts.get(f"missing_{DOLLAR_BUDGET}") for run in runs):
        # What no money was left for wakes the store again, once its budget lets it.
        consumed = replace(consumed, waiting_changes=max(consumed.waiting_changes, len(consumed.unread), 1))
    store = _update_store(uow, dream, activity, consumed)
    return {
        "last_dream_at": store.last_dream_at.isoformat() if store.last_dream_at else None,
        "last_dream_id": store.last_dream_id,
        "cleaned": cleaned,
        "hints": [asdict(hint) for hint in hints],
        "gathered": _WINDOWS.dump_python(list(consumed.windows), mode="json"),
        **activity,
    }


def record_questions(
    uow: UnitOfWork, dream: Dream, policy: Policy, ended: Sequence[_Ended], recorded: Sequence[RecordedOperation]
) -> None:
    """Record the questions that this dream asked; delete records that are outdated or whose cluster changed."""
    touched = _find_touched(recorded)
    repository = uow.asked(dream.store_id)
    asked: list[Asked] = []
    obsolete: list[str] = []
    for phase, one in ended:
        fingerprints = PlanNotes.of(one.run).asked if one.run.state in _THROUGH else {}
        if not fingerprints:  # a phase that failed has made nothing of its answers
            continue
        settled = phase.settle(one.inputs, fingerprints.keys(), touched) if one.inputs is not None else Settled()
        members = dict.fromkeys(fingerprints.values(), ()) | {c.fingerprint: c.members for c in settled.clusters}
        last = repository.find_last(phase.name, members)
        asked += [
            follow_up(
                policy.change_gate,
                last.get(fingerprint),
                phase=phase.name,
                fingerprint=fingerprint,
                dream_id=dream.id,
                now=uow.now(),
                members=ids,
            )
            for fingerprint, ids in members.items()
        ]
        obsolete += settled.obsolete
    repository.record(asked)
    repository.delete(before=find_forgotten_before(policy.change_gate, uow.now()), fingerprints=obsolete)


def _find_ended(uow: UnitOfWork, dream: Dream, runs: Iterable[PhaseRun]) -> list[_Ended]:
    """Return the phases that have begun, each with its inputs."""
    by_name = {phase.name: phase for phase in PHASES}
    return [
        (
            phase,
            EndedPhase(
                uow=uow,
                dream=dream,
                run=run,
                inputs=_load(phase, run),
                spared=frozenset(PlanNotes.of(run).spared),
            ),
        )
        for run in runs
        if (phase := by_name.get(run.phase)) is not None
    ]


def _load(phase: Phase, run: PhaseRun) -> Any:  # noqa: ANN401 - every phase has its own inputs
    """Return a phase's inputs. If another version wrote them and they cannot be read, the phase consumes nothing, so the dream can end."""
    try:
        return load_inputs(phase, run)
    except ValidationError as error:
        _log.warning("inputs_unreadable", dream_id=run.dream_id, phase=run.phase, errors=error.error_count())
        return None


def add_up(parts: Sequence[Consumed]) -> Consumed:
    """Return what all phases together have consumed. A store counts as read if one phase has read it."""
    return Consumed(
        changed=tuple(one for part in parts for one in part.changed),
        unread=frozenset(memory_id for part in parts for memory_id in part.unread),
        curations=sum(part.curations for part in parts),
        session_activity=sum(part.session_activity for part in parts),
        memories=_combine(part.memories for part in parts),
        sessions=_combine(part.sessions for part in parts),
        windows=tuple(one for part in parts for one in part.windows),
        hints=tuple(hint for part in parts for hint in part.hints),
        waiting_sessions=sum(part.waiting_sessions for part in parts),
        waiting_changes=sum(part.waiting_changes for part in parts),
        waiting_feedback=frozenset(one for part in parts for one in part.waiting_feedback),
    )


def _combine(looks: Iterable[Coverage]) -> Coverage:
    found = set(looks)
    return next((coverage for coverage in (Coverage.READ, Coverage.MISSED) if coverage in found), Coverage.NOTHING)


def _consume_signals(uow: UnitOfWork, dream: Dream, runs: Sequence[PhaseRun], waiting_feedback: frozenset[str]) -> None:
    """Mark the feedback and workflow runs that the plans used, so that they count only once. Undo removes the marks."""
    used = [one for run in runs for one in PlanNotes.of(run).plan.used if one not in waiting_feedback]
    if used:
        uow.feedback(dream.store_id).consume(used, dream.id)
        uow.workflows(dream.store_id).consume(used, dream.id)


def _find_touched(recorded: Sequence[RecordedOperation]) -> frozenset[str]:
    """Return the ids of memories whose text a dream has changed, or proposes to change."""
    wanted = {OperationState.APPLIED, OperationState.PROPOSED}
    operations = (one.operation for one in recorded if one.state in wanted)
    changes = (change for operation in operations for change in operation.changes)
    return frozenset(change.memory_id for change in changes if isinstance(change, Rewrite | Retire | Absorb))


def _update_store(uow: UnitOfWork, dream: Dream, activity: Mapping[str, int], consumed: Consumed) -> Store:
    """Count the dream on its store, and return the store as it was before."""
    # The store's row is locked last, as agents do it: they hold memories or sessions when they count what they wrote.
    store = uow.stores.get(dream.store, lock=True)
    uow.activity.consume(store.id, curations=activity["curations"], sessions=activity["sessions"])
    counted = replace(
        store,
        last_dream_id=dream.id,
        total_dreams=store.total_dreams + 1,
        waiting_sessions=consumed.waiting_sessions,
        waiting_changes=consumed.waiting_changes,
    )
    if consumed.memories is Coverage.READ:
        next_check_at = _next_check_at(counted, activity, uow.now())
        uow.stores.save(replace(counted, last_dream_at=uow.now(), next_check_at=next_check_at))
    else:
        # Nothing was read, as when the model is away: the interval does not begin, the store is tried again soon.
        uow.stores.save(counted)
        schedule_next_check(uow, dream.store)
    return store


def _count_session_activity(uow: UnitOfWork, dream: Dream, consumed: Consumed) -> int:
    """Return how much session activity is consumed: less while sessions are left, none if nothing was read.

    Without events to gather, the count follows the memories, since an installation may count sessions without importing them.
    """
    coverage = consumed.memories if consumed.sessions is Coverage.NOTHING else consumed.sessions
    if coverage is not Coverage.READ:
        return 0
    return max(0, consumed.session_activity - uow.sessions(dream.store_id).count_waiting())


def _follow_own_writes(recorded: Sequence[RecordedOperation], read: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return (id, version) as this dream left them: memories that it kept or archived have a new version, but no new text.

    A proposal that a person approved meanwhile is not the dream's own: its text is for the next dream to read.
    """
    applied = [op for op in recorded if op.state is OperationState.APPLIED and not op.was_proposed]
    images = [(e.before, e.after) for op in applied for e in op.effects if e.before is not None and e.after.is_dirty]
    became = {(before.id, before.version): (after.id, after.version) for before, after in images}
    return [_follow(became, one) for one in read]


def _mark_unread_news(uow: UnitOfWork, dream: Dream, recorded: Sequence[RecordedOperation], consumed: Consumed) -> None:
    """Mark as changed what this dream wrote from sessions where no later phase got an answer about it: the next dream reads it.

    Without an answer about any memory that holds for all of it. An undo takes the mark back with the text.
    """
    wrote = {
        effect.after.id
        for one in recorded
        if one.state is OperationState.APPLIED and KINDS[one.operation.kind].brings_knowledge
        for effect in one.effects
    }
    left = wrote if consumed.memories is Coverage.MISSED else wrote & consumed.unread
    memories = uow.memories(dream.store_id)
    unmarked = [one for one in memories.find_live(sorted(left)) if not one.is_dirty] if left else ()
    memories.set_dirty([(one.id, one.version) for one in unmarked], is_dirty=True)


def _follow(became: Mapping[tuple[str, int], tuple[str, int]], one: tuple[str, int]) -> tuple[str, int]:
    """Follow every write of the dream to the last (id, version). This ends, since versions only grow."""
    while one in became:
        one = became[one]
    return one


def _next_check_at(store: Store, activity: Mapping[str, int], now: datetime) -> datetime | None:
    """Return when to check a store again: at once for a backlog, after the minimum interval for other leftover work.

    Without leftover work, the store's timer decides; it starts with this dream.
    """
    if store.waiting_sessions:
        return now
    gates = store.policy.gates
    is_unread = store.curations > activity["curations"] or store.sessions > activity["sessions"]
    hours = gates.min_hours if is_unread or store.waiting_changes else gates.wake_hours
    if hours is None or not (gates.enabled or is_unread):
        return store.next_check_at
    return store.next_check_at or now + wait_with_jitter(store.id, timedelta(hours=max(hours, gates.min_hours)))


def _consume_hints(
    uow: UnitOfWork, dream: Dream, hints: Iterable[PendingMerge], state: DreamState
) -> list[PendingMerge]:
    """Remove the pending merges that a phase has considered, whatever it decided; return them.

    If a dream was cut short, suggestions without a decision stay for the next dream: none is lost.
    """
    used = {(hint.source_path, hint.target_path) for hint in hints}
    merges = uow.merges(dream.store_id)
    mine = [merge for merge in merges.find_open() if (merge.source_path, merge.target_path) in used]
    if state is DreamState.PARTIAL:
        live = uow.memories(dream.store_id)
        mine = [merge for merge in mine if live.find_by_path(merge.source_path) is None]
    merges.remove(mine)
    return mine
