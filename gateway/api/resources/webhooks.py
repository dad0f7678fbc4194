"""Manage a tenant's webhooks. A secret is shown once; answers that contain one are never stored."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from gateway.api.http.auth import Administrator
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, Page, decode_cursor, index_after, page_of
from gateway.api.http.parameters import DeliveryId, EndpointId
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from shared.core.webhooks.endpoint import DEFAULT_EVENTS, Delivery, DeliveryState, WebhookEndpoint, WebhookEvent
from shared.ports.webhooks import DeliveryFilter
from shared.services.webhooks.endpoints import (
    MAX_GRACE_HOURS,
    IssuedEndpoint,
    NewEndpoint,
    create_endpoint,
    delete_endpoint,
    enable_endpoint,
    find_deliveries,
    find_endpoints,
    get_endpoint,
    queue_test,
    rotate_endpoint,
)
from shared.services.webhooks.replay import replay_delivery, replay_failed
from shared.services.webhooks.take import take_messages

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
    """A new endpoint: its address and its events."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"url": "https://hooks.example.com/slowwave", "events": ["review.needed"]}},
    )

    url: str = Field(
        min_length=1,
        max_length=2_000,
        description="An `https://` URL with a public address; or `listen:`, from which messages are taken.",
    )
    events: list[WebhookEvent] = Field(
        list(DEFAULT_EVENTS),
        min_length=1,
        max_length=10,
        description="The events to send. Default: all but the weekly digest.",
    )
    description: str = Field("", max_length=200)


class WebhookRotateIn(BaseModel):
    """Options of a rotation."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"grace_hours": 24}})

    grace_hours: float = Field(
        24, ge=0, le=MAX_GRACE_HOURS, description="How long deliveries are also signed with the old secret."
    )


class WebhookOut(BaseModel):
    """An endpoint without its secret."""

    model_config = ConfigDict(json_schema_extra={"example": _ENDPOINT})

    id: str
    url: str
    description: str
    events: list[WebhookEvent]
    is_enabled: bool
    disabled_at: datetime | None
    disabled_reason: str = Field(description="Why it was disabled; nothing is sent until you enable it again.")
    failures: int = Field(description="Number of failed attempts in a row.")
    failing_since: datetime | None
    delivered_at: datetime | None = Field(description="Time of the last successful delivery.")
    previous_secret_until: datetime | None = Field(
        description="Until when deliveries are also signed with the previous secret."
    )
    created_at: datetime | None


class IssuedWebhookOut(WebhookOut):
    """An endpoint with its secret, which is shown only once."""

    model_config = ConfigDict(json_schema_extra={"example": _ENDPOINT | {"secret": "whsec_…"}})

    secret: str = Field(description="Verifies the signatures of deliveries.")


class DeletedWebhookOut(BaseModel):
    """A deleted endpoint."""

    model_config = ConfigDict(json_schema_extra={"example": {"id": _ENDPOINT["id"], "dropped": 0}})

    id: str
    dropped: int = Field(description="Number of pending deliveries that were dropped.")


class ReplayIn(BaseModel):
    """The failed deliveries to send again."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"failed_since": "2026-03-05T10:00:00Z"}})

    failed_since: AwareDatetime = Field(description="Send all deliveries again that failed since this time.")


class ReplayOut(BaseModel):
    """The result of a replay."""

    model_config = ConfigDict(json_schema_extra={"example": {"replayed": 12}})

    replayed: int


class TryOut(BaseModel):
    """One delivery attempt."""

    at: datetime
    status: int | None = Field(description="HTTP status of the answer; null if there was none.")
    latency_ms: int
    error: str = Field(description="Empty on success.")


class SignedMessageOut(BaseModel):
    """A message as it would be posted."""

    delivery_id: str = Field(description="Its delivery, which can be replayed.")
    headers: dict[str, str] = Field(description="With the signature; names in lower case.")
    body: str = Field(description="The signed text, as it is.")


