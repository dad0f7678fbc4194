"""Health checks of RabbitMQ for `slowwave doctor`. They declare nothing and send no message to workers."""

from typing import Any

from amqp.exceptions import AMQPError, NotFound, PreconditionFailed
from kombu import Connection
from kombu.exceptions import KombuError

from shared.adapters.celery.config import RABBITMQ_QUEUE_ARGUMENTS
from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE
from shared.adapters.celery.queue_lengths import reach_a_node
from shared.core.health import Finding, Health, decide_health

_TIMEOUT_SECONDS = 5
_START = "Start a worker: slowwave up, or python -m deploy.entry worker"


def examine_rabbitmq(url: str) -> list[Finding]:
    """Return the findings about RabbitMQ; one when it does not answer."""
    advice = "Start RabbitMQ, or check SLOWWAVE_BROKER_URL; leave that out to use Redis"
    try:
        with Connection(url, connect_timeout=_TIMEOUT_SECONDS) as connection:
            reach_a_node(connection)
            version = connection.connection.server_properties.get("version", "unknown")
            reached = decide_health("rabbitmq", f"reachable, version {version}", ok=True, advice="")
            return [reached, find_queues(connection)]
    except (OSError, AMQPError, KombuError) as error:
        said = str(error).strip().split("\n")[0] or type(error).__name__
        return [decide_health("rabbitmq", said, ok=False, advice=advice)]


def find_queues(connection: Any) -> Finding:  # noqa: ANN401 - kombu's connections are untyped
    """Return the number of waiting messages, and whether the queues have consumers and this code's arguments."""
    lines = []
    for name in (PHASE_QUEUE, CONTROL_QUEUE):
        try:
            found = _look(connection, name)
        except NotFound:
            return decide_health(
                "queues", f"{name} is not declared yet", ok=False, advice=_START, otherwise=Health.WARN
            )
        except PreconditionFailed:
            advice = f"Once it is empty, delete it (rabbitmqctl delete_queue {name}); the next worker declares it again"
            return decide_health(
                "queues", f"{name} was declared with other arguments than this version uses", ok=False, advice=advice
            )
        if not found.consumer_count:
            return decide_health("queues", f"{name} has no consumer", ok=False, advice=_START, otherwise=Health.WARN)
        lines.append(f"{name} {found.message_count} waiting")
    return decide_health("queues", ", ".join(lines), ok=True, advice="")


def _look(connection: Any, name: str) -> Any:  # noqa: ANN401 - the same
    """Inspect a queue without declaring it, then compare its arguments. An error closes the channel."""
    channel = connection.channel()
    found = channel.queue_declare(name, passive=True)
    channel.queue_declare(name, durable=True, auto_delete=False, arguments=RABBITMQ_QUEUE_ARGUMENTS)
    channel.close()
    return found
