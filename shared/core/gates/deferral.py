"""The operator's switches for the whole installation, and the share of stores that a deferral delays."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from shared.core.errors import BadInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The switches of the installation; `last_sweep_at` shows whether beat is alive."""

    paused_at: datetime | None = None
    defer_percent: int = 0
    last_sweep_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One action of an operator on the whole installation."""

    at: datetime
    actor: str
    action: str
    detail: dict[str, object] = field(default_factory=dict)


def decide_deferred(store_id: str, percent: int, now: datetime) -> bool:
    """Tell whether a store is in today's deferred share: stable all day, and a larger share only adds stores."""
    drawn = hashlib.blake2b(f"{store_id} {now:%Y-%m-%d}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "big") % 100 < percent


def check_percent(percent: int) -> int:
    """Return a percentage, or raise BadInputError."""
    if not 0 <= percent <= 100:
        msg = f"The share is a percentage from 0 to 100, not {percent}; 0 switches deferral off"
        raise BadInputError(msg)
    return percent
