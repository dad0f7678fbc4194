"""Create a tenant's webhooks, send tests, and show and replay deliveries. A secret is shown once, as it is made."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import DeliveryId, EndpointId
from gateway.console.pages import go, page
from gateway.console.settings.changes import REFUSALS, Line, settings_of
from gateway.console.visitor import Administrator, AdminReader, Visitor
from shared.core.errors import ConflictError
from shared.core.webhooks.endpoint import DEFAULT_EVENTS, EVENTS, MAX_ENDPOINTS, DeliveryState
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
    queue_test,
    rotate_endpoint,
)
from shared.services.webhooks.replay import replay_delivery, replay_failed

router = APIRouter(prefix="/console/t/{tenant}/settings/webhooks", include_in_schema=False)
#: Where the page stood before; bookmarks lead there.
old_router = APIRouter(prefix="/console/t/{tenant}/webhooks", include_in_schema=False)
_ON_A_PAGE = 25
Events = Annotated[list[Annotated[str, Form(max_length=60)]], Form(default_factory=list, max_length=20)]


@old_router.get("")
def find_new_address(request: Request, visitor: AdminReader) -> Response:
    """Redirect to the page of webhooks."""
    query = f"?{request.url.query}" if request.url.query else ""
    return go(visitor, f"{settings_of(visitor)}/webhooks{query}")


@router.get("")
def show(
    request: Request,
    visitor: AdminReader,
    state: Annotated[str, Query(max_length=20)] = "",
    cursor: Cursor = None,
) -> Response:
    """Show the endpoints and their deliveries, newest first."""
    db = visitor.ports.db
    endpoints = find_endpoints(db, visitor.tenant_id)
    wanted = DeliveryState(state) if state in set(DeliveryState) else None
    found = find_deliveries(
        db, visitor.tenant_id, DeliveryFilter(state=wanted), start_after=decode_cursor(cursor), limit=_ON_A_PAGE + 1
    )
    shown, following = page_of(found, _ON_A_PAGE, lambda delivery: delivery.id)
    return page(
        request,
        visitor,
        "settings/webhooks.html",
        endpoints=endpoints,
        urls={endpoint.id: endpoint.url for endpoint in endpoints},
        enabled={endpoint.id for endpoint in endpoints if endpoint.disabled_at is None},
        deliveries=shown,
        following=following,
        state=wanted,
        states=list(DeliveryState),
        events=EVENTS,
        default_events=DEFAULT_EVENTS,
        most=MAX_ENDPOINTS,
    )


@router.post("")
def create(
    request: Request,
    visitor: Administrator,
    events: Events,
    url: Annotated[str, Form(max_length=2_000)] = "",
    description: Line = "",
) -> Response:
    """Make an endpoint and show its secret, this once."""
    wanted = NewEndpoint(url=url.strip(), events=events, description=description)
    try:
        issued = create_endpoint(visitor.ports, visitor.tenant_id, wanted, actor=visitor.actor)
    except REFUSALS as error:
        return _back(visitor, str(error), "refused")
    return _show_secret(request, visitor, issued)


@router.post("/{endpoint_id}/rotate")
def rotate(
    request: Request,
    visitor: Administrator,
    endpoint_id: EndpointId,
    grace_hours: Annotated[float, Form(ge=0, le=MAX_GRACE_HOURS)] = 24,
) -> Response:
    """Give an endpoint a new secret and show it, this once."""
    issued = rotate_endpoint(
        visitor.ports, visitor.tenant_id, endpoint_id, grace_hours=grace_hours, actor=visitor.actor
    )
    return _show_secret(request, visitor, issued)


def _show_secret(request: Request, visitor: Visitor, issued: IssuedEndpoint) -> Response:
    """Return the page that shows a secret. It is an answer to a form, so that no address leads to it again."""
    endpoint = issued.endpoint
    return page(
        request,
        visitor,
        "settings/secret.html",
        title="The webhook's secret",
        secret=issued.secret,
        about=f"{', '.join(endpoint.events)} to {endpoint.url}",
        use="Your receiver checks signatures with it.",
        until=endpoint.previous_until,
        back="webhooks",
    )


@router.post("/{endpoint_id}/delete")
def delete(visitor: Administrator, endpoint_id: EndpointId) -> Response:
    """Send nothing to an endpoint any more."""
    dropped = delete_endpoint(visitor.ports.db, visitor.tenant_id, endpoint_id, actor=visitor.actor)
    return _back(visitor, f"Deleted{f'; {dropped:,} pending deliveries are dropped' if dropped else ''}")


@router.post("/{endpoint_id}/test")
def send_test(visitor: Administrator, endpoint_id: EndpointId) -> Response:
    """Send a test message; a worker delivers it within seconds."""
    try:
        queue_test(visitor.ports, visitor.tenant_id, endpoint_id, actor=visitor.actor)
    except ConflictError as error:
        return _back(visitor, str(error), "refused")
    return _back(visitor, "A test is being sent; reload the page in a few seconds to see the answer")


@router.post("/{endpoint_id}/enable")
def enable(visitor: Administrator, endpoint_id: EndpointId) -> Response:
    """Enable an endpoint and send its held deliveries."""
    try:
        _, released = enable_endpoint(visitor.ports.db, visitor.tenant_id, endpoint_id, actor=visitor.actor)
    except ConflictError as error:
        return _back(visitor, str(error), "refused")
    held_back = f"; {released} held deliveries are sent now" if released else ""
    return _back(visitor, f"Enabled{held_back}. Failed deliveries can be sent again below")


@router.post("/deliveries/{delivery_id}/replay")
def replay(visitor: Administrator, delivery_id: DeliveryId) -> Response:
    """Send a delivery again, under the same message id."""
    try:
        again = replay_delivery(visitor.ports.db, visitor.tenant_id, delivery_id, actor=visitor.actor)
    except ConflictError as error:
        return _back(visitor, str(error), "refused")
    return _back(visitor, f"{again.message.event} is sent again; reload the page in a few seconds")


@router.post("/replay")
def replay_all(visitor: Administrator, days: Annotated[int, Form(ge=1, le=30)] = 1) -> Response:
    """Send everything again that failed within the last days."""
    since = datetime.now(UTC) - timedelta(days=days)
    done = replay_failed(visitor.ports.db, visitor.tenant_id, since=since, actor=visitor.actor)
    said = f"{done.replayed:,} failed deliveries are sent again" if done.replayed else "Nothing failed in that time"
    if done.disabled:
        said += f"; {len(done.disabled)} disabled endpoints left out: enable them first"
    return _back(visitor, said, "done" if done.replayed else "refused")


def _back(visitor: Visitor, said: str, kind: str = "done") -> Response:
    return go(visitor, f"{settings_of(visitor)}/webhooks", said, kind)
