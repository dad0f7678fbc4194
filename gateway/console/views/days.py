"""Sum up days for the console's charts and tiles."""

from collections.abc import Sequence

from shared.ports.tenants import Day

DAYS = 14
WEEK = 7


def sum_of_week(days: Sequence[Day], state: str) -> int:
    """Return how many dreams of the last week ended so."""
    return sum(day.dreams.get(state, 0) for day in days[-WEEK:])
