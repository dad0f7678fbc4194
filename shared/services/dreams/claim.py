"""Claim a queued dream, or take over a stalled one: the Redis lock, the tenant's slots under a row lock, epoch and lease.

The lock (SET NX with a TTL) comes first: a dream that does not get it is not claimed. The token of a claim names its dream,
so two messages of the same dream can both pass the lock, and the dream's row decides between them. A granted claim puts its
epoch into the token; the heartbeat renews that token, and the end of the dream releases it.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState
from shared.core.errors import NotFoundError, ServiceUnavailableError, SlowwaveError
from shared.core.gates.gates import GATES, GateVerdict
from shared.core.gates.snooze import AGENT_BUSY, SnoozeTerms, decide_busy_wait, decide_snooze, find_busy_until
from shared.core.tenants.store import Store, Tenant, decide_share
from shared.core.upkeep.due import decide_switched_on, gates_of, switched_off
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.runtime import DreamLock, KeptTexts
from shared.services.dreams.gate_facts import get_gate_facts
from shared.services.dreams.next_check import schedule_check_after

_CLAIMING = "claiming"
_DREAM_PREFIX = "drm_"
#: Longer than an outage of the database may take.
_REFUSAL_SECONDS = 7 * 86_400
#: Returns what the database said when it refused to renew a dream's lease; empty if it did not refuse.
FindRefusal = Callable[[Dream], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseTerms:
    """The duration of a lease, the model's name for the log, and the limit of running dreams over all tenants.

    Concurrent claims may exceed `slots` by one each: they take no common lock, so that a worker that hangs in its claim
    blocks no other. The tenant's own limit is counted under a lock.
    """

    lease_seconds: float
    model: str
    slots: int | None = None
    snooze: SnoozeTerms = field(default_factory=SnoozeTerms)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResult:
    """The claimed dream, or the reason why it was not claimed."""

    dream: Dream | None
    reason: str = ""
    is_rescue: bool = False
    budget_seconds: float = 0.0  # of the store's policy
    is_duplicate: bool = False  # another worker has the dream, or it has ended: the message was a duplicate


@dataclass(frozen=True, slots=True, kw_only=True)
class _HeldLock:
    """A lock that another holder has: the reason to show, and when the lock expires (None: unknown)."""

    reason: str
    until: datetime | None = None
    holder: str = ""


def note_refusal(kept: KeptTexts, tenant_id: str, dream_id: str, epoch: int, said: str) -> None:
    """Note that the database refuses to renew the lease of a worker that is alive; nothing said: it does so again."""
    with suppress(ServiceUnavailableError):
        kept.put(tenant_id, _refusal_name(dream_id, epoch), said, seconds=_REFUSAL_SECONDS if said else 1)


def find_refusal(kept: KeptTexts, dream: Dream) -> str:
    """Return what the database said when it refused to renew the lease of a dream's worker; empty if it did not."""
    with suppress(ServiceUnavailableError):
        return kept.get(dream.tenant_id, _refusal_name(dream.id, dream.epoch)) or ""
    return ""


def _refusal_name(dream_id: str, epoch: int) -> str:
    return f"refused:{dream_id}:{epoch}"


def claim_dream(
    db: Database,
    lock: DreamLock,
    tenant_id: str,
    dream_id: str,
    terms: LeaseTerms,
    *,
    found: Dream | None = None,
    find_refusal: FindRefusal = lambda _: "",
) -> ClaimResult:
    """Claim a queued dream, or take over one whose lease has expired.

    The lock comes first: a dream that does not get it is not claimed. A queued dream is canceled by a closed gate that
    force does not skip. It stays queued, to be tried again, when all slots are taken or the lock is held; so does a
    snoozed dream that wakes up while all slots are taken. `found` is the dream as the caller has just read it: the lock
    needs its store, and all else is read again under the row's lock. `find_refusal` tells whether the dream's worker
    was kept from renewing its lease.
    """
    full = _find_full(db, terms.slots)
    dream = found if found is not None else _find_dream(db, tenant_id, dream_id)
    held = _take_lock(db, lock, dream)
    if held is not None:
        return _leave_locked(db, dream, held, terms)
    token = claim_token(dream_id)
    try:
        with db.transaction(tenant_id) as uow:
            result = _claim(uow, dream_id, terms, full, find_refusal)
    except SlowwaveError:
        lock.release(tenant_id, dream.store, token)
        raise
    if result.dream is None:
        lock.release(tenant_id, dream.store, token)
        return result
    if result.is_rescue:
        count("slowwave_rescues_total")
    # The database has granted the store to this dream, so that it runs even if Redis has gone away just now.
    lock.acquire(tenant_id, dream.store, lock_token(result.dream), instead_of=token)
    return result


