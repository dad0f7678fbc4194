"""Posting webhooks, and sealing the secrets that sign them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResult:
    """How a post ended: the answer's status, or why there is none. `error` is a sentence without the address in it."""

    status: int | None
    latency_ms: int
    error: str = ""


class WebhookSender(Protocol):
    """Posts to addresses that tenants chose: to public ones only, in bounded time, following nothing."""

    def post(self, url: str, headers: Mapping[str, str], body: str) -> PostResult:
        """Post once. Never raises for what the receiver or the network does."""


class Sealer(Protocol):
    """Seals secrets that must be read again, so that the database alone does not give them away."""

    def seal(self, owner: str, secret: str) -> str:
        """Return a secret sealed for its owner, an id. Raises BadInputError when the installation has no key."""

    def unseal(self, owner: str, sealed: str) -> str:
        """Return a secret. Raises PermanentError when it was sealed with another key, or for another owner."""
