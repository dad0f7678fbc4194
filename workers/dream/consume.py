"""Take what a dream has read off its store: activity, changed set, hints. What it returns is what undo puts back.

Move the cursors of sessions past what a dream has gathered: only past what a model has answered for.

Mark feedback and workflow runs that a dream has made use of: they count once. An undo takes the marks back.

Keep what a dream has asked, when it ends: which questions were answered, and which clusters were left alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from shared.core.dream.model import Dream, DreamState, OperationState, PhaseRun, PhaseState
from shared.core.dream.operations import Absorb, Retire, Rewrite
from shared.core.gates.jitter import wait_with_jitter
from shared.core.merging.settled_clusters import Settled
from shared.core.policy.policy import Policy
from shared.core.questions.change_gate import Asked, find_forgotten_before, follow_up
from shared.core.sessions.model import Window
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.services.dreams.next_check import schedule_next_check
from workers.phase.shape import Phase, inputs_adapter
from workers.phases import PHASES

_WINDOWS: TypeAdapter[list[Window]] = TypeAdapter(list[Window])


def advance_cursors(uow: UnitOfWork, dream: Dream, runs: list[PhaseRun]) -> list[dict[str, Any]]:
    """Move the cursors and return the windows as plain values, for undo. A session with an open question stays."""
    gather = next((run for run in runs if run.phase == "gather"), None)
    if gather is None or not isinstance(gather.inputs, dict) or uow.orders.find(dream.id) is not None:
        return []  # a dream that was given its sessions leaves their cursors to the dreams of their own stores
    if gather.state not in {PhaseState.DONE, PhaseState.PARTIAL}:
        return []
    windows = _WINDOWS.validate_python(gather.inputs["windows"])
    if gather.state is PhaseState.PARTIAL:
        answered = uow.calls.find_answers(dream.id, "gather")
        open_groups = [group for group in gather.inputs["groups"] if group["key"] not in answered]
        waiting = {excerpt["session_id"] for group in open_groups for excerpt in group["excerpts"]}
        windows = [window for window in windows if window.session_id not in waiting]
    uow.gathering(dream.store_id).advance(windows)
    kept: list[dict[str, Any]] = _WINDOWS.dump_python(windows, mode="json")
    return kept


def consume_signals(uow: UnitOfWork, dream: Dream, runs: list[PhaseRun]) -> None:
    """Mark what the plans of a dream's phases name."""
    used: list[str] = []
    for run in runs:
        stored = run.plan.get("plan") if isinstance(run.plan, dict) else None
        named = stored.get("used") if isinstance(stored, dict) else None
        used += [str(one) for one in named] if isinstance(named, list) else []
    if used:
        uow.feedback(dream.store_id).consume(used, dream.id)
        uow.workflows(dream.store_id).consume(used, dream.id)


_THROUGH = frozenset({PhaseState.DONE, PhaseState.PARTIAL})


def keep_asked(
    uow: UnitOfWork,
    dream: Dream,
    policy: Policy,
    runs: Sequence[PhaseRun],
    phases: Sequence[Phase],
    recorded: Sequence[RecordedOperation],
) -> None:
    """Append what this dream has asked; forget what is too old to matter, and clusters that no longer are."""
    by_name = {phase.name: phase for phase in phases}
    touched = _find_touched(recorded)
    kept: list[Asked] = []
    obsolete: list[str] = []
    for run in runs:
        asked = _asked_in(run)
        phase = by_name.get(run.phase)
        if phase is None or not asked:
            continue
        settled = _settle(phase, run, asked, touched)
        members = dict.fromkeys(asked.values(), ()) | {one.fingerprint: one.members for one in settled.clusters}
        last = uow.asked(dream.store_id).find_last(run.phase, members)
        kept += [
            follow_up(
                policy.change_gate,
                last.get(fingerprint),
                phase=run.phase,
                fingerprint=fingerprint,
                dream_id=dream.id,
                now=uow.now(),
                members=ids,
            )
            for fingerprint, ids in members.items()
        ]
        obsolete += settled.obsolete
    repository = uow.asked(dream.store_id)
    repository.record(kept)
    repository.forget(before=find_forgotten_before(policy.change_gate, uow.now()), fingerprints=obsolete)


