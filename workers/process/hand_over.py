"""Release a dream that this worker will not finish, so that another worker can claim it before the lease lapses."""

from shared.all_ports import Ports
from shared.core.errors import SlowwaveError
from shared.logger import get_logger
from shared.services.dreams.send import send_dream
from workers.phase.work import PhaseKey

_log = get_logger()


def release_dream(ports: Ports, key: PhaseKey, store: str, *, planned: bool) -> None:
    """Release a dream under a new epoch and send it to another worker. Its stored steps and answers stay.

    Args:
        ports: this process's ports.
        key: the phase that ran.
        store: the name of the dream's store.
        planned: the worker drains; this is not counted as a rescue. False: the phase is stuck; the new epoch makes its
            thread harmless, and the release counts as a rescue.
    """
    bound = {"tenant_id": key.tenant_id, "store": store, "dream_id": key.dream_id, "phase": key.phase}
    log = _log.bind(**bound, epoch=key.epoch, planned=planned)
    try:
        with ports.db.transaction(key.tenant_id) as uow:
            dream = uow.dreams.release(key.dream_id, key.epoch, is_planned=planned)
        ports.lock.release(key.tenant_id, store, f"{key.dream_id}:{key.epoch}")
        unsent = send_dream(ports.db, ports.dispatch, dream)
    except SlowwaveError as error:
        # Another worker has the dream, or the database is away: then the lease lapses and the reconciler goes on.
        log.warning("dream_release_failed", reason=str(error))
        return
    log.info("dream_released", next="the reconciler sends it" if unsent else "sent to another worker")
