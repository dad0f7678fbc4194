"""Which phase of which dream, in which epoch: what a task's arguments say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseKey:
    """The address of one piece of work."""

    tenant_id: str
    dream_id: str
    epoch: int
    phase: str
