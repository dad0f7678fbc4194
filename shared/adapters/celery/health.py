"""What `slowwave doctor` looks at in RabbitMQ. Nothing is declared that is not there, no worker is asked."""

from typing import Any

from amqp.exceptions import AMQPError, NotFound, PreconditionFailed
from kombu import Connection
from kombu.exceptions import KombuError

from shared.adapters.celery.config import RABBITMQ_QUEUE_ARGUMENTS
from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE
from shared.core.health import Finding, Health, decide_health

_TIMEOUT_SECONDS = 5
_START = "Start a worker: slowwave up, or python -m deploy.entry worker"


def examine_rabbitmq(url: str) -> list[Finding]:
    """Return what there is to say about RabbitMQ; one line when it does not answer."""
    advice = "Start RabbitMQ, or check SLOWWAVE_BROKER_URL; leave that out to use Redis"
    try:
        with Connection(url, connect_timeout=_TIMEOUT_SECONDS) as connection:
            connection.connect()
            version = connection.connection.server_properties.get("version", "unknown")
            reached = decide_health("rabbitmq", f"reachable, version {version}", ok=True, advice="")
            return [reached, find_queues(connection)]
    except (OSError, AMQPError, KombuError) as error:
        said = str(error).strip().split("\n")[0] or type(error).__name__
        return [decide_health("rabbitmq", said, ok=False, advice=advice)]


def find_queues(connection: Any) -> Finding:  # noqa: ANN401 - kombu's connections are untyped
    """Return how many messages wait for how many workers, and whether the queues are what this code declares."""
    lines = []
    for name in (PHASE_QUEUE, CONTROL_QUEUE):
        try:
            found = _look(connection, name)
        except NotFound:
            return decide_health(
                "queues", f"{name} is not declared yet", ok=False, advice=_START, otherwise=Health.WARN
            )
        except PreconditionFailed:
            advice = f"When it is empty, delete it (rabbitmqctl delete_queue {name}); the next worker declares it anew"
            return decide_health("queues", f"{name} has other arguments than this code's", ok=False, advice=advice)
        if not found.consumer_count:
            return decide_health("queues", f"nobody takes from {name}", ok=False, advice=_START, otherwise=Health.WARN)
        lines.append(f"{name} {found.message_count} waiting")
    return decide_health("queues", ", ".join(lines), ok=True, advice="")


def _look(connection: Any, name: str) -> Any:  # noqa: ANN401 - the same
    """Look without declaring; what exists is then compared, which declares nothing either. Errors close the channel."""
    channel = connection.channel()
    found = channel.queue_declare(name, passive=True)
    channel.queue_declare(name, durable=True, auto_delete=False, arguments=RABBITMQ_QUEUE_ARGUMENTS)
    channel.close()
    return found
