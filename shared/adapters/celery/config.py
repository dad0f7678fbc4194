"""Every Celery setting, each with the reason. Facts were measured on Celery 5.7 and kombu 5.7."""

import math
from typing import Any

from kombu import Exchange, Queue

from shared.adapters.celery import names
from shared.adapters.celery.redis_transport import register_transport
from shared.adapters.sentinel_options import sentinel_options
from shared.redis_address import broker_form, is_sentinel, parse_sentinel
from shared.settings import Settings

#: A phase may take the dream's whole budget, plus a little to store its results. A dream of a longer budget than the
#: usual 300 s is sent with longer limits; the longest budget that a store may set is in shared/core/policy/profiles.py.
PHASE_SOFT_SECONDS = 330
PHASE_HARD_SECONDS = 360
_STORING_SECONDS = 30
_CONNECT_SECONDS = 5

#: Retries of a dream's first task when its child process is killed; bounded, so that a poison message does not loop.
DREAM_RETRIES: dict[str, Any] = {"retry_on_worker_lost": True, "max_retries": 2, "default_retry_delay": 5}

EXCHANGE = "dream"
#: Replicated queues, which are never silently lost. RabbitMQ (3.12 and later) closes the channel of a worker that has
#: not acknowledged in time; its own default is 30 minutes, but an operator may have set less than a phase takes.
RABBITMQ_QUEUE_ARGUMENTS: dict[str, Any] = {
    "x-queue-type": "quorum",
    "x-consumer-timeout": 3 * PHASE_HARD_SECONDS * 1_000,
}


def time_limits(budget_seconds: float) -> dict[str, Any]:
    """Return the options of a message whose phase may take longer than usual. They only apply to the prefork pool."""
    soft = math.ceil(budget_seconds) + _STORING_SECONDS
    if soft <= PHASE_SOFT_SECONDS:
        return {}
    return {"soft_time_limit": soft, "time_limit": soft + PHASE_HARD_SECONDS - PHASE_SOFT_SECONDS}


def celery_config(settings: Settings, broker_url: str) -> dict[str, Any]:
    """Return the configuration of the Celery app."""
    is_amqp = broker_url.startswith("amqp")
    means = _rabbitmq(broker_url) if is_amqp else _redis(broker_url, settings.visibility_timeout_seconds)
    return _broker(broker_url) | means | _tasks() | _queues(is_amqp=is_amqp) | _workers(settings)


def _broker(broker_url: str) -> dict[str, Any]:
    return {
        "broker_url": broker_url if broker_url.startswith("amqp") else broker_form(broker_url),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # an absent broker comes back; the worker waits for it
        "broker_pool_limit": 10,
    }


def _rabbitmq(broker_url: str) -> dict[str, Any]:
    # py-amqp verifies the certificate, but the host name only on request. It keeps the first name, which is wrong for
    # the other nodes of a cluster.
    has_tls = broker_url.startswith("amqps://") and ";" not in broker_url
    return {
        "broker_use_ssl": {"server_hostname": None} if has_tls else None,
        # A publish returns once the broker has the message; there is no visibility timeout to set.
        "broker_transport_options": {"confirm_publish": True},
        "broker_heartbeat": 30,  # a half-open connection is noticed
        # With quorum queues a countdown waits in the broker, not unacknowledged in a worker.
        "broker_native_delayed_delivery_queue_type": "quorum",
    }


def _redis(broker_url: str, timeout: int) -> dict[str, Any]:
    register_transport()
    options, tls = _sentinels(broker_url) if is_sentinel(broker_url) else ({}, None)
    return {
        "broker_use_ssl": tls,
        "broker_transport_options": options
        | {
            # A message that is not acknowledged in time runs again, and its whole chain with it: keep it long.
            "visibility_timeout": timeout,
            "unacked_restore_interval": 10,
            "unacked_restore_throttle": 1,  # check every 10 s, not every 100 s
            "socket_timeout": 30,  # without it, a publish on a half-open connection blocks for ever
            "socket_connect_timeout": _CONNECT_SECONDS,
            "socket_keepalive": True,
            "health_check_interval": 25,
        },
        "visibility_timeout": timeout,  # the shortest of the three timeouts applies, so all three are set
        "result_backend_transport_options": {"visibility_timeout": timeout},
    }


