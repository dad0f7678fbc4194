"""Start an upkeep dream: decide its switch, its own rule and the gates, then insert a queued row for the caller to send.

A digest is due if there are new memories, a compaction if durable memories were never read. A sweep or a request starts
upkeep; force skips the switch, the rule's pause and the gates that only wait. Tenant and store are locked in the same
order as for a whole dream, and one index limits a store to one active dream of any kind.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from shared.core.dream.model import ACTIVE_STATES, UPKEEP_TRIGGERS, Dream, DreamState, Trigger
from shared.core.errors import ConflictError
from shared.core.gates.gates import GateVerdict
from shared.core.gates.jitter import with_jitter
from shared.core.memory.model import MemoryHead, MemoryKind, kind_of
from shared.core.tenants.store import Store, Tenant
from shared.core.upkeep.due import (
    UpkeepDue,
    decide_compaction_due,
    decide_digest_due,
    decide_next_upkeep_check,
    decide_switched_on,
    decide_upkeep,
    digest_path,
    local_day,
    switched_off,
)
from shared.core.upkeep.maintenance import Subject
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.services.dreams.gate_facts import get_gate_facts
from shared.services.dreams.start import StartResult, record_start, tell_queued
from shared.services.operations.loss_room import find_loss_room

#: A dream in one of these states counts for its day. An undone one, too: it must not be made again at once.
_ENDED = frozenset({DreamState.COMPLETED, DreamState.PARTIAL, DreamState.UNDONE})
_MAX_RECENT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """The memories for the digest of `day`: those newer than `since` that no digest covers yet."""

    day: str
    since: datetime
    is_done: bool
    heads: tuple[MemoryHead, ...]


def find_fresh(uow: UnitOfWork, tenant: Tenant, store: Store, *, force: bool = False) -> Fresh:
    """Return the memories that a digest would cover now; nothing is searched once today's digest exists.

    With `force`, only an existing or proposed digest of the day counts as done.
    """
    now = uow.now()
    day = local_day(now, tenant.time_zone)
    last = _find_ended(uow, store, Trigger.DIGEST)
    since = now - timedelta(hours=store.policy.digest.window_hours)
    since = max([since, *(_started_at(dream) for dream in last if _has_digest(dream))])
    is_done = any(_is_digest_of(dream, day, tenant) for dream in last if not force or _has_digest(dream))
    memories = uow.memories(store.id)
    if is_done or memories.find_by_path(digest_path(day)) is not None:
        return Fresh(day=day, since=since, is_done=True, heads=())
    found = uow.maintenance(store.id).find_fresh(since)
    topics = tuple(head for head in found if kind_of(head.path) is MemoryKind.TOPIC)
    return Fresh(day=day, since=since, is_done=False, heads=topics)


def find_unused(uow: UnitOfWork, store: Store, limit: int) -> list[Subject]:
    """Return unprotected durable memories that were not read for `unused_days`."""
    policy = store.policy
    before = uow.now() - timedelta(days=policy.compaction.unused_days)
    found = uow.maintenance(store.id).find_unused_durable(before=before, protected=policy.safety, limit=limit)
    return [one for one in found if kind_of(one.path) is MemoryKind.TOPIC]


def _due_digest(uow: UnitOfWork, tenant: Tenant, store: Store, *, force: bool) -> UpkeepDue:
    fresh = find_fresh(uow, tenant, store, force=force)
    return decide_digest_due(
        store.policy.digest,
        fresh=len(fresh.heads),
        is_done_today=fresh.is_done,
        now=uow.now(),
        time_zone=tenant.time_zone,
        force=force,
    )


def _due_compaction(uow: UnitOfWork, _tenant: Tenant, store: Store, *, force: bool) -> UpkeepDue:
    policy, now = store.policy, uow.now()
    age = timedelta(days=policy.compaction.unused_days)
    has_unused = bool(find_unused(uow, store, policy.compaction.max_changes))
    oldest = None
    if not has_unused:
        oldest = uow.maintenance(store.id).find_next_unused(after=now - age, protected=policy.safety)
    return decide_compaction_due(
        policy.compaction,
        has_unused=has_unused,
        has_room=has_unused and find_loss_room(uow, store) > 0,
        next_unused_at=oldest + age if oldest else None,
        last_at=max(map(_started_at, _find_ended(uow, store, Trigger.COMPACTION)), default=None),
        now=now,
        force=force,
    )


class FindDue(Protocol):
    """The rule of one kind of upkeep: decides whether it is due."""

    def __call__(self, uow: UnitOfWork, tenant: Tenant, store: Store, /, *, force: bool) -> UpkeepDue:
        """Return the rule's verdict; `force` is set for an explicit request."""


