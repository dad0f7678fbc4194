"""Dispatch tasks through Celery, by name, so that no process imports another one's tasks."""

from collections.abc import Callable, Mapping

from celery import Celery, chain
from kombu.exceptions import OperationalError

from shared.adapters.celery import names
from shared.adapters.celery.config import time_limits
from shared.core.errors import ServiceUnavailableError
from shared.ports.webhooks import ClaimedDelivery

_SEND_RETRIES = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.3, "interval_max": 0.5}


class CeleryDispatch:
    """Implements `Dispatch`."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def send_dream(self, tenant_id: str, store: str, *, dream_id: str) -> None:
        """Send the task that starts a queued dream."""
        kwargs = {"tenant_id": tenant_id, "dream_id": dream_id, "store": store}
        _reaching_broker(lambda: self._send(names.DREAM, kwargs))

    def send_chain(
        self, tenant_id: str, dream_id: str, epoch: int, phases: tuple[str, ...], *, store: str, budget_seconds: float
    ) -> None:
        """Send a chain that runs phases one after another, then finishes the dream. Immutable signatures, ids only.

        A worker that cannot read the dream's row logs the store; the pool's limits follow from the budget.
        """
        kwargs = {"tenant_id": tenant_id, "dream_id": dream_id, "epoch": epoch, "store": store}
        tasks = [*(names.phase_task(phase) for phase in phases), names.FINISH]
        options = {"kwargsrepr": _shown(kwargs), **time_limits(budget_seconds)}
        steps = [self._app.signature(task, kwargs=kwargs, immutable=True, options=options) for task in tasks]
        _reaching_broker(lambda: chain(*steps).apply_async(retry_policy=_SEND_RETRIES))

    def send_check(self, tenant_id: str, store: str) -> None:
        """Send the task that checks whether a store may dream."""
        _reaching_broker(lambda: self._send(names.CHECK, {"tenant_id": tenant_id, "store": store}))

    def send_evaluation(self, tenant_id: str, evaluation_id: str) -> None:
        """Send the task that takes the next steps of an evaluation."""
        _reaching_broker(lambda: self._send(names.EVALUATE, {"tenant_id": tenant_id, "evaluation_id": evaluation_id}))

    def send_delivery(self, claimed: ClaimedDelivery) -> None:
        """Send the task that attempts a webhook's delivery."""
        kwargs = {"tenant_id": claimed.tenant_id, "delivery_id": claimed.delivery_id, "claim": claimed.claim}
        _reaching_broker(lambda: self._send(names.DELIVER, kwargs))

    def _send(self, name: str, kwargs: Mapping[str, object]) -> object:
        return self._app.send_task(name, kwargs=dict(kwargs), retry_policy=_SEND_RETRIES, kwargsrepr=_shown(kwargs))


def _shown(kwargs: Mapping[str, object]) -> str:
    """Return the arguments as Flower shows them. Flower would cut off a dream's id among long values."""
    names = {"epoch": "epoch ", "claim": "claim "}
    return " ".join(f"{names.get(name, '')}{value}" for name, value in kwargs.items())


def _reaching_broker(send: Callable[[], object]) -> None:
    try:
        send()
    except OperationalError as error:
        msg = f"The broker does not answer ({error}); start it, or check SLOWWAVE_BROKER_URL and SLOWWAVE_REDIS_URL"
        raise ServiceUnavailableError(msg) from error
