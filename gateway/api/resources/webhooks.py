"""Webhooks of the tenant. Answers with a secret are never stored: the same POST again is told so."""

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response

from gateway.api.auth import Administrator
from gateway.api.cursors import Cursor, Limit, Page, decode_cursor, page_behind, page_of
from gateway.api.idempotency import Idempotent
from gateway.api.one_thread import OneThreadRoute
from gateway.api.parameters import DeliveryId, EndpointId
from gateway.api.problems import answers
from gateway.api.shapes.webhooks import (
    DeletedWebhookOut,
    DeliveryOut,
    IssuedWebhookOut,
    ReplayIn,
    ReplayOut,
    WebhookIn,
    WebhookOut,
    WebhookRotateIn,
    delivery_out,
    issued_webhook_out,
    webhook_out,
)
from shared.core.webhook import DeliveryState
from shared.ports.webhook_books import DeliveryFilter
from shared.services.manage_webhooks import (
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
from shared.services.replay_webhooks import replay_delivery, replay_failed

router = APIRouter(prefix="/api/webhooks", tags=["webhooks"], route_class=OneThreadRoute)
_GRACE_HOURS = 24.0


@router.get("", responses=answers(), summary="List webhooks")
def list_all(caller: Administrator, limit: Limit = 50, cursor: Cursor = None) -> Page[WebhookOut]:
    """List the tenant's endpoints, newest first; never their secrets."""
    found = find_endpoints(caller.ports.db, caller.tenant_id)
    first = page_behind([endpoint.id for endpoint in found], cursor)
    shown, following = page_of(found[first : first + limit + 1], limit, lambda endpoint: endpoint.id)
    return Page(data=[webhook_out(endpoint) for endpoint in shown], next_cursor=following)


@router.post("", status_code=201, responses=answers(409), summary="Make a webhook")
def create(body: WebhookIn, caller: Administrator, once: Idempotent) -> IssuedWebhookOut:
    """Have events posted to an address. Its secret is in this answer and nowhere else."""
    wanted = NewEndpoint(url=body.url, events=body.events, description=body.description)
    return once.answer_unkept(
        caller,
        lambda: issued_webhook_out(create_endpoint(caller.ports, caller.tenant_id, wanted, actor=caller.actor)),
    )


@router.get("/{endpoint_id}", responses=answers(), summary="Get a webhook")
def get(endpoint_id: EndpointId, caller: Administrator) -> WebhookOut:
    """Return an endpoint, and why it is disabled if it is."""
    return webhook_out(get_endpoint(caller.ports.db, caller.tenant_id, endpoint_id))


@router.delete("/{endpoint_id}", responses=answers(), summary="Delete a webhook")
def delete(endpoint_id: EndpointId, caller: Administrator) -> DeletedWebhookOut:
    """Send nothing there any more, also of what is pending."""
    dropped = delete_endpoint(caller.ports.db, caller.tenant_id, endpoint_id, actor=caller.actor)
    return DeletedWebhookOut(id=endpoint_id, dropped=dropped)


@router.post("/{endpoint_id}/rotate", responses=answers(409), summary="Give a webhook a new secret")
def rotate(
    endpoint_id: EndpointId,
    caller: Administrator,
    once: Idempotent,
    body: Annotated[WebhookRotateIn | None, Body()] = None,
) -> IssuedWebhookOut:
    """Make a new secret; the old one signs beside it for a day, or for `grace_hours`."""
    hours = body.grace_hours if body else _GRACE_HOURS

    def produce() -> IssuedWebhookOut:
        return issued_webhook_out(
            rotate_endpoint(caller.ports, caller.tenant_id, endpoint_id, grace_hours=hours, actor=caller.actor)
        )

    return once.answer_unkept(caller, produce)


@router.post(
    "/{endpoint_id}/enable", response_model=WebhookOut, responses=answers(409), summary="Enable a webhook again"
)
def enable(endpoint_id: EndpointId, caller: Administrator, once: Idempotent) -> Response:
    """Send there again, also what was held back; 409 if it is enabled."""

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
    """Send `webhook.test` there within seconds; its delivery says how that went. 409 if it is disabled."""
    return once.answer(
        caller,
        202,
        lambda: delivery_out(queue_test(caller.ports, caller.tenant_id, endpoint_id, actor=caller.actor)),
    )


@router.get("/{endpoint_id}/deliveries", responses=answers(), summary="List deliveries")
def deliveries(
    endpoint_id: EndpointId,
    caller: Administrator,
    state: Annotated[DeliveryState | None, Query(description="Only those.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[DeliveryOut]:
    """List what was or will be sent to an endpoint, newest first, each with its attempts."""
    wanted = DeliveryFilter(endpoint_id=endpoint_id, state=state)
    behind = decode_cursor(cursor)
    found = find_deliveries(caller.ports.db, caller.tenant_id, wanted, behind=behind, limit=limit + 1)
    shown, following = page_of(found, limit, lambda delivery: delivery.id)
    return Page(data=[delivery_out(delivery) for delivery in shown], next_cursor=following)


@router.post(
    "/{endpoint_id}/replay",
    status_code=202,
    response_model=ReplayOut,
    responses=answers(409),
    summary="Send what failed again",
)
def replay_all(endpoint_id: EndpointId, body: ReplayIn, caller: Administrator, once: Idempotent) -> Response:
    """Send everything again that failed since a moment, each under its own message id; 409 if it is disabled."""

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
    """Send it again within seconds, delivered or not: the same message id, the same bytes. 409 while it is under way."""
    db, tenant = caller.ports.db, caller.tenant_id
    return once.answer(
        caller,
        202,
        lambda: delivery_out(replay_delivery(db, tenant, delivery_id, actor=caller.actor, endpoint_id=endpoint_id)),
    )
