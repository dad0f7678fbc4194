"""What a store's upkeep asks about all its memories at once: ids and versions come back, never a text."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.core.memory import MemoryHead
from shared.core.plan_maintain import Subject, Twin
from shared.core.policy import SafetyPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Fading:
    """Which memories count as decayed: unseen for `grace_days`, since `since` when there was a dream before."""

    now: datetime
    since: datetime | None
    grace_days: float
    by_last_seen: bool
    only_unused: bool
    floor_importance: float = 0.0  # what is not above it fades no further


class MaintenanceQueries(Protocol):
    """Questions over the live memories of one store. Generated files and exempt categories are left out."""

    def find_duplicates(self, limit: int) -> list[tuple[Twin, ...]]:
        """Return groups of exact duplicates, the one to keep first; at most `limit` memories to fold, exempt ones too.

        The most reinforced is kept, and what a user wrote before anything else.
        """

    def find_promotable(self, *, accesses: int, reinforcements: int, limit: int) -> list[Subject]:
        """Return memories of the working tier with at least so many of both, ordered by path."""

    def find_stale_working(self, *, before: datetime, protected_importance: float, limit: int) -> list[Subject]:
        """Return memories of the working tier that nobody wrote, saw or used since `before`, the stalest first.

        Never a protected one: core, pinned, written by a user, or of at least `protected_importance`.
        """

    def find_fresh(self, since: datetime) -> list[MemoryHead]:
        """Return memories that are new since then, or that somebody but a dream has written, ordered by path.

        What dreams wrote on their own and breadcrumbs (`category: breadcrumb`) are left out.
        """

    def find_unused_durable(self, *, before: datetime, protected: SafetyPolicy, limit: int) -> list[Subject]:
        """Return memories of the durable tier without an access that nobody wrote or saw since then, stalest first.

        Never a protected one: core, pinned, written by a user, important, or reinforced often enough.
        """

    def find_next_unused(self, *, after: datetime, protected: SafetyPolicy) -> datetime | None:
        """Return when the stalest of those was written or seen that are not yet of that age; None: there is none."""

    def find_kept(self) -> frozenset[str]:
        """Return the ids of memories whose archiving a person has rejected, and that nobody has written since.

        `find_stale_working` and `find_unused_durable` leave them out.
        """

    def count_decayed(self, fading: Fading) -> int:
        """Return how many memories began to fade."""