class TakenOut(BaseModel):
    """The messages that waited, oldest first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "data": [
                    {
                        "delivery_id": _DELIVERY["id"],
                        "headers": {"webhook-id": _DELIVERY["message_id"], "webhook-signature": "v1,…"},
                        "body": '{"type":"dream.finished"}',
                    }
                ]
            }
        }
    )

    data: list[SignedMessageOut]


class DeliveryOut(BaseModel):
    """A message to an endpoint, and every attempt to deliver it."""

    model_config = ConfigDict(json_schema_extra={"example": _DELIVERY})

    id: str
    endpoint_id: str
    message_id: str = Field(description="The `webhook-id` of every attempt.")
    event: WebhookEvent
    dream_id: str
    state: DeliveryState
    attempts: int = Field(
        description="Attempts since the delivery was created or last replayed; `tries` lists all of them."
    )
    error: str
    tries: list[TryOut]
    next_attempt_at: datetime | None = Field(
        description="Null if it has ended, or waits until its endpoint is enabled."
    )
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


router = APIRouter(prefix="/api/webhooks", tags=["webhooks"], route_class=OneThreadRoute)
_GRACE_HOURS = 24.0


@router.get("", responses=answers(), summary="List webhooks")
def list_all(caller: Administrator, limit: Limit = 50, cursor: Cursor = None) -> Page[WebhookOut]:
    """List the tenant's endpoints, newest first; never their secrets."""
    found = find_endpoints(caller.ports.db, caller.tenant_id)
    first = index_after([endpoint.id for endpoint in found], cursor)
    shown, following = page_of(found[first : first + limit + 1], limit, lambda endpoint: endpoint.id)
    return Page(data=[webhook_out(endpoint) for endpoint in shown], next_cursor=following)


@router.post("", status_code=201, responses=answers(409), summary="Create a webhook")
def create(body: WebhookIn, caller: Administrator, once: Idempotent) -> IssuedWebhookOut:
    """Create an endpoint to which events are posted. Only this answer contains its secret."""
    wanted = NewEndpoint(url=body.url, events=body.events, description=body.description)
    return once.answer_secret(
        caller,
        lambda: issued_webhook_out(create_endpoint(caller.ports, caller.tenant_id, wanted, actor=caller.actor)),
    )


@router.get("/{endpoint_id}", responses=answers(), summary="Get a webhook")
def get(endpoint_id: EndpointId, caller: Administrator) -> WebhookOut:
    """Return an endpoint. If it is disabled, `disabled_reason` has the reason."""
    return webhook_out(get_endpoint(caller.ports.db, caller.tenant_id, endpoint_id))


@router.delete("/{endpoint_id}", responses=answers(), summary="Delete a webhook")
def delete(endpoint_id: EndpointId, caller: Administrator) -> DeletedWebhookOut:
    """Delete an endpoint and drop its pending deliveries."""
    dropped = delete_endpoint(caller.ports.db, caller.tenant_id, endpoint_id, actor=caller.actor)
    return DeletedWebhookOut(id=endpoint_id, dropped=dropped)


@router.post("/{endpoint_id}/rotate", responses=answers(409), summary="Rotate a webhook's secret")
def rotate(
    endpoint_id: EndpointId,
    caller: Administrator,
    once: Idempotent,
    body: Annotated[WebhookRotateIn | None, Body()] = None,
) -> IssuedWebhookOut:
    """Create a new secret. Deliveries are also signed with the old one for a day, or for `grace_hours`."""
    hours = body.grace_hours if body else _GRACE_HOURS

    def produce() -> IssuedWebhookOut:
        return issued_webhook_out(
            rotate_endpoint(caller.ports, caller.tenant_id, endpoint_id, grace_hours=hours, actor=caller.actor)
        )

    return once.answer_secret(caller, produce)


