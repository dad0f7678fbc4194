"""A row of docs/profiles.md: one number that a system publishes, and ours."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.core.policy.policy import Policy
from shared.settings import Settings

#: The key of a number that no setting changes.
FIXED = "fixed"
#: Why no lock goes stale here as it does elsewhere.
LEASE = "Renewed by a heartbeat: a worker that is gone is noticed after a minute, one that is slow keeps its dream."


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One published default: what it is called there, its number, our field or how ours is read, and why it differs."""

    what: str
    published: object
    key: str
    why: str = ""
    read: Callable[[Policy], object] | None = None


def constant(value: object) -> Callable[[Policy], object]:
    """Return how a number is read that no profile changes."""
    return lambda _: value


def setting(name: str) -> Callable[[Policy], object]:
    """Return how a default of the installation's settings is read."""
    return lambda _: Settings.model_fields[name].default
