"""Numbers about one tenant, for people who look at it: counts of now, and of the last days."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsNow:
    """How a tenant stands. Due stores are those whose check is due; flagged operations wait for a person.

    Quarantined stores are those that the last check found so.
    """

    stores: int = 0
    paused_stores: int = 0
    quarantined: int = 0
    due: int = 0
    queued: int = 0
    running: int = 0
    flagged: int = 0
    memories: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day (UTC). Dreams are counted by state on the day they were asked for; `memories` is at the day's end."""

    day: date
    dreams: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0
    cost_usd: float = 0.0
    model_calls: int = 0
    memories: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCounts:
    """What a store holds now: live memories, those changed since its last dream, operations that wait for a person."""

    live: int
    changed: int
    to_review: int


class Statistics(Protocol):
    """What the books of one tenant add up to, inside one transaction."""

    def count_now(self) -> CountsNow:
        """Return how the tenant stands."""

    def count_memories(self) -> Mapping[str, int]:
        """Return how many live memories each store has, by its name."""

    def count_store(self, store_id: str) -> StoreCounts:
        """Return what one store holds now."""

    def find_days(self, days: int) -> list[Day]:
        """Return the last days, today the last one, those without anything too."""
