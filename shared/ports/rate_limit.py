"""How many requests a key may make: a bucket of tokens that fills evenly."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class RateVerdict:
    """Whether a request may go on; if not, when to come back."""

    is_allowed: bool
    remaining: int
    retry_after_seconds: float = 0.0


class RateLimit(Protocol):
    """Counts requests over all processes. Never raises: what cannot be counted is allowed, for it protects no data."""

    def take_held(self, name: str) -> RateVerdict | None:
        """Take one of the tokens that this process holds of a bucket; None when `take` must ask. Never waits."""

    def take(self, name: str, *, per_minute: int) -> RateVerdict:
        """Take one token of a bucket that holds a minute's worth and fills within a minute."""
