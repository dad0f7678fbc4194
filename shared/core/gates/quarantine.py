"""Quarantine: a store whose dreams keep failing is left alone until somebody has looked at it."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.dream.model import DreamState

#: The ends that say something about a store. A canceled dream does not, nor one that was undone.
TELLING_STATES = frozenset({DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR})


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedDream:
    """How one dream of a store ended; dry runs are left out by whoever reads them."""

    has_failed: bool
    reason: str = ""


def decide_failed(state: DreamState, *, rescues: int, max_rescues: int, is_dry_run: bool) -> bool:
    """Tell whether an ended dream counts against its store: in error, or cut short with its rescues spent."""
    is_spent = state is DreamState.PARTIAL and rescues > max_rescues
    return not is_dry_run and (state is DreamState.ERROR or is_spent)


def decide_quarantined(ended: Sequence[EndedDream], after: int | None) -> str:
    """Return the sentence that says why a store is in quarantine, empty when it is not.

    Args:
        ended: the store's dreams since it was last forgiven, newest first, at least the last `after`.
        after: how many failures in a row it takes; None never.
    """
    if not after or len(ended) < after or not all(dream.has_failed for dream in ended[:after]):
        return ""
    last = ended[0].reason or "no reason was left"
    many = "1 failed dream" if after == 1 else f"{after} failed dreams"
    return f"Quarantined after {many} ({last}); resume it or redrive a dream when the cause is mended"
