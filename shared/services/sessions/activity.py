"""Agents report their activity, so that dreams do not compete with a live turn."""

from dataclasses import replace
from datetime import datetime, timedelta

from shared.core.dream.model import ACTIVE_STATES
from shared.core.errors import BadInputError
from shared.core.gates.snooze import decide_wake, find_busy_until
from shared.core.tenants.store import Store
from shared.ports.database import Database, UnitOfWork

MAX_TURN_SECONDS = 3_600.0


def mark_activity(
    db: Database, tenant_id: str, store_name: str, *, busy_seconds: float, pending_tasks: int, actor: str = ""
) -> datetime | None:
    """Hold dreams back for `busy_seconds` (0: the turn is over) and while tasks are pending; return the end.

    A mark that is not renewed expires, so that an agent that died does not stop its store's dreams.

    Raises:
        BadInputError: a number is out of range.
        NotFoundError: there is no such store.
    """
    if not 0 <= busy_seconds <= MAX_TURN_SECONDS:
        raise BadInputError(
            f"A turn can be marked for 0 to {MAX_TURN_SECONDS:g} seconds; renew the mark if it takes longer"
        )
    if not 0 <= pending_tasks <= 1_000_000:
        raise BadInputError("The number of pending tasks is 0 to 1,000,000")
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        until = uow.now() + timedelta(seconds=busy_seconds) if busy_seconds else None
        was_busy = store.active_until is not None and store.active_until > uow.now()
        if was_busy != (until is not None):  # renewing a mark every few seconds is not a change each time
            uow.record_audit(actor, "activity.begin" if until else "activity.end", store=store_name)
        _wake(uow, replace(store, active_until=until, pending_tasks=pending_tasks))
        uow.activity.set_busy(store.id, pending_tasks=pending_tasks, active_until=until)
        if until is None and store.active_until is not None:
            uow.activity.record(store.id)  # the idle window begins at the end of a turn
        return until


def _wake(uow: UnitOfWork, store: Store) -> None:
    """Reschedule the store's dream that is snoozed because its agent was busy.

    Call it before writing the store: the end of a dream locks the dream first, then the store.
    """
    for found in uow.dreams.find_recent(store_id=store.id, states=ACTIVE_STATES, limit=1):
        policy = store.policy.gates
        is_busy = find_busy_until(store, policy, uow.now()) is not None
        dream = uow.dreams.get(found.id, lock=True) if found.next_attempt_at else found
        at = decide_wake(dream, policy.idle_seconds, uow.now(), is_busy=is_busy)
        if at is not None and at != dream.next_attempt_at:
            uow.dreams.wake_at(dream.id, at)
