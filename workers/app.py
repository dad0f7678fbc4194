"""The worker's entry point: `celery -A workers.app worker`. It runs the phases and the scheduler's tasks."""

import gc
from functools import cache
from typing import Any

from celery.signals import heartbeat_sent, setup_logging, worker_init, worker_process_init

from shared.adapters.redis.worker_pulse import WorkerPulse
from shared.bootstrap import get_app, preload_llm, redis_url
from shared.settings import load_settings
from shared.sign_of_life import SignOfLife, place_of_signs
from shared.telemetry import configure_logging

app = get_app()
app.conf.include = ["workers.tasks", "scheduler.tasks"]


@setup_logging.connect(weak=False)
def _set_up_logging(**_: object) -> None:
    configure_logging()


@worker_init.connect(weak=False)
def _load_once(**_: object) -> None:
    """Load the model's SDK before the children are forked, so that they share its memory."""
    preload_llm(load_settings())


@worker_process_init.connect(weak=False)
def _spare_the_collector(**_: object) -> None:
    """Take what is loaded by now out of the garbage collector's rounds: a survey of 10,000 memories starts many."""
    gc.freeze()


@heartbeat_sent.connect(weak=False)
def _give_a_sign_of_life(sender: Any, **_: object) -> None:  # noqa: ANN401 - Celery's heart has no type
    """Let probes and `slowwave doctor` see this worker."""
    _sign().give()
    _pulse().beat(sender.eventer.hostname)


@cache
def _pulse() -> WorkerPulse:
    return WorkerPulse(redis_url(load_settings()))


@cache
def _sign() -> SignOfLife:
    settings = load_settings()
    return SignOfLife(place_of_signs(settings.data_dir, settings.probe_dir), "worker")
