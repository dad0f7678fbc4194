"""Start dreams with plain Celery, by the broker: `dream.delay("acme")`. Needs `slowwave-client[celery]`."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

from celery import Celery
from celery.result import AsyncResult
from kombu import Exchange, Queue

from slowwave_client.errors import SlowwaveError

_VARIABLES = ("SLOWWAVE_BROKER_URL", "SLOWWAVE_REDIS_URL")
_TASK, _QUEUE, _EXCHANGE = "dream", "dream.control", "dream"


class Dream:
    """Sends the task that starts a dream.

    Args:
        broker: the address of slowwave's broker; by default that of `SLOWWAVE_BROKER_URL`, else of `SLOWWAVE_REDIS_URL`.
    """

    def __init__(self, broker: str | None = None) -> None:
        self._broker = broker

    def delay(self, tenant_id: str, store: str = "default", *, force: bool = False) -> AsyncResult[Any]:
        """Ask for a dream of a tenant's store, and return at once. The result holds the task's id, and is never ready.

        `force` skips the gates of time and activity; never a pause, a budget or a lock. If a gate is shut, `slowwave status` and the
        API say which. A worker must have run once before, since workers declare the queue.
        """
        arguments = {"tenant_id": tenant_id, "store": store, "force": force}
        return self._app.send_task(_TASK, kwargs=arguments, queue=self._queue, ignore_result=True)  # type: ignore[arg-type] # a Queue is allowed, too

    @cached_property
    def _app(self) -> Celery:
        broker = self._broker or next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), None)
        if broker is None:
            raise SlowwaveError(f"No broker is named: set {' or '.join(_VARIABLES)}, or use Dream(broker=…)")
        return Celery("slowwave-client", broker=broker, set_as_current=False)

    @cached_property
    def _queue(self) -> Queue:
        # Workers declare it, on RabbitMQ with arguments that a second declaration would have to repeat.
        return Queue(_QUEUE, Exchange(_EXCHANGE, no_declare=True), routing_key=_QUEUE, no_declare=True)


#: The dream of the broker that the environment names.
dream = Dream()
