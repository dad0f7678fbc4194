"""Wait a moment for an agent whose turn is live: turns are short, and a sleep that is not needed costs minutes."""

from shared.core.snooze import find_busy_until
from workers.phase_work import PhaseWork
from workers.running import RUNNING


def stays_busy(work: PhaseWork) -> bool:
    """Ask every few seconds whether the store's agent is free; return whether it was busy to the end.

    The heartbeat holds the dream meanwhile. A worker that is told to leave stops waiting.
    """
    settings = work.ports.settings
    is_busy = work.busy_seconds > 0
    for _ in range(settings.busy_polls if is_busy else 0):
        if work.left.seconds() <= settings.busy_poll_seconds or RUNNING.is_leaving.wait(settings.busy_poll_seconds):
            break
        with work.ports.db.transaction(work.key.tenant_id) as uow:
            store = uow.stores.get(work.dream.store)
            is_busy = find_busy_until(store, store.policy.gates, uow.now()) is not None
        if not is_busy:
            break
    return is_busy
