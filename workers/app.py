"""The worker's entry point: `celery -A workers.app worker`. A worker runs the phases and the scheduler's tasks."""

import gc
import os
import threading
from functools import cache
from typing import Any

from celery.signals import (
    celeryd_after_setup,
    celeryd_init,
    heartbeat_sent,
    setup_logging,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
)

from shared.adapters.redis.worker_pulse import WorkerPulse
from shared.bootstrap import get_app, preload, redis_url
from shared.liveness import LivenessFile, liveness_folder
from shared.process_ports import SchemaWatch, close_ports, require_schema_or_exit
from shared.program import name_program
from shared.settings import load_settings
from shared.telemetry import configure_logging
from workers.process.drain import DrainStep, remember_concurrency, tell_facts, watch_threads
from workers.process.own_name import give_own_name

app = get_app()
app.conf.include = ["workers.tasks", "scheduler.tasks"]
app.steps["worker"].add(DrainStep)
_READY = threading.Event()


@setup_logging.connect(weak=False)
def _set_up_logging(**_: object) -> None:
    configure_logging()


@celeryd_init.connect(weak=False)
def _give_own_name(instance: Any, **_: object) -> None:  # noqa: ANN401 - Celery's worker has no type
    give_own_name(instance)


@celeryd_after_setup.connect(weak=False)
def _remember_concurrency(instance: Any, **_: object) -> None:  # noqa: ANN401 - Celery's worker has no type
    remember_concurrency(instance.concurrency)


@worker_init.connect(weak=False)
def _load_once(**_: object) -> None:
    """Refuse a schema of another version. Load libraries before children are forked, so that they share memory; lower this process's priority."""
    settings = load_settings()
    name_program("worker")
    require_schema_or_exit()
    preload(settings)
    os.nice(settings.worker_nice)


@worker_ready.connect(weak=False)
def _watch_threads(sender: Any, **_: object) -> None:  # noqa: ANN401 - Celery's consumer has no type
    """On the threads pool, start the watchdog and the drain, which replace Celery's time limits and soft shutdown."""
    gc.freeze()
    if load_settings().worker_pool == "threads":
        watch_threads(sender)
    _READY.set()


@worker_process_init.connect(weak=False)
def _freeze_gc(**_: object) -> None:
    """Exempt loaded modules from garbage collection: a survey of 10,000 memories triggers many passes."""
    gc.freeze()


@worker_process_shutdown.connect(weak=False)
def _flush_and_close(**_: object) -> None:
    """Flush the counters of a prefork child, which exits without atexit handlers."""
    close_ports()


@heartbeat_sent.connect(weak=False)
def _touch_heartbeat(sender: Any, **_: object) -> None:  # noqa: ANN401 - Celery's heart has no type
    """Update the liveness file for probes, and the pulse for `slowwave doctor`; tell when the schema has moved on."""
    _sign().touch()
    if not _READY.is_set():
        return  # do not publish a pulse before the worker is ready: a worker stopped before that never removes it
    _pulse().beat(sender.eventer.hostname, tell_facts)
    _watch().look()


@worker_shutdown.connect(weak=False)
def _remove_pulse(sender: Any, **_: object) -> None:  # noqa: ANN401 - the same
    _pulse().end(sender.hostname)


@cache
def _pulse() -> WorkerPulse:
    return WorkerPulse(redis_url(load_settings()))


@cache
def _watch() -> SchemaWatch:
    return SchemaWatch(load_settings())


@cache
def _sign() -> LivenessFile:
    settings = load_settings()
    return LivenessFile(liveness_folder(settings.data_dir, settings.probe_dir), "worker")
