"""Expand the short reason of a shut gate, such as `Too recent (2.5h < 12h)`, to a sentence.

The short reasons are part of the API, and programs parse them; pages and `slowwave status` show the sentences.
"""

_UNITS = (("hour", 3_600), ("minute", 60), ("second", 1))
_PAUSED = {"tenant": "for the whole tenant", "store": "for this store", "operator": "for all tenants, by an operator"}


def say_span(seconds: float) -> str:
    """Return a length of time, rounded down to two units: `2 hours 30 minutes`, `45 seconds`."""
    left, said = int(max(0.0, seconds)), []
    for unit, size in _UNITS:
        number, left = divmod(left, size)
        if number:
            said.append(f"{number:,} {unit}{'' if number == 1 else 's'}")
    return " ".join(said[:2]) or "0 seconds"


def _say_ago(seconds: float) -> str:
    return f"{say_span(seconds)} ago" if seconds >= 1 else "just now"


def say_paused(by: str) -> str:
    """Say who paused the dreams of a store: "tenant", "store" or "operator"."""
    return f"Dreaming is paused {_PAUSED.get(by, f'({by})')}"


def say_too_recent(seconds: float, least_hours: float) -> str:
    """Say how long ago the last dream was, and how long ago it has to be."""
    return f"Too soon: the last dream was {_say_ago(seconds)}, and dreams are at least {say_span(least_hours * 3_600)} apart"


def say_checked(seconds: float, least_minutes: float) -> str:
    """Say when a store was last checked, and how often it is checked."""
    least = say_span(least_minutes * 60)
    return f"It was checked {_say_ago(seconds)}, and checks are at least {least} apart"


def say_too_little(counted: list[tuple[int, int, str]]) -> str:
    """Say how much activity there was since the last dream, and how much makes a dream due; either kind is enough."""
    numbers = " or ".join(f"{have:,} of {need:,} {what}" for have, need, what in counted)
    return f"Not enough is new since the last dream: {numbers}"


def say_tasks(number: int) -> str:
    """Say how many tasks the agent still has."""
    return f"Its agent has {number:,} task{'' if number == 1 else 's'} to do first"


def say_active(seconds: float, quiet_seconds: float) -> str:
    """Say when the store's agent was last active, and how long it must be quiet."""
    return (
        f"Its agent was active {_say_ago(seconds)}; a dream waits until it has been quiet for {say_span(quiet_seconds)}"
    )


def say_no_slot(running: int, cap: int) -> str:
    """Say how many dreams are running, and how many may run."""
    return f"It waits for another dream to end: {running:,} of at most {cap:,} at a time {'runs' if running == 1 else 'run'}"
