"""Search over the memories of a store, quick enough for an agent's turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.ports.database import UnitOfWork
    from shared.ports.memories import Found


class MemorySearch(Protocol):
    """Finds memories by words. Everything that was committed before the call is found."""

    def find(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories that hold any of the words, best first."""
