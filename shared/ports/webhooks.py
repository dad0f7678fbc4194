"""Webhooks of one tenant: endpoints, and the outbox of deliveries. And the one question that crosses tenants.

Posting webhooks, and sealing the secrets that sign them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.webhooks.endpoint import Attempt, Delivery, DeliveryState, Message, WebhookEndpoint
    from shared.core.webhooks.retries import AttemptVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedDelivery:
    """A delivery that is to be attempted now. A claim is good for one attempt, however often it is handed out."""

    tenant_id: str
    delivery_id: str
    claim: int


class DeliveryQueue(Protocol):
    """Deliveries of all tenants that are due."""

    def claim(self, *, at_once: int, per_tenant: int, hold_seconds: float) -> list[ClaimedDelivery]:
        """Return due deliveries, tenants and their endpoints in turns, while fewer than `at_once` are under way.

        A sender that does not report within `hold_seconds` counts as dead, and the delivery is due again.
        """


class EndpointRepository(Protocol):
    """The endpoints of one tenant, inside one transaction. A deleted one stays on record, without its secrets."""

    def add(self, endpoint: WebhookEndpoint) -> None:
        """Insert an endpoint."""

    def get(self, endpoint_id: str, *, lock: bool = False) -> WebhookEndpoint:
        """Return an endpoint that is not deleted; with `lock` its row is held. Raises NotFoundError."""

    def find_all(self) -> list[WebhookEndpoint]:
        """Return the endpoints that are not deleted, newest first."""

    def save(self, endpoint: WebhookEndpoint) -> None:
        """Write an endpoint's settings and state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFilter:
    """The filters of a list of deliveries; None means all."""

    endpoint_id: str | None = None
    state: DeliveryState | None = None


class DeliveryRepository(Protocol):
    """The outbox of one tenant, inside one transaction."""

    def add(self, endpoint_id: str, message: Message) -> Delivery:
        """Put a message into the outbox of an endpoint. The same message goes in once."""

    def get(self, delivery_id: str) -> Delivery:
        """Return a delivery. Raises NotFoundError."""

    def find_page(self, wanted: DeliveryFilter, *, start_after: str | None, limit: int) -> list[Delivery]:
        """Return deliveries, newest first, after the one of this id."""

    def begin(self, delivery_id: str, claim: int) -> Delivery | None:
        """Use a claim up and count the attempt; None when it was used before or the delivery is over."""

    def end(self, delivery: Delivery, attempt: Attempt, verdict: AttemptVerdict) -> None:
        """Log an attempt and write what follows from it. What ended meanwhile stays ended."""

    def claim(self, delivery_id: str, hold_seconds: float) -> ClaimedDelivery:
        """Claim a delivery out of turn, for a person who waits for it. Raises NotFoundError."""

    def hold(self, endpoint_id: str) -> None:
        """Hold all pending deliveries back: their endpoint is disabled."""

    def release(self, endpoint_id: str, at: datetime) -> int:
        """Make all pending deliveries due at a moment; return their number."""

    def drop(self, endpoint_id: str, reason: str) -> int:
        """End everything that is pending without sending it; return how many."""

    def replay(self, endpoint_id: str, *, delivery_id: str | None = None, failed_since: datetime | None = None) -> int:
        """Make one delivery, or all that failed since a moment, due again now; return their number.

        An ended delivery gets all its attempts again; a waiting one is due now. One that is under way
        is left alone.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResult:
    """The outcome of a post: the answer's status, or the error, a sentence that does not contain the address."""

    status: int | None
    latency_ms: int
    error: str = ""


class WebhookSender(Protocol):
    """Posts to addresses that tenants chose: to public ones only, in bounded time, following nothing."""

    def post(self, url: str, headers: Mapping[str, str], body: str) -> PostResult:
        """Post once. Never raises for what the receiver or the network does."""

    def find_fault(self, url: str) -> str | None:
        """Return why nothing would get out to an address now, without posting; None when its name resolves as it must."""


class Sealer(Protocol):
    """Seals secrets that must be read again, so that the database alone does not give them away."""

    def seal(self, owner: str, secret: str) -> str:
        """Return a secret sealed for its owner, an id. Raises BadInputError when the installation has no key."""

    def unseal(self, owner: str, sealed: str) -> str:
        """Return a secret. Raises PermanentError when it was sealed with another key, or for another owner."""
