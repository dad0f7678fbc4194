"""Search over the memories of a store, quick enough for an agent's turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.core.memory import Signals
from shared.ports.database import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A memory that a search found. `bm25` is its raw score; an archived memory is found by its stub."""

    memory_id: str
    path: str
    title: str
    excerpt: str
    signals: Signals
    updated_at: datetime
    touched_at: datetime
    is_lasting: bool = False  # its importance does not fade
    is_archived: bool
    bm25: float = 0.0


class MemorySearch(Protocol):
    """Finds memories by words. What was committed before the call is found by it, whoever wrote it."""

    def find(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories that hold any of the words, best first."""
