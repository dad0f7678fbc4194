"""Webhooks of one tenant: endpoints, and the outbox of deliveries; and the queue of due deliveries of all tenants.

Also posting webhooks, and encrypting their signing secrets.
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
    """A delivery to attempt now. A claim is valid for one attempt, even if its message is delivered twice."""

    tenant_id: str
    delivery_id: str
    claim: int


class DeliveryQueue(Protocol):
    """Deliveries of all tenants that are due."""

    def claim(self, *, at_once: int, per_tenant: int, hold_seconds: float) -> list[ClaimedDelivery]:
        """Return due deliveries, tenants and their endpoints in turns, while fewer than `at_once` are under way.

        A sender that does not report within `hold_seconds` counts as dead, and the delivery is due again.
        """

    def find_due_digests(self, limit: int) -> list[str]:
        """Return tenants with an endpoint whose weekly digest is due."""


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
        """Add a message to the outbox of an endpoint. A message is added only once."""

    def get(self, delivery_id: str) -> Delivery:
        """Return a delivery. Raises NotFoundError."""

    def find_page(self, wanted: DeliveryFilter, *, start_after: str | None, limit: int) -> list[Delivery]:
        """Return deliveries, newest first, after the one of this id."""

    def begin(self, delivery_id: str, claim: int) -> Delivery | None:
        """Consume a claim and count the attempt; None if it was used before or the delivery has ended."""

    def end(self, delivery: Delivery, attempt: Attempt, verdict: AttemptVerdict) -> None:
        """Record an attempt and its consequence. A delivery that ended meanwhile stays ended."""

    def claim(self, delivery_id: str, hold_seconds: float) -> ClaimedDelivery:
        """Claim a delivery out of turn, for a person who waits for it. Raises NotFoundError."""

    def hold(self, endpoint_id: str) -> None:
        """Hold all pending deliveries back: their endpoint is disabled."""

    def release(self, endpoint_id: str, at: datetime) -> int:
        """Make all pending deliveries due at a moment; return their number."""

    def drop(self, endpoint_id: str, reason: str) -> int:
        """End all pending deliveries without sending them; return how many."""

    def replay(self, endpoint_id: str, *, delivery_id: str | None = None, failed_since: datetime | None = None) -> int:
        """Make one delivery, or all that failed since a moment, due again now; return their number.

        An ended delivery gets all its attempts again; a waiting one is due now. One that is under way
        is left alone.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResult:
    """The outcome of a post: the response's status, or an error message without the address."""

    status: int | None
    latency_ms: int
    error: str = ""


class WebhookSender(Protocol):
    """Posts to addresses that tenants chose: only to public ones, with a time limit and without redirects."""

    def post(self, url: str, headers: Mapping[str, str], body: str) -> PostResult:
        """Post once. Never raises for what the receiver or the network does."""

    def find_fault(self, url: str) -> str | None:
        """Return why nothing could be delivered to an address now, without posting; None if its name resolves to public addresses."""


class Sealer(Protocol):
    """Encrypts secrets that must be read again, so that the database alone does not reveal them."""

    def seal(self, owner: str, secret: str) -> str:
        """Encrypt a secret for its owner, an id. Raises BadInputError if the installation has no key."""

    def unseal(self, owner: str, sealed: str) -> str:
        """Decrypt a secret. Raises PermanentError if it was encrypted with another key or for another owner."""
