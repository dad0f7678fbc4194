"""Search over the memories of a store, quick enough for an agent's turn."""

from collections.abc import Sequence
from typing import Protocol

from shared.ports.database import UnitOfWork
from shared.ports.memories import Found


class MemorySearch(Protocol):
    """Finds memories by words. Everything that was committed before the call is found."""

    def find(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories that hold any of the words, best first."""
