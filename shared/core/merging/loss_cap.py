"""Decide what may be retired, and how much of a store in one dream: safety rules 4, 5 and 9."""

import math
from dataclasses import dataclass

from shared.core.memory.model import Maturity, Signals
from shared.core.policy.policy import SafetyPolicy

#: Why a memory is guarded, if nothing but its author guards it.
BY_PERSON = "written by a person"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossBudget:
    """The number of memories that one dream may still retire."""

    allowed: int
    used: int = 0

    @property
    def left(self) -> int:
        """Return how many more may go."""
        return max(0, self.allowed - self.used)

    def take(self, count: int) -> "LossBudget | None":
        """Return the budget after retiring `count` more, or None when that is too many."""
        return None if count > self.left else LossBudget(allowed=self.allowed, used=self.used + count)


def get_loss_budget(live_memories: int, already_retired: int, policy: SafetyPolicy) -> LossBudget:
    """Return a dream's loss budget: a share of the store, and one memory at least, so that two notes can become one.

    Args:
        live_memories: of the store, with those that earlier dreams have retired and that a person has yet to review.
        already_retired: by this dream, and those of earlier ones.
        policy: the share and the floor.
    """
    allowed = max(policy.loss_cap_floor, math.floor(live_memories * policy.loss_cap_share))
    return LossBudget(allowed=allowed, used=already_retired)


def reason_protected(signals: Signals, policy: SafetyPolicy) -> str | None:
    """Return why a memory may not be pruned, or None."""
    if (why := reason_guarded(signals)) is not None:
        return why
    if signals.importance >= policy.protected_importance:
        return f"importance {signals.importance:.0f} ≥ {policy.protected_importance:g}"
    if signals.reinforcement_count >= policy.protected_reinforcements:
        return f"reinforced {signals.reinforcement_count} times"
    return None


def reason_guarded(signals: Signals) -> str | None:
    """Return why a person has to agree before others' statements enter, replace or hide a memory, or None."""
    if signals.maturity is Maturity.CORE:
        return "core memory"
    if signals.pinned:
        return "pinned"
    return BY_PERSON if signals.by_person else None
