"""A Celery app with the product's settings and tasks that only leave traces: `celery -A tests.contract.celery.facts_app`."""

import contextlib
import json
import os
import time
from typing import Any

import redis
from celery import Celery, Task
from celery.exceptions import SoftTimeLimitExceeded

from shared.adapters.celery.base_task import BaseTask
from shared.adapters.celery.config import celery_config
from shared.settings import Settings

TRACE = "facts:trace"


def make_app(settings: Settings, changes: dict[str, Any] | None = None) -> Celery:
    """An app as the product configures it, with what a test changes."""
    made: Celery = Celery("facts", set_as_current=False, task_cls=BaseTask)
    config = celery_config(settings, _url(settings))
    transport = config["broker_transport_options"] | (changes or {}).pop("broker_transport_options", {})
    made.config_from_object(config | (changes or {}) | {"broker_transport_options": transport})
    return made


def _url(settings: Settings) -> str:
    return settings.redis_url.get_secret_value() if settings.redis_url else "redis://127.0.0.1:1/0"


_SETTINGS = Settings()
app = make_app(_SETTINGS, json.loads(os.environ.get("FACTS_CONFIG", "{}")))
_TRACES = redis.Redis.from_url(_url(_SETTINGS), decode_responses=True)


@app.task(name="facts.leave", bind=True)
def leave(_self: Task[..., Any], /, *args: Any) -> str:
    """Leave a trace of the arguments."""
    _TRACES.rpush(TRACE, json.dumps(args))
    return "a result"


@app.task(name="facts.stop_chain", bind=True)
def stop_chain(self: Task[..., Any], /) -> None:
    """End the chain as a phase does that lost its dream."""
    _TRACES.rpush(TRACE, json.dumps(["stop"]))
    self.request.chain = None


@app.task(name="facts.skip_next", bind=True)
def skip_next(self: Task[..., Any], /, number: int) -> None:
    """Record the rest of the chain after this task, and take its next steps out, as a phase does that ran them itself."""
    steps: Any = self.request.chain
    _TRACES.rpush(TRACE, json.dumps(["chain", *(step["args"][0] for step in steps)]))
    self.request.chain = steps[: len(steps) - number]


@app.task(name="facts.hang", bind=True)
def hang(_self: Task[..., Any], /, *args: Any) -> None:
    """Leave a trace and wait, deaf to a soft limit, until the key `facts:hang` is deleted or the process is killed."""
    _TRACES.rpush(TRACE, json.dumps(args))
    while _TRACES.exists("facts:hang"):
        with contextlib.suppress(SoftTimeLimitExceeded):
            time.sleep(0.05)


@app.task(name="facts.hold", bind=True)
def hold(_self: Task[..., Any], /, name: str, seconds: float) -> None:
    """Leave a trace and run for the given seconds, whatever happens to the broker."""
    _TRACES.rpush(TRACE, json.dumps([name]))
    time.sleep(seconds)


@app.task(name="facts.errback")
def errback(*_: Any) -> None:
    """Leave a trace of a failure."""
    _TRACES.rpush(TRACE, json.dumps(["errback"]))
