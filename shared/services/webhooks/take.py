"""Take the messages of an endpoint that is not posted to: signed as they would be posted, oldest first, each once.

So a developer sees events on a machine that nothing can reach from outside, and no webhook is posted into a private network.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.all_ports import Ports
from shared.core.errors import ConflictError
from shared.core.webhooks.endpoint import LISTEN, Attempt, Delivery, DeliveryState, WebhookEndpoint
from shared.core.webhooks.message import build_headers
from shared.core.webhooks.retries import AttemptVerdict
from shared.ports.webhooks import DeliveryFilter
from shared.services.webhooks.deliver import open_secrets
from shared.services.webhooks.endpoints import IssuedEndpoint, NewEndpoint, create_endpoint, delete_endpoint

#: The most messages of one answer, and of those that are looked through for the oldest.
MOST_TAKEN, _WAITING = 100, 1_000
#: A listener asks every few seconds: one that has not asked for so long is gone.
_GONE_AFTER = timedelta(hours=1)
_TAKEN = AttemptVerdict(state=DeliveryState.DELIVERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A message with the headers that a post of it would have."""

    delivery: Delivery
    headers: Mapping[str, str]


def take_messages(
    ports: Ports, tenant_id: str, endpoint_id: str, *, actor: str, limit: int = MOST_TAKEN
) -> list[Taken]:
    """Return the oldest messages that wait, which counts as their delivery.

    Raises:
        NotFoundError: the tenant has no such endpoint.
        ConflictError: messages are posted to it.
    """
    with ports.db.transaction(tenant_id) as uow:
        endpoint = uow.webhooks.get(endpoint_id, lock=True)
        if not endpoint.is_taken_from:
            raise ConflictError(
                f"{endpoint_id} is posted to; messages are taken from endpoints with the address {LISTEN}"
            )
        waiting = DeliveryFilter(endpoint_id=endpoint_id, state=DeliveryState.PENDING)
        found = uow.deliveries.find_page(waiting, start_after=None, limit=_WAITING)[::-1][:limit]
        now, secrets = uow.now(), open_secrets(ports, endpoint, uow)
        for one in found:
            uow.deliveries.end(one, Attempt(at=now, status=None, latency_ms=0), _TAKEN)
        uow.webhooks.save(replace(endpoint, delivered_at=now))
        if found:
            uow.record_audit(actor, "webhook.take", endpoint_id=endpoint_id, taken=len(found))
        return [Taken(delivery=one, headers=build_headers(secrets, one.message, now)) for one in found]


def begin_listening(ports: Ports, tenant_id: str, wanted: NewEndpoint, *, actor: str) -> IssuedEndpoint:
    """Create an endpoint to take messages from, and delete those of listeners that are gone.

    Raises:
        NotFoundError: there is no such tenant. BadInputError: an event is unknown. ConflictError: there are too many endpoints.
    """
    with ports.db.transaction(tenant_id) as uow:
        before = uow.now() - _GONE_AFTER
        gone = [one.id for one in uow.webhooks.find_all() if one.is_taken_from and not _asks_since(one, before)]
    for endpoint_id in gone:
        delete_endpoint(ports.db, tenant_id, endpoint_id, actor=actor)
    return create_endpoint(ports, tenant_id, replace(wanted, url=LISTEN), actor=actor)


def _asks_since(endpoint: WebhookEndpoint, moment: datetime) -> bool:
    asked = endpoint.delivered_at or endpoint.created_at
    return asked is not None and asked >= moment
