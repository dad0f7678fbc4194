"""Keys of one tenant, and the one question that is asked before the tenant is known."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.core.api_key import ApiKey


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKey:
    """A key by its id, or none; and the database's time, by which keys expire."""

    key: ApiKey | None
    now: datetime


class KeyBook(Protocol):
    """The keys of one tenant, inside one transaction. No key is ever deleted: a revoked one stays on record."""

    def add(self, key: ApiKey) -> None:
        """Insert a key."""

    def get(self, key_id: str) -> ApiKey:
        """Return a key, held until the transaction ends. Raises NotFoundError."""

    def find_all(self) -> list[ApiKey]:
        """Return the tenant's keys, newest first."""

    def save(self, key: ApiKey) -> None:
        """Write a key's hashes and times, except when it was last used."""

    def record_use(self, key_id: str) -> None:
        """Remember that a key was used just now; at most one write a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResponse:
    """The answer to a request that came with an idempotency key."""

    status: int
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestClaim:
    """What is known of a request: to be worked on now (`is_mine`), answered already, or asked with another body."""

    is_mine: bool
    is_other_request: bool = False
    response: KeptResponse | None = None


class RequestBook(Protocol):
    """Requests that came with an idempotency key, of one tenant, inside one transaction."""

    def claim(self, key_id: str, request_key: str, request_hash: str, *, hold_seconds: float) -> RequestClaim:
        """Take a request, unless it was answered, is being worked on, or was another one."""

    def keep(self, key_id: str, request_key: str, response: KeptResponse, *, keep_hours: float) -> None:
        """Store the answer for whoever asks the same again."""

    def release(self, key_id: str, request_key: str) -> None:
        """Let go of a request that failed, so that it can be tried again at once."""

    def forget(self, words: Collection[str]) -> None:
        """Forget the kept answers that hold one of these words; asked again, such a request is worked on anew."""