@router.post(
    "/{endpoint_id}/enable", response_model=WebhookOut, responses=answers(409), summary="Enable a webhook again"
)
def enable(endpoint_id: EndpointId, caller: Administrator, once: Idempotent) -> Response:
    """Enable an endpoint and send its held deliveries; 409 if it is enabled already."""

    def produce() -> WebhookOut:
        enabled, _ = enable_endpoint(caller.ports.db, caller.tenant_id, endpoint_id, actor=caller.actor)
        return webhook_out(enabled)

    return once.answer(caller, 200, produce)


@router.post(
    "/{endpoint_id}/test",
    status_code=202,
    response_model=DeliveryOut,
    responses=answers(409),
    summary="Test a webhook",
)
def send_test(endpoint_id: EndpointId, caller: Administrator, once: Idempotent) -> Response:
    """Send `webhook.test` within seconds; the delivery shows the result. 409 if the endpoint is disabled."""
    return once.answer(
        caller,
        202,
        lambda: delivery_out(queue_test(caller.ports, caller.tenant_id, endpoint_id, actor=caller.actor)),
    )


@router.get("/{endpoint_id}/deliveries", responses=answers(), summary="List deliveries")
def deliveries(
    endpoint_id: EndpointId,
    caller: Administrator,
    state: Annotated[DeliveryState | None, Query(description="Only deliveries in this state.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[DeliveryOut]:
    """List the deliveries of an endpoint, newest first, each with its attempts."""
    wanted = DeliveryFilter(endpoint_id=endpoint_id, state=state)
    start_after = decode_cursor(cursor)
    found = find_deliveries(caller.ports.db, caller.tenant_id, wanted, start_after=start_after, limit=limit + 1)
    shown, following = page_of(found, limit, lambda delivery: delivery.id)
    return Page(data=[delivery_out(delivery) for delivery in shown], next_cursor=following)


@router.post(
    "/{endpoint_id}/take",
    response_model=TakenOut,
    responses=answers(409),
    summary="Take the messages of a webhook",
)
def take(endpoint_id: EndpointId, caller: Administrator, once: Idempotent) -> Response:
    """Take up to 100 messages of an endpoint with the address `listen:`, signed as if posted; each is answered once. 409 for any other."""

    def produce() -> TakenOut:
        taken = take_messages(caller.ports, caller.tenant_id, endpoint_id, actor=caller.actor)
        shown = [
            SignedMessageOut(delivery_id=one.delivery.id, headers=dict(one.headers), body=one.delivery.message.body)
            for one in taken
        ]
        return TakenOut(data=shown)

    return once.answer(caller, 200, produce)


@router.post(
    "/{endpoint_id}/replay",
    status_code=202,
    response_model=ReplayOut,
    responses=answers(409),
    summary="Send failed deliveries again",
)
def replay_all(endpoint_id: EndpointId, body: ReplayIn, caller: Administrator, once: Idempotent) -> Response:
    """Send all deliveries again that failed since a time, each under its own message id. 409 if the endpoint is disabled."""

    def produce() -> ReplayOut:
        done = replay_failed(
            caller.ports.db, caller.tenant_id, since=body.failed_since, actor=caller.actor, endpoint_id=endpoint_id
        )
        return ReplayOut(replayed=done.replayed)

    return once.answer(caller, 202, produce)


@router.post(
    "/{endpoint_id}/deliveries/{delivery_id}/replay",
    status_code=202,
    response_model=DeliveryOut,
    responses=answers(409),
    summary="Send a delivery again",
)
def replay(endpoint_id: EndpointId, delivery_id: DeliveryId, caller: Administrator, once: Idempotent) -> Response:
    """Send a delivery again within seconds, delivered or not, with the same id and bytes. 409 while an attempt is running."""
    db, tenant = caller.ports.db, caller.tenant_id
    return once.answer(
        caller,
        202,
        lambda: delivery_out(replay_delivery(db, tenant, delivery_id, actor=caller.actor, endpoint_id=endpoint_id)),
    )
