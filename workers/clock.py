"""The time a dream has left, by this process's monotonic clock, set once from the database's time."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

#: What is kept back from the budget for storing and applying what a phase has.
_RESERVE_SHARE = 0.05
RESERVE_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLeft:
    """A deadline that a wrong or jumping wall clock cannot move."""

    ends_at: float  # time.monotonic()

    def seconds(self) -> float:
        """Return the seconds left, never negative."""
        return max(0.0, self.ends_at - time.monotonic())


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseClock:
    """The database's time, carried on by this process's monotonic clock: no question to the database for each look."""

    started_at: datetime
    monotonic: float

    @classmethod
    def at(cls, now: datetime) -> Self:
        """Return a clock that shows the database's time `now`."""
        return cls(started_at=now, monotonic=time.monotonic())

    def now(self) -> datetime:
        """Return the time."""
        return self.started_at + timedelta(seconds=time.monotonic() - self.monotonic)


def time_left(now: datetime, deadline_at: datetime | None, budget_seconds: float) -> TimeLeft:
    """Return the time that phases may spend on models: up to the deadline, less a reserve."""
    reserve = min(RESERVE_SECONDS, budget_seconds * _RESERVE_SHARE)
    left = (deadline_at - now).total_seconds() - reserve if deadline_at else budget_seconds
    return TimeLeft(ends_at=time.monotonic() + left)
