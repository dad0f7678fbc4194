"""Start a dream: decide the gates, then insert a queued row. The caller dispatches it after the commit (outbox).

A lost message only delays a dream: the reconciler sends queued rows again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, Trigger
from shared.core.errors import ConflictError
from shared.core.gates.busy_agent import decide_busy_since
from shared.core.gates.gates import GATES, GATES_WHILE_ACTIVE, GateVerdict, decide_gates
from shared.core.gates.next_check import PRE_SCAN_GATES, decide_next_check
from shared.core.tenants.model_settings import refuse_batches
from shared.core.tenants.store import DEFAULT_STORE, Store, Verdict
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.services.dreams.due_change import GetPhases
from shared.services.dreams.gate_facts import get_gate_facts
from shared.tracing import link_dream_trace


@dataclass(frozen=True, slots=True, kw_only=True)
class StartResult:
    """A queued dream, or the verdict of the closed gate."""

    dream: Dream | None
    verdict: GateVerdict


def start_dream(  # noqa: PLR0913 - one parameter for each way to ask for a dream
    db: Database,
    tenant_id: str,
    store_name: str = DEFAULT_STORE,
    *,
    trigger: Trigger,
    force: bool = False,
    dry_run: bool = False,
    batch: bool = False,
    while_active: bool = False,
    actor: str = "",  # empty for a sweep
    phases: GetPhases | None = None,
) -> StartResult:
    """Evaluate the gates and insert a queued dream if they are open; store the verdict either way.

    `phases` are asked whether a quiet store has due work; None: they are not asked. With `while_active` the dream does not
    wait for its agent, neither to start nor, as a forced one, later.
    Raises NotFoundError, and BadInputError if `batch` is set for a store that never uses Message Batches.
    """
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant(lock=True)
        store = uow.stores.get(store_name, lock=True)
        if batch:
            refuse_batches(tenant, store)
        now = uow.now()
        # A sweep finds many stores of one tenant at once. If all were queued, no other tenant would be admitted.
        slot_states = ACTIVE_STATES if trigger is Trigger.SWEEP else frozenset({DreamState.RUNNING})
        facts = get_gate_facts(uow, tenant, store, slot_states=slot_states, phases=None if force else phases)
        gates = GATES_WHILE_ACTIVE if while_active else GATES
        verdict = decide_gates(facts, store.policy.gates, now, force=force, gates=gates)
        dream, is_forced = None, force or while_active
        if verdict.is_open:
            add = partial(uow.dreams.add, store.id, trigger=trigger, force=is_forced, dry_run=dry_run, batch=batch)
            dream, verdict = _queue(uow, add, verdict, actor)
        _record_verdict(uow, store, verdict, now, is_full_check=not force and verdict.gate not in PRE_SCAN_GATES)
    if dream is None:
        count("slowwave_refusals_total", gate=verdict.gate)
    else:
        tell_queued(dream)
    return StartResult(dream=dream, verdict=verdict)


def _queue(
    uow: UnitOfWork, add: Callable[[], Dream], verdict: GateVerdict, actor: str
) -> tuple[Dream | None, GateVerdict]:
    """Return the new dream, and the verdict: another one if a dream of the store is under way already."""
    try:
        dream = add()
        record_start(uow, dream, actor)
    except ConflictError as error:
        return None, GateVerdict(is_open=False, gate="lock", reason=str(error))
    return dream, verdict


def _record_verdict(uow: UnitOfWork, store: Store, verdict: GateVerdict, now: datetime, *, is_full_check: bool) -> None:
    stored, next_check_at = to_stored_verdict(store, verdict, now), decide_next_check(store, verdict, now)
    uow.activity.record_verdict(store.id, stored, next_check_at, is_full_check=is_full_check)


def record_start(uow: UnitOfWork, dream: Dream, actor: str) -> None:
    """Record the start of a dream in the audit log; a sweep's start has no actor and is not recorded."""
    how: dict[str, object] = {"force": dream.is_forced, "dry_run": dream.is_dry_run}
    if dream.is_batched:
        how["batch"] = True
    if dream.is_upkeep:
        how["upkeep"] = str(dream.trigger)
    uow.record_audit(actor, "dream.start", dream_id=dream.id, store=dream.store, **how)


def tell_queued(dream: Dream) -> None:
    """Count a dream that was just queued, and link the current trace to the dream's trace."""
    count("slowwave_dreams_queued_total", trigger=str(dream.trigger))
    link_dream_trace(dream.id)


def to_stored_verdict(store: Store, verdict: GateVerdict, now: datetime) -> Verdict:
    """Return a verdict in the form that a store keeps."""
    return Verdict(
        at=now,
        is_open=verdict.is_open,
        gate=verdict.gate,
        reason=verdict.reason,
        retry_at=verdict.retry_at,
        busy_since=decide_busy_since(store, verdict.gate, now),
    )
