"""Put an event into the outbox of every endpoint that subscribes to it, in the transaction of what it tells of."""

from collections.abc import Callable

from shared.core.tenants.shadow import is_shadow
from shared.core.webhooks.endpoint import Message, WebhookEvent
from shared.ports.database import UnitOfWork


def announce(uow: UnitOfWork, event: WebhookEvent, store: str, build: Callable[[], Message | None]) -> None:
    """Queue a message for the endpoints of the tenant that subscribe to an event.

    Args:
        uow: the transaction.
        event: the event.
        store: the name of the store that it is about, empty for none; nothing is told of an evaluation's copies.
        build: returns the message, or None if there is nothing to tell; it is called only if an endpoint wants it.
    """
    if is_shadow(store):
        return
    wanting = [one.id for one in uow.webhooks.find_all() if one.disabled_at is None and event in one.events]
    message = build() if wanting else None
    if message is not None:
        for endpoint_id in wanting:
            uow.deliveries.add(endpoint_id, message)
