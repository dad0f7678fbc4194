"""Replay webhooks: one delivery, or all that failed since a time. The message keeps its id and its bytes.

Receivers drop messages that they have seen, so an unneeded replay is harmless.
"""

from dataclasses import dataclass
from datetime import datetime

from shared.core.errors import ConflictError, NotFoundError
from shared.core.webhooks.endpoint import Delivery
from shared.ports.database import Database, UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """The number of deliveries to send again, and the disabled endpoints that were left out."""

    replayed: int
    disabled: tuple[str, ...]


def replay_delivery(
    db: Database, tenant_id: str, delivery_id: str, *, actor: str, endpoint_id: str | None = None
) -> Delivery:
    """Send a delivery again, delivered or not; one that waits for a retry is sent now.

    Args:
        db: the database.
        tenant_id: the tenant.
        delivery_id: the delivery.
        actor: the author, for the audit log.
        endpoint_id: the endpoint that it must belong to, if given.

    Raises:
        NotFoundError: the tenant, or the endpoint, has no such delivery.
        ConflictError: the endpoint is disabled or deleted, or an attempt is in progress.
    """
    with db.transaction(tenant_id) as uow:
        delivery = uow.deliveries.get(delivery_id)
        if endpoint_id not in {None, delivery.endpoint_id}:
            raise NotFoundError(f"{endpoint_id} has no delivery {delivery_id!r}")
        _check_endpoint(uow, delivery)
        if not uow.deliveries.replay(delivery.endpoint_id, delivery_id=delivery_id):
            raise ConflictError(f"{delivery_id} is being attempted right now; look again in a few seconds")
        named = {"endpoint_id": delivery.endpoint_id, "delivery_id": delivery_id}
        uow.record_audit(actor, "webhook.replay", **named, state=delivery.state)
        return uow.deliveries.get(delivery_id)


def replay_failed(
    db: Database, tenant_id: str, *, since: datetime, actor: str, endpoint_id: str | None = None
) -> Replayed:
    """Send again the deliveries that failed since a time, to one endpoint or to all enabled ones.

    Raises:
        NotFoundError: there is no such tenant or endpoint.
        ConflictError: the given endpoint is disabled.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        endpoints = [uow.webhooks.get(endpoint_id)] if endpoint_id else uow.webhooks.find_all()
        disabled = tuple(one.id for one in endpoints if one.disabled_at is not None)
        if endpoint_id in disabled:
            raise ConflictError(f"{endpoint_id} is disabled; enable it first: {endpoints[0].disabled_reason}")
        enabled = [one.id for one in endpoints if one.disabled_at is None]
        replayed = sum(uow.deliveries.replay(one, failed_since=since) for one in enabled)
        uow.record_audit(actor, "webhook.replay", since=since.isoformat(), endpoint_id=endpoint_id, replayed=replayed)
        return Replayed(replayed=replayed, disabled=disabled)


def _check_endpoint(uow: UnitOfWork, delivery: Delivery) -> None:
    try:
        endpoint = uow.webhooks.get(delivery.endpoint_id)
    except NotFoundError:
        raise ConflictError(f"The endpoint of {delivery.id} was deleted, so it cannot be sent") from None
    if endpoint.disabled_at is not None:
        raise ConflictError(f"{endpoint.id} is disabled; enable it first: {endpoint.disabled_reason}")
