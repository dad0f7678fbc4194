"""Webhooks: where a tenant wants to be told of events, and the deliveries that do it. Secrets are in here sealed only."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

ENDPOINT_PREFIX, DELIVERY_PREFIX, MESSAGE_PREFIX = "hook", "dlv", "msg"
#: A tenant tells so many places at most: every event is a row for each.
MAX_ENDPOINTS = 20


class WebhookEvent(StrEnum):
    """What a tenant can be told. A test is sent on request only, whatever an endpoint wants to hear."""

    DREAM_FINISHED = "dream.finished"
    REVIEW_NEEDED = "review.needed"
    TEST = "webhook.test"


#: What an endpoint can ask for.
EVENTS = (WebhookEvent.DREAM_FINISHED, WebhookEvent.REVIEW_NEEDED)


class DeliveryState(StrEnum):
    """Where a delivery is. `pending` waits for its next attempt, or for its endpoint to be enabled again."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """Where events of a tenant go. It is disabled when `disabled_at` is set, and the reason says why.

    Attributes:
        id: of the endpoint.
        tenant_id: whose it is.
        url: where events are posted.
        description: what people know it by.
        events: names of events that it wants to hear.
        sealed: its secret, sealed.
        previous_sealed: the one before a rotation, which signs beside it until `previous_until`.
        previous_until: when that ends.
        created_at: when it was made.
        disabled_at: since when nothing is sent.
        disabled_reason: why.
        deleted_at: when it was deleted; it stays on record without its secrets.
        failures: attempts in a row that failed.
        failing_since: the first of them.
        delivered_at: when a delivery last succeeded.
    """

    id: str
    tenant_id: str
    url: str
    description: str = ""
    events: tuple[str, ...] = EVENTS
    sealed: str = field(default="", repr=False)
    previous_sealed: str | None = field(default=None, repr=False)
    previous_until: datetime | None = None
    created_at: datetime | None = None
    disabled_at: datetime | None = None
    disabled_reason: str = ""
    deleted_at: datetime | None = None
    failures: int = 0
    failing_since: datetime | None = None
    delivered_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What is told: the same id and the same bytes to every endpoint, at every attempt."""

    id: str
    event: WebhookEvent
    body: str
    dream_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try. `status` is None when no answer came; `error` is empty when it was taken."""

    at: datetime
    status: int | None
    latency_ms: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message on its way to one endpoint; `tries` are the attempts that came back, oldest first."""

    id: str
    tenant_id: str
    endpoint_id: str
    message: Message
    state: DeliveryState = DeliveryState.PENDING
    attempts: int = 0
    tries: tuple[Attempt, ...] = ()
    next_attempt_at: datetime | None = None
    created_at: datetime
    ended_at: datetime | None = None
    error: str = ""
