"""Collect the facts from which the gates decide."""

from collections.abc import Collection
from dataclasses import replace

from shared.core.dream.model import ACTIVE_STATES, DreamState
from shared.core.gates.busy_agent import find_busy_since
from shared.core.gates.deferral import Installation, decide_deferred
from shared.core.gates.gates import GateFacts
from shared.core.gates.quarantine import EndedDream
from shared.core.tenants.store import Store, Tenant
from shared.ports.database import UnitOfWork
from shared.ports.stores import StoreState
from shared.services.budgets.use import find_budget_uses
from shared.services.dreams.due_change import GetPhases, find_due_change, needs_due_change


def get_gate_facts(
    uow: UnitOfWork,
    tenant: Tenant,
    store: Store,
    *,
    ignoring_dream: str = "",
    slot_states: Collection[DreamState] = frozenset({DreamState.RUNNING}),
    phases: GetPhases | None = None,
) -> GateFacts:
    """Return the gate facts of a store.

    Args:
        uow: the transaction.
        tenant: the store's tenant.
        store: the store as it is now.
        ignoring_dream: the queued dream to decide about, which does not count itself.
        slot_states: the states in which a dream takes one of the tenant's slots.
        phases: the phases to ask whether a quiet store has due work; None: they are not asked.
    """
    active = uow.dreams.find_recent(store_id=store.id, states=ACTIVE_STATES, limit=1)
    slots = uow.dreams.find_recent(states=slot_states, limit=tenant.max_concurrent_dreams + 1)
    state = StoreState(
        store=store,
        tenant=tenant,
        version="",
        at=uow.now(),
        ended=find_ended(uow, store),
        active_dream=next((dream.id for dream in active if dream.id != ignoring_dream), ""),
        tenant_dreams=len(slots),
        tokens_today=uow.calls.count_tokens_today(),
    )
    facts = replace(facts_of(state, uow.stores.get_installation()), dollars=find_budget_uses(uow, tenant, store))
    if phases is None or not needs_due_change(facts, store, state.at):
        return facts
    return replace(facts, has_due_change=find_due_change(uow, store, state.at, phases))


def facts_of(state: StoreState, installation: Installation) -> GateFacts:
    """Return the gate facts of a store that has been read already. Budgets in dollars are not included."""
    tenant, store = state.tenant, state.store
    share = max(installation.defer_percent, tenant.defer_percent)
    return GateFacts(
        paused_by=find_pause(installation, tenant, store),
        ended=state.ended,
        quiet_hours=tenant.quiet_hours,
        time_zone=tenant.time_zone,
        deferred_percent=share if decide_deferred(store.id, share, state.at) else 0,
        tokens_today=state.tokens_today,
        tokens_per_day=get_tokens_per_day(tenant, store),
        last_dream_at=store.last_dream_at,
        last_check_at=store.last_check_at,
        curations=store.curations,
        sessions=store.sessions,
        waiting_sessions=store.waiting_sessions,
        waiting_changes=store.waiting_changes,
        pending_tasks=store.pending_tasks,
        active_until=store.active_until,
        last_activity_at=store.last_activity_at,
        busy_since=find_busy_since(store),
        running_dream=state.active_dream,
        tenant_dreams=state.tenant_dreams,
        tenant_cap=tenant.max_concurrent_dreams,
    )


def find_ended(uow: UnitOfWork, store: Store) -> tuple[EndedDream, ...]:
    """Return the newest ended dreams of a store, as many as its quarantine rule needs."""
    after = store.policy.gates.quarantine_after
    return tuple(uow.stores.find_ended(store.id, since=store.forgiven_at, limit=after)) if after else ()


def find_pause(installation: Installation, tenant: Tenant, store: Store) -> str:
    """Return the level at which a store is paused (operator, tenant or store), `archived`, or an empty text."""
    pauses = (("operator", installation), ("tenant", tenant), ("store", store))
    return next((name for name, one in pauses if one.paused_at), "archived" if store.archived_at else "")


def get_tokens_per_day(tenant: Tenant, store: Store) -> int:
    """Return a tenant's daily token budget: its own, or the one of the store's policy."""
    return tenant.tokens_per_day if tenant.tokens_per_day is not None else store.policy.budget.tokens_per_day
