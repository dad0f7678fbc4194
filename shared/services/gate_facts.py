"""Collect what the gates look at, from the database's point of view."""

from collections.abc import Collection

from shared.core.dream import ACTIVE_STATES, DreamState
from shared.core.gates import GateFacts
from shared.core.installation import decide_deferred
from shared.core.store import Store, Tenant
from shared.ports.database import UnitOfWork


def get_gate_facts(
    uow: UnitOfWork,
    tenant: Tenant,
    store: Store,
    *,
    ignoring_dream: str = "",
    slot_states: Collection[DreamState] = frozenset({DreamState.RUNNING}),
) -> GateFacts:
    """Return the facts of a store.

    Args:
        uow: the transaction.
        tenant: whose store.
        store: the store as it is now.
        ignoring_dream: the queued dream that asks on its own behalf.
        slot_states: the states of dreams that take one of the tenant's slots.
    """
    active = uow.dreams.find_recent(store_id=store.id, states=ACTIVE_STATES, limit=1)
    others = [dream for dream in active if dream.id != ignoring_dream]
    installation = uow.stores.get_installation()
    pauses = (("operator", installation), ("tenant", tenant), ("store", store))
    share = max(installation.defer_percent, tenant.defer_percent)
    slots = uow.dreams.find_recent(states=slot_states, limit=tenant.max_concurrent_dreams + 1)
    per_day = tenant.tokens_per_day if tenant.tokens_per_day is not None else store.policy.budget.tokens_per_day
    return GateFacts(
        paused_by=next((name for name, one in pauses if one.paused_at), ""),
        deferred_percent=share if decide_deferred(store.id, share, uow.now()) else 0,
        tokens_today=uow.calls.count_tokens_today(),
        tokens_per_day=per_day,
        last_dream_at=store.last_dream_at,
        last_check_at=store.last_check_at,
        curations=store.curations,
        sessions=store.sessions,
        pending_tasks=store.pending_tasks,
        active_until=store.active_until,
        last_activity_at=store.last_activity_at,
        running_dream=others[0].id if others else "",
        tenant_dreams=len([dream for dream in slots if dream.id != ignoring_dream]),
        tenant_cap=tenant.max_concurrent_dreams,
    )
