"""Dispatch of tasks to workers. A message carries ids only; the state is in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.ports.webhooks import ClaimedDelivery


class Dispatch(Protocol):
    """Sends tasks to the broker. Raises ServiceUnavailableError when it cannot be reached."""

    def send_dream(self, tenant_id: str, store: str, *, dream_id: str) -> None:
        """Send the task that starts a queued dream."""

    def send_chain(
        self, tenant_id: str, dream_id: str, epoch: int, phases: tuple[str, ...], *, store: str, budget_seconds: float
    ) -> None:
        """Send the chain that runs the given phases of a claimed dream one after another, then finishes it."""

    def send_check(self, tenant_id: str, store: str) -> None:
        """Send the task that checks whether a store may dream, and starts the dream if so."""

    def send_evaluation(self, tenant_id: str, evaluation_id: str) -> None:
        """Send the task that takes the next steps of an evaluation."""

    def send_delivery(self, claimed: ClaimedDelivery) -> None:
        """Send the task that attempts a webhook delivery."""
