"""Webhooks as JSON: never a sealed secret, and the secret itself once."""

from datetime import datetime
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from shared.core.webhook import EVENTS, Delivery, DeliveryState, WebhookEndpoint, WebhookEvent
from shared.services.manage_webhooks import MAX_GRACE_HOURS, IssuedEndpoint

_ENDPOINT: dict[str, Any] = {
    "id": "hook_01JD0000000000000000000000",
    "url": "https://hooks.example.com/slowwave",
    "description": "opens a ticket",
    "events": ["dream.finished", "review.needed"],
    "is_enabled": True,
    "disabled_at": None,
    "disabled_reason": "",
    "failures": 0,
    "failing_since": None,
    "delivered_at": "2026-03-05T12:00:00Z",
    "previous_secret_until": None,
    "created_at": "2026-03-01T08:00:00Z",
}
_DELIVERY: dict[str, Any] = {
    "id": "dlv_01JD0000000000000000000000",
    "endpoint_id": "hook_01JD0000000000000000000000",
    "message_id": "msg_01JD0000000000000000000000_dream",
    "event": "dream.finished",
    "dream_id": "drm_01JD0000000000000000000000",
    "state": "pending",
    "attempts": 1,
    "error": "HTTP 503",
    "tries": [{"at": "2026-03-05T12:00:00Z", "status": 503, "latency_ms": 41, "error": "HTTP 503"}],
    "next_attempt_at": "2026-03-05T12:00:11Z",
    "created_at": "2026-03-05T11:59:58Z",
    "ended_at": None,
}


class WebhookIn(BaseModel):
    """Where to tell what."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"url": "https://hooks.example.com/slowwave", "events": ["review.needed"]}},
    )

    url: str = Field(min_length=1, max_length=2_000, description="`https://`, at a public address.")
    events: list[WebhookEvent] = Field(list(EVENTS), min_length=1, max_length=10, description="What to hear.")
    description: str = Field("", max_length=200)


class WebhookRotateIn(BaseModel):
    """How an endpoint gets its new secret."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"grace_hours": 24}})

    grace_hours: float = Field(24, ge=0, le=MAX_GRACE_HOURS, description="How long the old secret signs, too.")


class WebhookOut(BaseModel):
    """An endpoint without its secret."""

    model_config = ConfigDict(json_schema_extra={"example": _ENDPOINT})

    id: str
    url: str
    description: str
    events: list[WebhookEvent]
    is_enabled: bool
    disabled_at: datetime | None
    disabled_reason: str = Field(description="Why nothing is sent any more; enable it again by hand.")
    failures: int = Field(description="Attempts in a row that failed.")
    failing_since: datetime | None
    delivered_at: datetime | None = Field(description="When a delivery last succeeded.")
    previous_secret_until: datetime | None = Field(description="Until when the secret before a rotation signs, too.")
    created_at: datetime | None


class IssuedWebhookOut(WebhookOut):
    """An endpoint with its secret, which is shown this once."""

    model_config = ConfigDict(json_schema_extra={"example": _ENDPOINT | {"secret": "whsec_…"}})

    secret: str = Field(description="Verifies the signatures of what arrives.")


class DeletedWebhookOut(BaseModel):
    """An endpoint that is no more."""

    model_config = ConfigDict(json_schema_extra={"example": {"id": _ENDPOINT["id"], "dropped": 0}})

    id: str
    dropped: int = Field(description="Deliveries that were pending and will not be made.")


class ReplayIn(BaseModel):
    """What to send again."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"failed_since": "2026-03-05T10:00:00Z"}})

    failed_since: AwareDatetime = Field(description="Everything that failed since then.")


class ReplayOut(BaseModel):
    """What goes out again."""

    model_config = ConfigDict(json_schema_extra={"example": {"replayed": 12}})

    replayed: int


class TryOut(BaseModel):
    """One attempt."""

    at: datetime
    status: int | None = Field(description="The answer's status; null when none came.")
    latency_ms: int
    error: str = Field(description="Empty when it was taken.")


class DeliveryOut(BaseModel):
    """A message to an endpoint, and every attempt to deliver it."""

    model_config = ConfigDict(json_schema_extra={"example": _DELIVERY})

    id: str
    endpoint_id: str
    message_id: str = Field(description="The `webhook-id` of every attempt.")
    event: WebhookEvent
    dream_id: str
    state: DeliveryState
    attempts: int = Field(description="Since it was made or last replayed; `tries` has all of them.")
    error: str
    tries: list[TryOut]
    next_attempt_at: datetime | None = Field(description="Null when it is over, or waits for its endpoint.")
    created_at: datetime
    ended_at: datetime | None


def webhook_out(endpoint: WebhookEndpoint) -> WebhookOut:
    """Return an endpoint as JSON."""
    return WebhookOut(**_plain(endpoint))


def issued_webhook_out(issued: IssuedEndpoint) -> IssuedWebhookOut:
    """Return an endpoint and its new secret as JSON."""
    return IssuedWebhookOut(**_plain(issued.endpoint), secret=issued.secret)


def delivery_out(delivery: Delivery) -> DeliveryOut:
    """Return a delivery as JSON."""
    message = delivery.message
    names = ("id", "endpoint_id", "state", "attempts", "error", "next_attempt_at", "created_at", "ended_at")
    return DeliveryOut(
        **{name: getattr(delivery, name) for name in names},
        message_id=message.id,
        event=message.event,
        dream_id=message.dream_id,
        tries=[TryOut(at=t.at, status=t.status, latency_ms=t.latency_ms, error=t.error) for t in delivery.tries],
    )


def _plain(endpoint: WebhookEndpoint) -> dict[str, object]:
    same = set(WebhookOut.model_fields) - {"is_enabled", "previous_secret_until"}
    return {name: getattr(endpoint, name) for name in same} | {
        "is_enabled": endpoint.disabled_at is None,
        "previous_secret_until": endpoint.previous_until,
    }