def _find_dream(db: Database, tenant_id: str, dream_id: str) -> Dream:
    with db.transaction(tenant_id) as uow:
        return uow.dreams.get(dream_id)


def lock_token(dream: Dream) -> str:
    """Return the value of a running dream's lock: its id and epoch."""
    return f"{dream.id}:{dream.epoch}"


def claim_token(dream_id: str) -> str:
    """Return the value of the lock while a dream is being claimed, before it has an epoch."""
    return f"{dream_id}:{_CLAIMING}"


def _take_lock(db: Database, lock: DreamLock, dream: Dream) -> _HeldLock | None:
    """Take the lock of a dream's store, or return its other holder. A holder that is dead according to PostgreSQL loses the lock."""
    tenant_id, store, token = dream.tenant_id, dream.store, claim_token(dream.id)
    holder = lock.take(tenant_id, store, token)
    if holder is None:
        return None
    if holder.is_unknown:
        return _HeldLock(reason="Redis does not answer or takes no writes, so the dream lock counts as held")
    with db.transaction(tenant_id) as uow:
        is_dead = _is_dead(uow, holder.token)
        now = uow.now()
    if is_dead and lock.acquire(tenant_id, store, token, instead_of=holder.token):
        return None
    until = None if holder.seconds_left is None else now + timedelta(seconds=holder.seconds_left)
    when = "and has no end" if until is None else f"until {until:%H:%M:%S} UTC"
    return _HeldLock(reason=f"The lock is held by {holder.token} {when}", until=until, holder=holder.token)


def _is_held_by(held: _HeldLock, dream_id: str) -> bool:
    """Tell whether another worker holds the lock for the same dream."""
    return held.holder.partition(":")[0] == dream_id


def _is_dead(uow: UnitOfWork, token: str) -> bool:
    """Tell whether the dream of a token has ended, sleeps, lost its lease, or has been claimed again since.

    A token of a dream that is not in the database is a leftover, such as after the restore of a backup. A token that names
    no dream belongs to another program: it holds the lock until it expires.
    """
    dream_id, _, rest = token.partition(":")
    try:
        dream = uow.dreams.get(dream_id)
    except NotFoundError:
        return dream_id.startswith(_DREAM_PREFIX)
    if dream.state not in ACTIVE_STATES:
        return True
    if not rest.isdecimal():
        return False
    lives = dream.state is DreamState.RUNNING and dream.epoch == int(rest)
    return not (lives and dream.lease_until is not None and dream.lease_until > uow.now())


def _leave_locked(db: Database, dream: Dream, held: _HeldLock, terms: LeaseTerms) -> ClaimResult:
    """Return why a dream with a held lock is not claimed; a queued dream is snoozed until that lock expires."""
    if _is_held_by(held, dream.id):
        return ClaimResult(dream=None, reason=f"{dream.id} is being worked on", is_duplicate=True)
    if not held.holder:
        return ClaimResult(dream=None, reason=held.reason)
    with db.transaction(dream.tenant_id) as uow:
        found = uow.dreams.get(dream.id, lock=True)
        if found.state is DreamState.QUEUED:
            seconds = terms.lease_seconds if held.until is None else (held.until - uow.now()).total_seconds()
            count("slowwave_snoozes_total", why="lock_held")
            uow.dreams.snooze(found.id, seconds=max(seconds, 1.0), reason=held.reason, snoozes=found.snooze_count)
    return ClaimResult(dream=None, reason=held.reason)


def _find_full(db: Database, slots: int | None) -> str:
    """Return the reason why no further dream may run; empty when one may."""
    if slots is None or (running := db.admission.count_running()) < slots:
        return ""
    return f"No free slot ({running} of {slots} dreams of all tenants running)"