def _sentinels(broker_url: str) -> tuple[dict[str, Any], dict[str, str] | None]:
    """Return kombu's options for Sentinel and for TLS to the primary."""
    address = parse_sentinel(broker_url)
    tls = None if address.tls is None else dict(address.tls)
    patience = {"socket_connect_timeout": _CONNECT_SECONDS, "socket_timeout": _CONNECT_SECONDS}
    return {"master_name": address.master_name, "sentinel_kwargs": sentinel_options(address) | patience}, tls


def _tasks() -> dict[str, Any]:
    return {
        "result_backend": None,  # results live in PostgreSQL
        "task_ignore_result": True,
        "task_acks_late": True,  # an early acknowledgement loses the tasks of a killed worker
        "task_acks_on_failure_or_timeout": True,
        "task_reject_on_worker_lost": False,  # a task that kills its process would loop without end
        # Prefork only. A retried phase would renew the lease of the lost worker and wait for it: the reconciler is
        # quicker. The task of `dream.delay` has no row before it has run, so it is retried.
        "task_retry_on_worker_lost": False,
        "task_annotations": {names.DREAM: DREAM_RETRIES},
        "task_soft_time_limit": PHASE_SOFT_SECONDS,
        "task_time_limit": PHASE_HARD_SECONDS,
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_create_missing_queues": False,  # a typo in a queue name would be a silent black hole
        "task_default_queue": names.PHASE_QUEUE,
        "task_default_exchange": EXCHANGE,
        "task_default_routing_key": names.PHASE_QUEUE,
        "task_routes": {
            names.SWEEP: {"queue": names.CONTROL_QUEUE},
            names.CHECK: {"queue": names.CONTROL_QUEUE},
            names.DELIVER: {"queue": names.CONTROL_QUEUE},
            names.DREAM: {"queue": names.CONTROL_QUEUE},
        },
    }


def _queues(*, is_amqp: bool) -> dict[str, Any]:
    kind = "topic" if is_amqp else "direct"  # delayed delivery binds topic exchanges only
    arguments = RABBITMQ_QUEUE_ARGUMENTS if is_amqp else None
    exchange = Exchange(EXCHANGE, type=kind)
    declared = [
        Queue(name, exchange, routing_key=name, queue_arguments=arguments)
        for name in (names.PHASE_QUEUE, names.CONTROL_QUEUE)
    ]
    return {"task_queues": declared, "task_default_exchange_type": kind}


def _workers(settings: Settings) -> dict[str, Any]:
    return {
        # Threads wait for models at a tenth of prefork's memory; Celery's time limits do nothing there, the watchdog does.
        "worker_pool": settings.worker_pool,
        "worker_concurrency": settings.worker_concurrency,
        "worker_prefetch_multiplier": 1,  # a phase waits for a model: a prefetched phase would only wait longer
        "worker_eta_task_limit": 100,
        "worker_max_tasks_per_child": 500,
        "worker_proc_alive_timeout": 30,
        "worker_soft_shutdown_timeout": 20,  # prefork with REMAP_SIGTERM=SIGQUIT; on threads workers/process/drain.py does it
        "worker_enable_soft_shutdown_on_idle": False,  # it would wait the whole time for tasks with an ETA; there are none
        # True would discard answers that are already paid for; the fence makes it harmless to finish.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        # Each event is a separate message; together they took a seventh of a worker's processor time. Flower turns them
        # on while it watches.
        "worker_send_task_events": False,
        "task_send_sent_event": False,
        "worker_hijack_root_logger": False,
        "enable_utc": True,
        "timezone": "UTC",
        "beat_max_loop_interval": 5,
        "beat_scheduler": "scheduler.liveness_scheduler:LivenessScheduler",
    }
