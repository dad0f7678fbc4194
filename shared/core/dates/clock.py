"""The day of a moment that lies minutes or hours away: certain only where no midnight lies within what the words leave open."""

from datetime import datetime, timedelta

from shared.core.dates.resolved import When, on_day


def on_clock(moment: datetime, minutes: float, *, slack: float) -> When | None:
    """Return the day that is so many minutes away, earlier when negative; None where it depends on the slack.

    Args:
        moment: the local moment at which it was said.
        minutes: how many minutes away it is.
        slack: by how many minutes the words may be off: "two hours ago" may be half an hour off, "about" more.
    """
    early, late = (moment + timedelta(minutes=minutes + sign * slack) for sign in (-1, 1))
    return on_day(early.date()) if early.date() == late.date() else None
