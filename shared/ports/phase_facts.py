"""What a phase goes by besides its dream: asked once, when it is claimed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from shared.core.dream import Dream, PhaseState
from shared.core.store import Store, Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFacts:
    """What is known when a phase begins. Tokens are 0, and answers none, for a phase that asks no model."""

    tenant: Tenant
    store: Store
    changed_topics: int  # as orient counted them; 0 while it has not run
    live_memories: int  # the same
    has_operations: bool  # the dream's log is not empty
    wish: str  # of whoever ordered the dream
    tokens_spent: int  # by this dream
    tokens_today: int  # by its tenant, since midnight UTC
    has_answers: bool  # of the phase: an earlier run has bought some
    states: Mapping[str, PhaseState]  # of the phases that have begun, by name


class PhaseFactsBook(Protocol):
    """Looks up what a phase goes by."""

    def get(self, dream: Dream, phase: str, *, with_tokens: bool) -> PhaseFacts:
        """Return the facts of a dream's phase, in one round trip. Ask after the claim, which may have waited."""
