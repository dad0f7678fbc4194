"""Budgets in dollars of one tenant: what is spent and reserved of them, and what was told about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from shared.core.budgets.dollars import BudgetUse, DollarBudget


class BudgetRepository(Protocol):
    """The use of budgets in dollars, inside one transaction. The tenant's row is locked before something is reserved."""

    def find_uses(self, budgets: Sequence[DollarBudget], now: datetime) -> tuple[BudgetUse, ...]:
        """Return how far budgets are used in their present period, in the order in which they are given."""

    def reserve(self, reservation_id: str, *, store_id: str, dream_id: str, epoch: int, usd: float) -> None:
        """Reserve what a question may cost at most, as long as its dream runs in this epoch."""

    def release(self, reservation_ids: Collection[str]) -> None:
        """Give reservations back."""

    def release_dream(self, dream_id: str) -> None:
        """Give back what a dream has reserved: no process of it asks any more."""

    def record_told(self, use: BudgetUse) -> bool:
        """Record that a budget is told in its period; return whether it was not before."""

    def record_refused(self, use: BudgetUse) -> None:
        """Record that a question was refused for want of what is left of a budget."""
