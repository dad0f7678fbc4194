"""Count the messages that wait in RabbitMQ, without declaring a queue."""

from typing import Any

from amqp.exceptions import AMQPError
from kombu import Connection
from kombu.exceptions import KombuError

from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE

_TIMEOUT_SECONDS = 2


def find_queue_lengths(url: str) -> dict[str, int]:
    """Return the number of waiting messages by queue; nothing for undeclared queues or an absent broker."""
    found: dict[str, int] = {}
    try:
        with Connection(url, connect_timeout=_TIMEOUT_SECONDS) as connection:
            reach_a_node(connection)
            channel: Any = connection.channel()  # kombu's type stubs only know the channels of its own transports
            for name in (PHASE_QUEUE, CONTROL_QUEUE):
                found[name] = int(channel.queue_declare(name, passive=True).message_count)
    except (OSError, AMQPError, KombuError):
        return found
    return found


def reach_a_node(connection: Connection) -> None:
    """Connect to the first node of a cluster that answers; each is tried once. Raises kombu's errors."""
    connection.ensure_connection(max_retries=len(connection.alt) or 1, interval_start=0, interval_step=0)
