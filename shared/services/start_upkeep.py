"""Start an upkeep dream: its switch, its own rule, the gates; then a queued row. Whoever calls sends it.

A sweep does so, or somebody who wants it now; force gets them past the switch, the rule's patience and the gates that wait.

Tenant and store are locked in the same order as for a whole dream, and one index keeps both to one active dream a store.
"""

from datetime import datetime

from shared.core.dream import ACTIVE_STATES, UPKEEP_TRIGGERS, DreamState, Trigger
from shared.core.errors import ConflictError
from shared.core.gates import GateVerdict
from shared.core.spread import spread_due
from shared.core.store import Store, Tenant
from shared.core.upkeep import decide_next_look, decide_switched_on, decide_upkeep, switched_off
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.services.find_upkeep import FIND_DUE
from shared.services.gate_facts import get_gate_facts
from shared.services.start_dream import StartResult, record_start


def start_upkeep(
    db: Database,
    tenant_id: str,
    store_name: str,
    trigger: Trigger,
    *,
    force: bool = False,
    dry_run: bool = False,
    actor: str = "",  # nobody, where a sweep does so
) -> StartResult:
    """Insert a queued upkeep dream if it is due and may begin, and say when to look at the store again.

    What somebody is refused, or only tries out, leaves the sweep's next look where it is.

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
            spread = spread_due(store.id, next_at, uow.now()) if next_at is not None else None
            uow.activity.set_upkeep_check(store.id, trigger, spread)
    if dream is not None:
        count("slowwave_dreams_queued_total", trigger=str(trigger))
    elif verdict.gate not in {"off", str(trigger)}:
        count("slowwave_refusals_total", gate=verdict.gate)
    return StartResult(dream=dream, verdict=verdict)


def explain_upkeep(
    uow: UnitOfWork, tenant: Tenant, store: Store, trigger: Trigger, *, force: bool = False, is_wish: bool = False
) -> tuple[GateVerdict, datetime | None]:
    """Return whether an upkeep dream may begin now or why not, and when to look again. Nothing is recorded.

    A sweep's dreams take turns with what is queued already; what somebody wishes is held by what runs alone.
    """
    now = uow.now()
    is_on = decide_switched_on(store.policy, trigger)
    if not (is_on or force):
        return switched_off(trigger), None
    due = FIND_DUE[trigger](uow, tenant, store, force=force)
    slot_states = frozenset({DreamState.RUNNING}) if is_wish else ACTIVE_STATES
    facts = get_gate_facts(uow, tenant, store, slot_states=slot_states)
    verdict = decide_upkeep(store.policy, trigger, due, facts, now, force=force)
    return verdict, decide_next_look(verdict, trigger, due, now) if is_on else None


def arm_upkeep(uow: UnitOfWork, store: Store) -> None:
    """Have a store whose settings have changed looked at soon for every kind of upkeep that is on by now."""
    for trigger in UPKEEP_TRIGGERS:
        uow.activity.set_upkeep_check(
            store.id, trigger, uow.now() if decide_switched_on(store.policy, trigger) else None
        )
