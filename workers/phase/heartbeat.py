"""The heartbeat of a phase, on its own thread: it renews the leases while the worker waits for a model."""

import threading
from dataclasses import asdict
from types import TracebackType
from typing import Self

from shared.all_ports import Ports
from shared.core.errors import DatabaseRefusesError, LostLeaseError, SlowwaveError
from shared.counting import count
from shared.logger import get_logger
from shared.services.dreams.claim import note_refusal
from workers.phase.work import PhaseKey

_log = get_logger()
#: How soon a refused heartbeat is tried again: before another worker could take the lapsed lease for a lost worker's.
_AGAIN_SECONDS = 2.0


class Heartbeat:
    """Renews the dream's lease, the phase's lease and the lock until the block ends.

    `is_lost` is set when another worker has taken over the dream. The phase checks it between model calls; the fence would
    refuse its writes in any case.
    """

    def __init__(self, ports: Ports, key: PhaseKey, runner: str, store: str) -> None:
        self._ports = ports
        self._key = key
        self._runner = runner
        self._store = store
        self._stop = threading.Event()
        self.is_lost = threading.Event()
        self.cancel_requested = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"heartbeat-{key.dream_id}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        usual = self._ports.settings.heartbeat_seconds
        refused = False
        while not self._stop.wait(min(usual, _AGAIN_SECONDS) if refused else usual):
            try:
                self._beat()
                if refused:
                    self._note("")
                refused = False
            except LostLeaseError:
                count("slowwave_lost_leases_total", where="heartbeat")
                self.is_lost.set()
                return
            except DatabaseRefusesError as error:
                if not refused:
                    self._log_failure(error)
                    self._note(str(error))
                refused = True
            except SlowwaveError as error:
                # The lease may still be valid; the next heartbeat or the next write finds out.
                self._log_failure(error)

    def _log_failure(self, error: SlowwaveError) -> None:
        _log.warning("heartbeat_failed", store=self._store, **asdict(self._key), reason=str(error))

    def _note(self, said: str) -> None:
        note_refusal(self._ports.kept, self._key.tenant_id, self._key.dream_id, self._key.epoch, said)

    def _beat(self) -> None:
        key, seconds = self._key, self._ports.settings.lease_seconds
        with self._ports.db.transaction(key.tenant_id) as uow:
            dream = uow.dreams.fence(key.dream_id, key.epoch, seconds)
            uow.phases.renew(key.dream_id, key.phase, runner=self._runner, lease_seconds=seconds)
        if dream.cancel_requested_at is not None:
            self.cancel_requested.set()
        self._renew_lock(f"{key.dream_id}:{key.epoch}")

    def _renew_lock(self, token: str) -> None:
        """Renew the lock, or take it again if it expired between two tasks: the fence has confirmed that this worker owns the dream."""
        lock, tenant_id = self._ports.lock, self._key.tenant_id
        if lock.renew(tenant_id, self._store, token):
            return
        holder = lock.take(tenant_id, self._store, token)
        if holder is not None and not holder.is_unknown:
            _log.warning("lock_held_by_another", store=self._store, **asdict(self._key), holder=holder.token)
