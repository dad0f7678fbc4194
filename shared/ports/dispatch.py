"""Waking up workers. What a task needs to know is in the database; a message carries ids only."""

from typing import Protocol

from shared.ports.webhooks import ClaimedDelivery


class Dispatch(Protocol):
    """Hands tasks to the broker. Raises ServiceUnavailableError when it cannot be reached."""

    def send_dream(self, tenant_id: str, store: str, *, dream_id: str) -> None:
        """Have a worker start a queued dream."""

    def send_chain(self, tenant_id: str, dream_id: str, epoch: int, phases: tuple[str, ...], *, store: str) -> None:
        """Have workers run the given phases of a claimed dream one after another, then finish it."""

    def send_check(self, tenant_id: str, store: str) -> None:
        """Have a worker check whether a store may dream, and start the dream if so."""

    def send_delivery(self, claimed: ClaimedDelivery) -> None:
        """Have a worker attempt a webhook delivery."""
