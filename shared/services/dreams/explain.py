"""Explain why a store has not dreamt and when it will: every gate with its numbers. Nothing is recorded."""

from dataclasses import dataclass
from datetime import datetime

from shared.core.budgets.dollars import BudgetUse
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, Trigger
from shared.core.gates.gates import GATES, GateVerdict, decide_gates
from shared.core.gates.quarantine import TELLING_STATES
from shared.core.tenants.store import Store, Tenant
from shared.ports.database import Database, UnitOfWork
from shared.services.dreams.due_change import GetPhases
from shared.services.dreams.gate_facts import get_gate_facts
from shared.services.dreams.start_upkeep import explain_upkeep

#: Dry runs among the newest dreams are skipped, up to this many.
_NEWEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepLine:
    """One kind of upkeep: whether it may begin now, why not, and the store's next check for it."""

    trigger: Trigger
    verdict: GateVerdict
    next_check_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreExplanation:
    """A store, the verdicts of its gates now, also for a forced dream, and its pending work."""

    tenant: Tenant
    store: Store
    now: datetime
    verdict: GateVerdict
    forced: GateVerdict
    gates: tuple[GateVerdict, ...]
    live_memories: int
    changed_memories: int
    pending_merges: int
    pending_reviews: int
    upkeep: tuple[UpkeepLine, ...] = ()
    dollars: tuple[BudgetUse, ...] = ()  # the budgets in dollars that hold for it
    active: Dream | None = None  # it is queued, runs or sleeps
    problem: Dream | None = None  # a dream that sleeps, or the newest ended one when it did not get through


def explain_store(db: Database, tenant_id: str, store_name: str, phases: GetPhases) -> StoreExplanation:
    """Evaluate each gate on its own, and all of them in order. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        tenant, store = uow.stores.get_tenant(), uow.stores.get(store_name)
        now = uow.now()
        facts, policy = get_gate_facts(uow, tenant, store, phases=phases), store.policy.gates
        shut = (gate(facts, policy, now) for gate, _ in GATES)
        counts = uow.statistics.count_store(store.id)
        active = next(iter(uow.dreams.find_recent(store_id=store.id, states=ACTIVE_STATES, limit=1)), None)
        return StoreExplanation(
            tenant=tenant,
            store=store,
            now=now,
            verdict=decide_gates(facts, policy, now, force=False),
            forced=decide_gates(facts, policy, now, force=True),
            gates=tuple(verdict for verdict in shut if verdict is not None),
            live_memories=counts.live,
            changed_memories=counts.changed,
            pending_merges=len(uow.merges(store.id).find_open()),
            pending_reviews=counts.to_review,
            upkeep=_explain_upkeep(uow, tenant, store),
            dollars=facts.dollars,
            active=active,
            problem=_find_problem(uow, store, active),
        )


def _find_problem(uow: UnitOfWork, store: Store, active: Dream | None) -> Dream | None:
    if active is not None:
        return active if active.next_attempt_at is not None else None
    newest = uow.dreams.find_recent(store_id=store.id, states=TELLING_STATES, limit=_NEWEST)
    ended = next((dream for dream in newest if not dream.is_dry_run), None)
    return ended if ended is not None and ended.state is not DreamState.COMPLETED else None


def _explain_upkeep(uow: UnitOfWork, tenant: Tenant, store: Store) -> tuple[UpkeepLine, ...]:
    checks = {Trigger.DIGEST: store.digest_check_at, Trigger.COMPACTION: store.compaction_check_at}
    return tuple(
        UpkeepLine(trigger=trigger, verdict=explain_upkeep(uow, tenant, store, trigger)[0], next_check_at=at)
        for trigger, at in checks.items()
    )
