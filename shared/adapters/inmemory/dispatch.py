"""A dispatch for tests and benchmarks that records messages instead of sending them."""

from dataclasses import dataclass, field

from shared.core.errors import ServiceUnavailableError
from shared.ports.webhooks import ClaimedDelivery


@dataclass(frozen=True, slots=True)
class SentChain:
    """One chain that was sent."""

    tenant_id: str
    dream_id: str
    epoch: int
    phases: tuple[str, ...]
    store: str
    budget_seconds: float = 0.0


@dataclass
class RecordingDispatch:
    """Implements `Dispatch`. With `is_down` it fails like an unreachable broker."""

    is_down: bool = False
    dreams: list[tuple[str, str, str]] = field(default_factory=list)
    chains: list[SentChain] = field(default_factory=list)
    checks: list[tuple[str, str]] = field(default_factory=list)
    deliveries: list[ClaimedDelivery] = field(default_factory=list)
    evaluations: list[tuple[str, str]] = field(default_factory=list)

    def send_dream(self, tenant_id: str, store: str, *, dream_id: str) -> None:
        """Record the message that starts a dream."""
        self._reach()
        self.dreams.append((tenant_id, store, dream_id))

    def send_chain(
        self, tenant_id: str, dream_id: str, epoch: int, phases: tuple[str, ...], *, store: str, budget_seconds: float
    ) -> None:
        """Record the chain of a dream."""
        self._reach()
        self.chains.append(SentChain(tenant_id, dream_id, epoch, phases, store, budget_seconds))

    def send_check(self, tenant_id: str, store: str) -> None:
        """Record a check of a store."""
        self._reach()
        self.checks.append((tenant_id, store))

    def send_evaluation(self, tenant_id: str, evaluation_id: str) -> None:
        """Record the message that takes an evaluation further."""
        self._reach()
        self.evaluations.append((tenant_id, evaluation_id))

    def send_delivery(self, claimed: ClaimedDelivery) -> None:
        """Record a webhook delivery."""
        self._reach()
        self.deliveries.append(claimed)

    def forget(self) -> None:
        """Forget all messages and stop failing."""
        self.is_down = False
        for sent in (self.dreams, self.chains, self.checks, self.deliveries, self.evaluations):
            sent.clear()

    def _reach(self) -> None:
        if self.is_down:
            raise ServiceUnavailableError("The broker does not answer")
