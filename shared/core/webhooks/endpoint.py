"""Webhook endpoints of a tenant, and deliveries to them. Secrets are only stored encrypted."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

ENDPOINT_PREFIX, DELIVERY_PREFIX, MESSAGE_PREFIX = "hook", "dlv", "msg"
#: The address of an endpoint that is not posted to: who made it takes its messages (`slowwave webhooks listen`).
LISTEN = "listen:"
#: The maximum number of endpoints of a tenant: every event makes a row for each.
MAX_ENDPOINTS = 20


class WebhookEvent(StrEnum):
    """The events of webhooks. A test is sent on request only, whatever an endpoint subscribes to."""

    DREAM_FINISHED = "dream.finished"
    DREAM_FAILED = "dream.failed"
    STORE_QUARANTINED = "store.quarantined"
    REVIEW_NEEDED = "review.needed"
    REVIEW_DECIDED = "review.decided"
    BUDGET_ALERT = "budget.alert"
    EVALUATION_FINISHED = "evaluation.finished"
    INSIGHT_WEEKLY = "insight.weekly"
    TEST = "webhook.test"


#: The events that an endpoint can subscribe to.
EVENTS = (
    WebhookEvent.DREAM_FINISHED,
    WebhookEvent.DREAM_FAILED,
    WebhookEvent.STORE_QUARANTINED,
    WebhookEvent.REVIEW_NEEDED,
    WebhookEvent.REVIEW_DECIDED,
    WebhookEvent.BUDGET_ALERT,
    WebhookEvent.EVALUATION_FINISHED,
    WebhookEvent.INSIGHT_WEEKLY,
)
#: Those of an endpoint that names none: the weekly digest alone quotes memories, so that it has to be asked for.
DEFAULT_EVENTS = tuple(one for one in EVENTS if one is not WebhookEvent.INSIGHT_WEEKLY)


class DeliveryState(StrEnum):
    """The state of a delivery. `pending` waits for its next attempt, or for its endpoint to be enabled."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """A target for events of a tenant. It is disabled when `disabled_at` is set, for `disabled_reason`.

    Attributes:
        id: the endpoint's id.
        tenant_id: the tenant.
        url: the address that events are posted to.
        description: a text for people.
        events: the names of the subscribed events.
        sealed: the encrypted secret.
        previous_sealed: the secret before a rotation, with which messages are also signed until `previous_until`.
        previous_until: the end of that grace period.
        created_at: the time of creation.
        disabled_at: since when no delivery is sent.
        disabled_reason: the reason for that.
        deleted_at: the time of deletion; the record stays, without its secrets.
        failures: the number of failed attempts in a row.
        failing_since: the time of the first of them.
        delivered_at: the time of the last success.
        digest_at: when the next weekly digest is due; None if it is not subscribed to.
    """

    id: str
    tenant_id: str
    url: str
    description: str = ""
    events: tuple[str, ...] = DEFAULT_EVENTS
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
    digest_at: datetime | None = None

    @property
    def is_taken_from(self) -> bool:
        """Tell whether its messages wait to be taken, and are never posted."""
        return self.url == LISTEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: the same id and bytes for every endpoint and attempt."""

    id: str
    event: WebhookEvent
    body: str
    dream_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt. `status` is None without an answer; `error` is empty on success."""

    at: datetime
    status: int | None
    latency_ms: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The delivery of a message to one endpoint; `tries` are the finished attempts, oldest first."""

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