FIND_DUE: dict[Trigger, FindDue] = {
    Trigger.DIGEST: _due_digest,
    Trigger.COMPACTION: _due_compaction,
}


def _find_ended(uow: UnitOfWork, store: Store, trigger: Trigger) -> list[Dream]:
    found = uow.dreams.find_recent(store_id=store.id, states=_ENDED, triggers={trigger}, limit=_MAX_RECENT)
    return [dream for dream in found if not dream.is_dry_run]


def _is_digest_of(dream: Dream, day: str, tenant: Tenant) -> bool:
    """Tell whether a digest dream counts for this day. If the model did not answer, the digest is tried again."""
    is_through = dream.state is not DreamState.PARTIAL or _has_digest(dream)
    return is_through and local_day(_started_at(dream), tenant.time_zone) == day


def _has_digest(dream: Dream) -> bool:
    """Tell whether a dream made a digest that was not undone."""
    summary = dream.summary
    return dream.state is not DreamState.UNDONE and summary is not None and bool(summary.digested or summary.proposed)


def _started_at(dream: Dream) -> datetime:
    return dream.started_at or dream.created_at


def start_upkeep(
    db: Database,
    tenant_id: str,
    store_name: str,
    trigger: Trigger,
    *,
    force: bool = False,
    dry_run: bool = False,
    actor: str = "",  # empty for a sweep
) -> StartResult:
    """Insert a queued upkeep dream if it is due and the gates allow it, and schedule the store's next check for it.

    A refused request and a dry run leave the sweep's schedule as it is.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant(lock=True)
        store = uow.stores.get(store_name, lock=True)
        verdict, next_at = explain_upkeep(uow, tenant, store, trigger, force=force, is_wish=bool(actor))
        dream = None
        if verdict.is_open:
            try:
                dream = uow.dreams.add(store.id, trigger=trigger, force=force, dry_run=dry_run)
                record_start(uow, dream, actor)
            except ConflictError as error:
                verdict = GateVerdict(is_open=False, gate="lock", reason=str(error))
        if not actor or (dream is not None and not dry_run):
            spread = with_jitter(store.id, next_at, uow.now()) if next_at is not None else None
            uow.activity.set_upkeep_check(store.id, trigger, spread)
    if dream is not None:
        tell_queued(dream)
    elif verdict.gate not in {"off", str(trigger)}:
        count("slowwave_refusals_total", gate=verdict.gate)
    return StartResult(dream=dream, verdict=verdict)


def explain_upkeep(
    uow: UnitOfWork, tenant: Tenant, store: Store, trigger: Trigger, *, force: bool = False, is_wish: bool = False
) -> tuple[GateVerdict, datetime | None]:
    """Return whether an upkeep dream may begin now and the reason if not, and the next check. Nothing is recorded.

    A sweep's dreams count queued dreams as taken slots; a request counts running ones only.
    """
    now = uow.now()
    is_on = decide_switched_on(store.policy, trigger)
    if not (is_on or force):
        return switched_off(trigger), None
    due = FIND_DUE[trigger](uow, tenant, store, force=force)
    slot_states = frozenset({DreamState.RUNNING}) if is_wish else ACTIVE_STATES
    facts = get_gate_facts(uow, tenant, store, slot_states=slot_states)
    verdict = decide_upkeep(store.policy, trigger, due, facts, now, force=force)
    return verdict, decide_next_upkeep_check(verdict, trigger, due, now) if is_on else None


def schedule_upkeep(uow: UnitOfWork, store: Store) -> None:
    """Schedule a check for every kind of upkeep that is on, after a change of the store's settings."""
    for trigger in UPKEEP_TRIGGERS:
        uow.activity.set_upkeep_check(
            store.id, trigger, uow.now() if decide_switched_on(store.policy, trigger) else None
        )