def find_spared(run: PhaseRun) -> frozenset[str]:
    """Return the keys of a phase's questions that needed no call."""
    return frozenset(_named(run, "spared"))


def _asked_in(run: PhaseRun) -> dict[str, str]:
    """Return the fingerprints of what a phase has asked and made use of: one that failed has made nothing of it."""
    return _named(run, "asked") if run.state in _THROUGH else {}


def _named(run: PhaseRun, name: str) -> dict[str, str]:
    found = run.plan.get(name) if isinstance(run.plan, dict) else None
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _settle(phase: Phase, run: PhaseRun, asked: dict[str, str], touched: frozenset[str]) -> Settled:
    if not isinstance(run.inputs, dict):
        return Settled()
    inputs = inputs_adapter(phase).validate_python(run.inputs)
    return phase.settle(inputs, asked.keys(), touched)


def _find_touched(recorded: Sequence[RecordedOperation]) -> frozenset[str]:
    """Return the ids of memories whose text a dream has changed, or proposes to change."""
    wanted = {OperationState.APPLIED, OperationState.PROPOSED}
    operations = (one.operation for one in recorded if one.state in wanted)
    changes = (change for operation in operations for change in operation.changes)
    return frozenset(change.memory_id for change in changes if isinstance(change, Rewrite | Retire | Absorb))


def close_books(uow: UnitOfWork, dream: Dream, runs: list[PhaseRun], state: DreamState) -> dict[str, Any]:
    """Take what this dream has read off the store; return how it was, for undo."""
    survey = _survey_of(runs)
    policy = uow.stores.get(dream.store).policy
    consolidate = next((run for run in runs if run.phase == "consolidate"), None)
    unread = _unread_ids(uow, dream, consolidate)
    if unread is not None:
        unread |= _unread_skills(runs)
    read = [(i, v) for i, v in survey.get("dirty", []) if unread is not None and i not in unread]
    recorded = uow.operations.find_all(dream.id)
    cleaned = _follow_own_writes(recorded, read)
    uow.memories(dream.store_id).set_dirty(cleaned, is_dirty=False)
    gathered = advance_cursors(uow, dream, runs)
    consume_signals(uow, dream, runs)
    keep_asked(uow, dream, policy, runs, PHASES, recorded)
    consumed = {
        "curations": int(survey.get("curations", 0)) if unread is not None else 0,
        "sessions": _sessions_read(uow, dream, int(survey.get("sessions", 0)), runs, is_unread=unread is None),
    }
    hints = _consume_hints(uow, dream, consolidate, state)
    # The store's row comes last, as it does for agents, who hold memories or sessions when they count what they wrote.
    store = uow.stores.get(dream.store, lock=True)
    uow.activity.consume(store.id, curations=consumed["curations"], sessions=consumed["sessions"])
    counted = replace(store, last_dream_id=dream.id, total_dreams=store.total_dreams + 1)
    if unread is None:
        # Nothing was read, as when the model is away: the interval does not begin, the store is tried again soon.
        uow.stores.save(counted)
        schedule_next_check(uow, dream.store)
    else:
        next_check_at = _next_check_at(store, consumed, uow.now())
        uow.stores.save(replace(counted, last_dream_at=uow.now(), next_check_at=next_check_at))
    return {
        "last_dream_at": store.last_dream_at.isoformat() if store.last_dream_at else None,
        "last_dream_id": store.last_dream_id,
        "cleaned": cleaned,
        "hints": hints,
        "gathered": gathered,
        **consumed,
    }


def _survey_of(runs: list[PhaseRun]) -> Mapping[str, Any]:
    """Return what orient found, empty while it has not run."""
    return next((run.inputs for run in runs if run.phase == "orient" and isinstance(run.inputs, dict)), {})


