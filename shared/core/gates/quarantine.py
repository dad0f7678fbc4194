"""Quarantine: a store whose dreams keep failing is not dreamt over until a person has checked it."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.dream.model import DreamState

#: The end states that count. Canceled and undone dreams do not.
TELLING_STATES = frozenset({DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR})


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedDream:
    """The end of one dream of a store, dry runs excluded."""

    has_failed: bool
    reason: str = ""


def decide_failed(state: DreamState, *, rescues: int, max_rescues: int, is_dry_run: bool) -> bool:
    """Tell whether an ended dream counts as a failure: it ended in error, or partial at the rescue limit."""
    is_spent = state is DreamState.PARTIAL and rescues > max_rescues
    return not is_dry_run and (state is DreamState.ERROR or is_spent)


def decide_quarantined(ended: Sequence[EndedDream], after: int | None) -> str:
    """Return the reason for a store's quarantine; empty when it is not in quarantine.

    Args:
        ended: the store's dreams since it was last forgiven, newest first, at least the last `after`.
        after: the number of failures in a row; None: never.
    """
    if not after or len(ended) < after or not all(dream.has_failed for dream in ended[:after]):
        return ""
    last = ended[0].reason or "no reason was left"
    return f"Quarantined after {say_failures(after)} ({last}); resume it or redrive a dream when the cause is fixed"


def say_failures(number: int) -> str:
    """Return `1 failed dream`, `3 failed dreams`."""
    return f"{number} failed dream{'' if number == 1 else 's'}"
