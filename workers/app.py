"""The worker's entry point: `celery -A workers.app worker`. It runs the phases and the scheduler's tasks."""

import gc
import threading
from functools import cache
from typing import Any

from celery.signals import (
    celeryd_after_setup,
    heartbeat_sent,
    setup_logging,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
)

from shared.adapters.redis.worker_pulse import WorkerPulse
from shared.bootstrap import get_app, preload_llm, redis_url
from shared.liveness import SignOfLife, place_of_signs
from shared.process_ports import close_ports
from shared.settings import load_settings
from shared.telemetry import configure_logging
from workers.process.drain import LeaveStep, remember_concurrency, tell_facts, watch_threads

app = get_app()
app.conf.include = ["workers.tasks", "scheduler.tasks"]
app.steps["worker"].add(LeaveStep)
_READY = threading.Event()


@setup_logging.connect(weak=False)
def _set_up_logging(**_: object) -> None:
    configure_logging()


@celeryd_after_setup.connect(weak=False)
def _remember_concurrency(instance: Any, **_: object) -> None:  # noqa: ANN401 - Celery's worker has no type
    remember_concurrency(instance.concurrency)


@worker_init.connect(weak=False)
def _load_once(**_: object) -> None:
    """Load the model's SDK before the children are forked, so that they share its memory."""
    preload_llm(load_settings())


@worker_ready.connect(weak=False)
def _watch_threads(sender: Any, **_: object) -> None:  # noqa: ANN401 - Celery's consumer has no type
    """On threads, slowwave's own watchdog and drain stand in for Celery's time limits and soft shutdown."""
    gc.freeze()
    if load_settings().worker_pool == "threads":
        watch_threads(sender)
    _READY.set()


@worker_process_init.connect(weak=False)
def _spare_the_collector(**_: object) -> None:
    """Take what is loaded by now out of the garbage collector's rounds: a survey of 10,000 memories starts many."""
    gc.freeze()


@worker_process_shutdown.connect(weak=False)
def _leave_nothing_behind(**_: object) -> None:
    """Send what a child of the prefork pool has counted: it ends without the interpreter's own last acts."""
    close_ports()


@heartbeat_sent.connect(weak=False)
def _give_a_sign_of_life(sender: Any, **_: object) -> None:  # noqa: ANN401 - Celery's heart has no type
    """Let probes and `slowwave doctor` see this worker."""
    _sign().give()
    if not _READY.is_set():
        return  # a worker that is stopped before it is ready ends without a word, so it must not have been listed
    _pulse().beat(sender.eventer.hostname, tell_facts)


@worker_shutdown.connect(weak=False)
def _say_good_bye(sender: Any, **_: object) -> None:  # noqa: ANN401 - the same
    _pulse().end(sender.hostname)


@cache
def _pulse() -> WorkerPulse:
    return WorkerPulse(redis_url(load_settings()))


@cache
def _sign() -> SignOfLife:
    settings = load_settings()
    return SignOfLife(place_of_signs(settings.data_dir, settings.probe_dir), "worker")
