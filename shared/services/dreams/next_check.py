"""Schedule a store's next check after a dream that left activity unread, or after upkeep."""

from dataclasses import replace
from datetime import timedelta

from shared.core.dream.model import Dream
from shared.core.gates.jitter import wait_with_jitter
from shared.core.gates.next_check import has_rest
from shared.core.upkeep.due import RECHECK_WAIT
from shared.ports.database import UnitOfWork

#: The shortest pause between two attempts, whatever the profile's throttle: it also spaces out retries after failures.
_LEAST_PAUSE = timedelta(minutes=10)


def schedule_check_after(uow: UnitOfWork, dream: Dream) -> None:
    """Schedule the next check of a dream's store; after upkeep, the next check for that kind of upkeep."""
    if dream.is_upkeep:
        at = uow.now() + wait_with_jitter(dream.store_id, RECHECK_WAIT)
        uow.activity.set_upkeep_check(dream.store_id, dream.trigger, at)
    else:
        schedule_next_check(uow, dream.store)


def schedule_next_check(uow: UnitOfWork, store_name: str) -> None:
    """Schedule the store's next check, unless there is no unread activity or a check is scheduled already."""
    store = uow.stores.get(store_name, lock=True)
    if store.next_check_at is not None or not has_rest(store):
        return
    pause = max(_LEAST_PAUSE, timedelta(minutes=store.policy.gates.scan_throttle_minutes))
    uow.stores.save(replace(store, next_check_at=uow.now() + wait_with_jitter(store.id, pause)))
