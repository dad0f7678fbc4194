"""What a phase goes by besides its dream: asked once, when it is claimed."""

from dataclasses import dataclass
from typing import Protocol

from shared.core.dream import Dream
from shared.core.store import Store, Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFacts:
    """What is known when a phase begins. Tokens are 0 for a phase that asks no model."""

    tenant: Tenant
    store: Store
    changed_topics: int  # as orient counted them; 0 while it has not run
    live_memories: int  # the same
    has_operations: bool  # the dream's log is not empty
    wish: str  # of whoever ordered the dream
    tokens_spent: int  # by this dream
    tokens_today: int  # by its tenant, since midnight UTC


class PhaseFactsBook(Protocol):
    """Looks up what a phase goes by."""

    def get(self, dream: Dream, *, with_tokens: bool) -> PhaseFacts:
        """Return the facts of a dream's next phase, in one round trip. Ask after the claim, which may have waited."""