def _sessions_read(uow: UnitOfWork, dream: Dream, counted: int, runs: list[PhaseRun], *, is_unread: bool) -> int:
    """Return how much session activity is used up: less while sessions wait for more, none when nothing was read.

    Without events to gather, the count follows the memories: an installation may only count its agents' sessions.
    """
    gather = next((run for run in runs if run.phase == "gather"), None)
    is_gathered = gather is not None and gather.state in {PhaseState.DONE, PhaseState.PARTIAL}
    is_skipped = gather is None or (gather.state is PhaseState.SKIPPED and not gather.counts)
    if not is_gathered and (is_unread or not is_skipped):
        return 0
    return max(0, counted - uow.sessions(dream.store_id).count_waiting())


def _follow_own_writes(recorded: Sequence[RecordedOperation], read: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return (id, version) as this dream left them: what it kept or archived has a new version, not a new text."""
    applied = [op for op in recorded if op.state is OperationState.APPLIED]
    images = [(e.before, e.after) for op in applied for e in op.effects if e.before is not None and e.after.is_dirty]
    became = {(before.id, before.version): (after.id, after.version) for before, after in images}
    return [_follow(became, one) for one in read]


def _follow(became: Mapping[tuple[str, int], tuple[str, int]], one: tuple[str, int]) -> tuple[str, int]:
    """Return (id, version) after every write of the dream; versions only grow, so that this ends."""
    while one in became:
        one = became[one]
    return one


def _next_check_at(store: Store, consumed: Mapping[str, int], now: datetime) -> datetime | None:
    """Return when to look at a store again: whatever was not consumed comes up after the minimum interval."""
    is_rest = store.curations > consumed["curations"] or store.sessions > consumed["sessions"]
    pause = wait_with_jitter(store.id, timedelta(hours=store.policy.gates.min_hours))
    return store.next_check_at or (now + pause if is_rest else None)


def _unread_ids(uow: UnitOfWork, dream: Dream, consolidate: PhaseRun | None) -> set[str] | None:
    """Return the changed memories whose question has no answer: they stay changed. None: none was looked at."""
    if consolidate is None or (consolidate.state is PhaseState.SKIPPED and _is_cut(consolidate)):
        return None
    if consolidate.state in {PhaseState.DONE, PhaseState.SKIPPED}:
        return set()
    answered = uow.calls.find_answers(dream.id, "consolidate")
    if not answered or not isinstance(consolidate.inputs, dict):
        return None
    groups: list[Mapping[str, Any]] = consolidate.inputs.get("groups", [])
    read = answered.keys() | find_spared(consolidate)
    return {memory["id"] for group in groups if group["key"] not in read for memory in group["changed"]}


def _is_cut(run: PhaseRun) -> bool:
    """Tell whether a skipped phase had something to do and could not: no time was left."""
    return any(name.startswith("missing_") for name in run.counts)


def _unread_skills(runs: list[PhaseRun]) -> set[str]:
    """Return the changed skills that no model has looked at, because merge_skills got no answer: they stay changed."""
    merging = next((run for run in runs if run.phase == "merge_skills"), None)
    if merging is None or merging.state is not PhaseState.FAILED or not isinstance(merging.inputs, dict):
        return set()
    return {memory["id"] for memory in merging.inputs.get("skills", [])}


def _consume_hints(
    uow: UnitOfWork, dream: Dream, consolidate: PhaseRun | None, state: DreamState
) -> list[dict[str, Any]]:
    """Clear the pending merges that consolidate has heard, whatever it made of them.

    A dream that was cut short keeps those that it did not act on for the next one: a suggestion is never lost.
    """
    inputs = consolidate.inputs if consolidate is not None else None
    heard = (
        {(hint["source_path"], hint["target_path"]) for hint in inputs["hints"]} if isinstance(inputs, dict) else set()
    )
    merges = uow.merges(dream.store_id)
    mine = [merge for merge in merges.find_open() if (merge.source_path, merge.target_path) in heard]
    if state is DreamState.PARTIAL:
        live = uow.memories(dream.store_id)
        mine = [merge for merge in mine if live.find_by_path(merge.source_path) is None]
    merges.remove(mine)
    return [asdict(merge) for merge in mine]
