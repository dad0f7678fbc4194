"""Count the messages that wait in RabbitMQ, without declaring a queue."""

from typing import Any

from amqp.exceptions import AMQPError
from kombu import Connection
from kombu.exceptions import KombuError

from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE

_TIMEOUT_SECONDS = 2


def find_queue_lengths(url: str) -> dict[str, int]:
    """Return the waiting messages by queue, without queues that are not declared yet or a broker that is away."""
    found: dict[str, int] = {}
    try:
        with Connection(url, connect_timeout=_TIMEOUT_SECONDS) as connection:
            channel: Any = connection.channel()  # kombu's stubs know its own transports' channels only
            for name in (PHASE_QUEUE, CONTROL_QUEUE):
                found[name] = int(channel.queue_declare(name, passive=True).message_count)
    except (OSError, AMQPError, KombuError):
        return found
    return found
