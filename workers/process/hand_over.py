"""Release a dream that this worker will not finish, so that another worker can claim it before the lease lapses.

While the database refuses, a dream waits, as it does for a model's rate limit.
"""

from shared.all_ports import Ports
from shared.core.errors import DatabaseRefusesError, SlowwaveError
from shared.counting import count
from shared.logger import get_logger
from shared.services.dreams.claim import lock_token, note_refusal
from shared.services.dreams.send import send_dream
from workers.phase.work import PhaseKey

_log = get_logger()
_REFUSED_SECONDS = 15.0
_SAID_CHARS = 300


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


def wait_for_database(ports: Ports, key: PhaseKey, refusal: DatabaseRefusesError) -> None:
    """Let a dream wait until the database takes its writes: no rescue is counted, and its deadline stands still.

    A database that refuses some writes may take the snooze, which shows the reason. If it does not, the refusal is noted
    in Redis for the claim that comes after the lease has lapsed.
    """
    said = str(refusal)[:_SAID_CHARS]
    log = _log.bind(tenant_id=key.tenant_id, dream_id=key.dream_id, phase=key.phase, epoch=key.epoch, reason=said)
    try:
        with ports.db.transaction(key.tenant_id) as uow:
            dream = uow.dreams.fence(key.dream_id, key.epoch, ports.settings.lease_seconds)
            uow.phases.release_claims(key.dream_id)
            uow.dreams.snooze(key.dream_id, seconds=_REFUSED_SECONDS, reason=said, snoozes=dream.snooze_count)
    except DatabaseRefusesError:
        note_refusal(ports.kept, key.tenant_id, key.dream_id, key.epoch, said)
        log.warning("dream_waits", next="the reconciler goes on when the database takes writes again")
        return
    except SlowwaveError as error:
        log.warning("dream_not_snoozed", error=str(error))
        return
    ports.lock.release(key.tenant_id, dream.store, lock_token(dream))
    count("slowwave_snoozes_total", why="database_refuses")
    log.warning("dream_snoozed", why="database_refuses", seconds=_REFUSED_SECONDS)