def _claim(uow: UnitOfWork, dream_id: str, terms: LeaseTerms, full: str, find_refusal: FindRefusal) -> ClaimResult:
    tenant = uow.stores.get_tenant(lock=True)
    if terms.slots is not None:
        share = decide_share(tenant.max_concurrent_dreams, terms.slots)
        tenant = replace(tenant, max_concurrent_dreams=share)
    dream = uow.dreams.get(dream_id, lock=True)
    if dream.state not in ACTIVE_STATES:
        return ClaimResult(dream=None, reason=f"{dream_id} is {dream.state}", is_duplicate=True)
    if dream.next_attempt_at is not None and dream.next_attempt_at > uow.now():
        return ClaimResult(dream=None, reason=f"{dream_id} sleeps until {dream.next_attempt_at:%H:%M:%S} UTC")
    store = uow.stores.get(dream.store)
    if (
        dream.state is DreamState.QUEUED
        and (held := _leave_queued(uow, tenant, store, dream, terms.snooze)) is not None
    ):
        return held
    begins = dream.state is DreamState.QUEUED or dream.next_attempt_at is not None
    if full and begins and dream.cancel_requested_at is None:
        return ClaimResult(dream=None, reason=full)
    budget_seconds = store.policy.budget.dream_seconds
    has_lapsed = dream.state is DreamState.RUNNING and dream.next_attempt_at is None
    claimed = uow.dreams.claim(
        dream_id,
        budget_seconds=budget_seconds,
        lease_seconds=terms.lease_seconds,
        model=terms.model,
        refusal=find_refusal(dream) if has_lapsed else "",
    )
    if claimed is None:
        return ClaimResult(dream=None, reason=f"{dream_id} is being worked on", is_duplicate=True)
    uow.phases.release_claims(dream_id)
    is_rescue = claimed.rescue_count > dream.rescue_count
    return ClaimResult(dream=claimed, is_rescue=is_rescue, budget_seconds=budget_seconds)


def _leave_queued(
    uow: UnitOfWork, tenant: Tenant, store: Store, dream: Dream, terms: SnoozeTerms
) -> ClaimResult | None:
    """Return why a queued dream cannot begin now, after canceling or snoozing it if needed; None if it can."""
    refused = _decide_refused(uow, tenant, store, dream)
    if refused is None:
        return _wait_for_agent(uow, store, dream, terms)
    if refused.gate == "lock":
        return ClaimResult(dream=None, reason=refused.reason)
    count("slowwave_refusals_total", gate=refused.gate)
    return _cancel(uow, dream, refused.reason)


def _decide_refused(uow: UnitOfWork, tenant: Tenant, store: Store, dream: Dream) -> GateVerdict | None:
    """Return the verdict of the first shut gate that force does not skip."""
    facts = get_gate_facts(uow, tenant, store, ignoring_dream=dream.id)
    if dream.is_upkeep and not (dream.is_forced or decide_switched_on(store.policy, dream.trigger)):
        return switched_off(dream.trigger)
    gates = gates_of(dream.trigger) if dream.is_upkeep else GATES
    always = (gate for gate, is_skipped_by_force in gates if not is_skipped_by_force)
    verdicts = (gate(facts, store.policy.gates, uow.now()) for gate in always)
    return next((verdict for verdict in verdicts if verdict is not None), None)


def _wait_for_agent(uow: UnitOfWork, store: Store, dream: Dream, terms: SnoozeTerms) -> ClaimResult | None:
    """Snooze an unforced dream while its store's agent is busy; cancel it when it was snoozed too often."""
    until = None if dream.is_forced else find_busy_until(store, store.policy.gates, uow.now())
    if until is None:
        return None
    wanted = decide_busy_wait(snoozes=dream.snooze_count)
    seconds = decide_snooze(terms, snoozes=dream.snooze_count, wanted_seconds=wanted)
    if seconds is None:
        return _cancel(uow, dream, f"The agent stayed busy through {dream.snooze_count} snoozes")
    count("slowwave_snoozes_total", why="agent_busy")
    uow.dreams.snooze(dream.id, seconds=seconds, reason=AGENT_BUSY, snoozes=dream.snooze_count + 1)
    return ClaimResult(dream=None, reason=AGENT_BUSY)


def _cancel(uow: UnitOfWork, dream: Dream, reason: str) -> ClaimResult:
    count("slowwave_dreams_ended_total", state=str(DreamState.CANCELED))
    uow.dreams.finish(dream.id, DreamState.CANCELED, reason=reason)
    schedule_check_after(uow, dream)
    return ClaimResult(dream=None, reason=reason)
