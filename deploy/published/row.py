"""A row of docs/profiles.md: one number that a system publishes, and ours."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.core.policy.policy import Policy
from shared.settings import Settings

#: The key of a number without a setting.
FIXED = "fixed"
#: The reason why locks do not go stale here.
LEASE = "Renewed by a heartbeat: a dead worker is noticed after a minute, a slow one keeps its dream."


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One published default: its name, its value, our setting or how ours is read, and the reason for a difference."""

    what: str
    published: object
    key: str
    why: str = ""
    read: Callable[[Policy], object] | None = None


def constant(value: object) -> Callable[[Policy], object]:
    """Return a reader for a number that no profile changes."""
    return lambda _: value


def setting(name: str) -> Callable[[Policy], object]:
    """Return a reader for the default of an installation setting."""
    return lambda _: Settings.model_fields[name].default
