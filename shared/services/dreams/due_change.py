"""Ask the phases whether a quiet store has work that only time or reads created. No model is asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from shared.core.gates.gates import GateFacts, decide_wake_due
from shared.core.memory.model import MemoryHead
from shared.core.policy.policy import Policy
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork

if TYPE_CHECKING:
    from shared.core.dream.phase_catalog import PhaseCatalog

#: Returns the catalogue when it is needed: most checks of a store need none.
GetPhases = Callable[[], "PhaseCatalog"]


@dataclass(frozen=True, kw_only=True)
class QuietStore:
    """A store without new activity, and the transaction in which a phase checks it."""

    uow: UnitOfWork
    store: Store
    now: datetime

    @cached_property
    def policy(self) -> Policy:
        """Return the store's policy."""
        return self.store.policy

    @cached_property
    def heads(self) -> Sequence[MemoryHead]:
        """Return the heads of the live memories, read once for all phases."""
        return self.uow.memories(self.store.id).find_heads()

    def has_become(self, decide: Callable[[MemoryHead, datetime], bool]) -> bool:
        """Tell whether a condition on a memory became true by the passing of time since the last dream."""
        before = self.store.last_dream_at
        return any(decide(head, self.now) and (before is None or not decide(head, before)) for head in self.heads)


def needs_due_change(facts: GateFacts, store: Store, now: datetime) -> bool:
    """Tell whether the verdict on a store depends on due work: it is quiet, or its timer has run out."""
    return facts.is_quiet or decide_wake_due(facts, store.policy.gates, now)


def find_due_change(uow: UnitOfWork, store: Store, now: datetime, phases: GetPhases) -> bool:
    """Tell whether a dream over a quiet store would find work: memories restored by an undo, or due work of a phase."""
    counts = uow.statistics.count_store(store.id)
    if not (store.curations or store.sessions) and (counts.changed or uow.merges(store.id).find_open()):
        return True
    if not counts.live:
        return False
    quiet = QuietStore(uow=uow, store=store, now=now)
    return any(entry.find_due(quiet) for entry in phases().entries if entry.runs_by(quiet.policy))
