"""Deliveries of webhooks as commands show them: a row of a table, or JSON."""

from typing import Any

from gateway.cli.output import ago
from shared.core.webhook import Delivery

COLUMNS = ("delivery", "message", "event", "endpoint", "state", "attempts", "status", "ms", "next", "error")


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery with its attempts, without the body that was sent."""
    names = ("id", "endpoint_id", "state", "attempts", "error", "tries", "next_attempt_at", "created_at", "ended_at")
    message = delivery.message
    told = {"message_id": message.id, "event": message.event, "dream_id": message.dream_id}
    return {name: getattr(delivery, name) for name in names} | told


def delivery_row(delivery: Delivery) -> tuple[object, ...]:
    """Return a delivery under `COLUMNS`, with how the last attempt went."""
    last = delivery.tries[-1] if delivery.tries else None
    following = ago(delivery.next_attempt_at) if delivery.next_attempt_at else ""
    return (
        delivery.id, delivery.message.id, delivery.message.event, delivery.endpoint_id, delivery.state,
        delivery.attempts, last and last.status, last and last.latency_ms, following, delivery.error,
    )  # fmt: skip
