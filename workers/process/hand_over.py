"""Let a dream go that this worker cannot finish: at once, instead of when the lease lapses."""

import structlog

from shared.core.errors import SlowwaveError
from shared.ports.ports import Ports
from shared.services.dreams.send import send_dream
from workers.phase.work import PhaseKey

_log = structlog.get_logger()


def hand_over(ports: Ports, key: PhaseKey, store: str) -> None:
    """Give a dream to another worker, because this one leaves. Its stored steps and answers stay; no rescue is counted."""
    _let_go(ports, key, store, is_planned=True)


def give_up(ports: Ports, key: PhaseKey, store: str) -> None:
    """Give up a dream whose phase is stuck. The new epoch makes the stuck thread harmless; this counts as a rescue."""
    _let_go(ports, key, store, is_planned=False)


def _let_go(ports: Ports, key: PhaseKey, store: str, *, is_planned: bool) -> None:
    bound = {"tenant_id": key.tenant_id, "store": store, "dream_id": key.dream_id, "phase": key.phase}
    log = _log.bind(**bound, epoch=key.epoch, planned=is_planned)
    try:
        with ports.db.transaction(key.tenant_id) as uow:
            dream = uow.dreams.let_go(key.dream_id, key.epoch, is_planned=is_planned)
        ports.lock.release(key.tenant_id, store, f"{key.dream_id}:{key.epoch}")
        unsent = send_dream(ports.db, ports.dispatch, dream)
    except SlowwaveError as error:
        # Somebody else has the dream, or the database is away: then the lease lapses and the reconciler goes on.
        log.warning("dream_not_let_go", reason=str(error))
        return
    log.info("dream_let_go", next="the reconciler sends it" if unsent else "sent to another worker")
