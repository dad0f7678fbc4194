"""Webhook endpoints: create, rotate, enable, test, delete. A secret is returned once and stored encrypted."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError
from shared.core.upkeep.due import end_of_week
from shared.core.webhooks.address import check_url
from shared.core.webhooks.endpoint import (
    DEFAULT_EVENTS,
    ENDPOINT_PREFIX,
    EVENTS,
    LISTEN,
    MAX_ENDPOINTS,
    MESSAGE_PREFIX,
    Delivery,
    WebhookEndpoint,
    WebhookEvent,
)
from shared.core.webhooks.message import build_secret, build_test_message
from shared.ports.database import Database, UnitOfWork
from shared.ports.webhooks import ClaimedDelivery, DeliveryFilter
from shared.services.webhooks.deliver import HOLD_SECONDS

_SECRET_BYTES = 32
_MAX_DESCRIPTION_CHARS = 200
MAX_GRACE_HOURS = 168.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEndpoint:
    """The properties of a new endpoint."""

    url: str
    events: Sequence[str] = DEFAULT_EVENTS
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedEndpoint:
    """An endpoint and its secret, which cannot be shown again."""

    endpoint: WebhookEndpoint
    secret: str

    def __repr__(self) -> str:
        return f"IssuedEndpoint(endpoint={self.endpoint!r})"


def create_endpoint(ports: Ports, tenant_id: str, wanted: NewEndpoint, *, actor: str) -> IssuedEndpoint:
    """Create an endpoint of an existing tenant.

    Raises:
        BadInputError: the address is not allowed (`listen:` is: its messages are taken, not posted), an event is unknown, or the installation has no key to seal the
        secret. ConflictError: the tenant has the maximum number of endpoints. NotFoundError: there is no such tenant.
    """
    if wanted.url != LISTEN:
        check_url(wanted.url, ports.settings.webhooks)
    events, description = _check_events(wanted.events), wanted.description.strip()
    if len(description) > _MAX_DESCRIPTION_CHARS or not description.isprintable():
        raise BadInputError(f"A webhook's description has at most {_MAX_DESCRIPTION_CHARS} printable characters")
    secret, endpoint_id = build_secret(secrets.token_bytes(_SECRET_BYTES)), ports.ids.new(ENDPOINT_PREFIX)
    with ports.db.transaction(tenant_id) as uow:
        zone = uow.stores.get_tenant(lock=True).time_zone  # serialises concurrent requests, so that the maximum holds
        if len(uow.webhooks.find_all()) >= MAX_ENDPOINTS:
            raise ConflictError(f"A tenant has at most {MAX_ENDPOINTS} webhooks; delete one first")
        uow.webhooks.add(
            WebhookEndpoint(
                id=endpoint_id,
                tenant_id=tenant_id,
                url=wanted.url,
                description=description,
                events=events,
                sealed=ports.sealer.seal(endpoint_id, secret),
                digest_at=end_of_week(uow.now(), zone) if WebhookEvent.INSIGHT_WEEKLY in events else None,
            )
        )
        uow.record_audit(actor, "webhook.create", endpoint_id=endpoint_id, events=list(events))
        return IssuedEndpoint(endpoint=uow.webhooks.get(endpoint_id), secret=secret)


def rotate_endpoint(
    ports: Ports, tenant_id: str, endpoint_id: str, *, grace_hours: float, actor: str
) -> IssuedEndpoint:
    """Give an endpoint a new secret. Messages are also signed with the old one for `grace_hours`.

    Raises:
        NotFoundError: the tenant has no such endpoint.
        BadInputError: the grace period is invalid.
    """
    if not 0 <= grace_hours <= MAX_GRACE_HOURS:
        raise BadInputError(f"The old secret can remain valid for 0 to {MAX_GRACE_HOURS:g} more hours")
    secret = build_secret(secrets.token_bytes(_SECRET_BYTES))
    with ports.db.transaction(tenant_id) as uow:
        endpoint = uow.webhooks.get(endpoint_id, lock=True)
        changed = replace(
            endpoint,
            sealed=ports.sealer.seal(endpoint_id, secret),
            previous_sealed=endpoint.sealed if grace_hours else None,
            previous_until=uow.now() + timedelta(hours=grace_hours) if grace_hours else None,
        )
        uow.webhooks.save(changed)
        uow.record_audit(actor, "webhook.rotate", endpoint_id=endpoint_id, grace_hours=grace_hours)
        return IssuedEndpoint(endpoint=changed, secret=secret)


def enable_endpoint(db: Database, tenant_id: str, endpoint_id: str, *, actor: str) -> tuple[WebhookEndpoint, int]:
    """Enable an endpoint again and release its held deliveries; return it and their number.

    Raises:
        NotFoundError: the tenant has no such endpoint.
        ConflictError: it is enabled already.
    """
    with db.transaction(tenant_id) as uow:
        endpoint = uow.webhooks.get(endpoint_id, lock=True)
        if endpoint.disabled_at is None:
            raise ConflictError(f"{endpoint_id} is enabled already")
        enabled = replace(endpoint, disabled_at=None, disabled_reason="", failures=0, failing_since=None)
        uow.webhooks.save(enabled)
        released = uow.deliveries.release(endpoint_id, uow.now())
        uow.record_audit(actor, "webhook.enable", endpoint_id=endpoint_id, released=released)
        return enabled, released


def delete_endpoint(db: Database, tenant_id: str, endpoint_id: str, *, actor: str) -> int:
    """Delete an endpoint; return the number of dropped deliveries. Its record stays, its secrets do not.

    Raises:
        NotFoundError: the tenant has no such endpoint.
    """
    with db.transaction(tenant_id) as uow:
        endpoint = uow.webhooks.get(endpoint_id, lock=True)
        dropped = uow.deliveries.drop(endpoint_id, "The endpoint was deleted")
        uow.webhooks.save(replace(endpoint, deleted_at=uow.now(), sealed="", previous_sealed=None, previous_until=None))
        uow.record_audit(actor, "webhook.delete", endpoint_id=endpoint_id, dropped=dropped)
        return dropped


def queue_test(ports: Ports, tenant_id: str, endpoint_id: str, *, actor: str) -> Delivery:
    """Queue a test message; a worker delivers it within seconds.

    Raises:
        NotFoundError: the tenant has no such endpoint.
        ConflictError: it is disabled.
    """
    with ports.db.transaction(tenant_id) as uow:
        return _add_test(uow, ports, endpoint_id, actor)


def claim_test(ports: Ports, tenant_id: str, endpoint_id: str, *, actor: str) -> ClaimedDelivery:
    """Queue a test message and claim it, for a caller that delivers it now and shows the result.

    Raises:
        NotFoundError: the tenant has no such endpoint.
        ConflictError: it is disabled, or its messages are taken and not posted.
    """
    with ports.db.transaction(tenant_id) as uow:
        if uow.webhooks.get(endpoint_id).is_taken_from:
            raise ConflictError(f"Nothing is posted to {endpoint_id}: `slowwave webhooks listen` takes its messages")
        return uow.deliveries.claim(_add_test(uow, ports, endpoint_id, actor).id, HOLD_SECONDS)


def _add_test(uow: UnitOfWork, ports: Ports, endpoint_id: str, actor: str) -> Delivery:
    endpoint = uow.webhooks.get(endpoint_id)
    if endpoint.disabled_at is not None:
        raise ConflictError(f"{endpoint_id} is disabled; enable it first: {endpoint.disabled_reason}")
    message = build_test_message(ports.ids.new(MESSAGE_PREFIX), uow.tenant_id, endpoint_id, uow.now())
    uow.record_audit(actor, "webhook.test", endpoint_id=endpoint_id)
    return uow.deliveries.add(endpoint_id, message)


def get_endpoint(db: Database, tenant_id: str, endpoint_id: str) -> WebhookEndpoint:
    """Return an endpoint. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.webhooks.get(endpoint_id)


def find_endpoints(db: Database, tenant_id: str) -> list[WebhookEndpoint]:
    """Return a tenant's endpoints, newest first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        return uow.webhooks.find_all()


def find_deliveries(
    db: Database, tenant_id: str, wanted: DeliveryFilter, *, start_after: str | None = None, limit: int
) -> list[Delivery]:
    """Return a tenant's deliveries, newest first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        if wanted.endpoint_id is not None:
            uow.webhooks.get(wanted.endpoint_id)
        return uow.deliveries.find_page(wanted, start_after=start_after, limit=limit)


def _check_events(wanted: Sequence[str]) -> tuple[WebhookEvent, ...]:
    """Return events without duplicates. Raises BadInputError."""
    unknown = [name for name in wanted if name not in EVENTS]
    if unknown or not wanted:
        named = f"There is no event {unknown[0]!r}; " if unknown else "A webhook needs at least one event; "
        raise BadInputError(f"{named}there are {' and '.join(EVENTS)}")
    return tuple(event for event in EVENTS if event in wanted)
