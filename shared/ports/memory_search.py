"""Search over the memories of a store by words and by meaning, fast enough for an agent's turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.ports.database import UnitOfWork
    from shared.ports.embedder import Embedder, Vector
    from shared.ports.memories import Found


class MemorySearch(Protocol):
    """Finds memories by words. Everything that was committed before the call is found."""

    def find(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories that hold any of the words, best first."""

    def find_alike(self, uow: UnitOfWork, store_id: str, words: Sequence[str], limit: int) -> list[Found]:
        """Return live and archived memories with a word that is spelled or begins like any of the words, best first."""


class VectorSearch(Protocol):
    """Finds the memories whose meaning is clearly near. Deleted vectors do not count."""

    def find_near(self, uow: UnitOfWork, store_id: str, model: str, vector: Vector, limit: int) -> list[str]:
        """Return the ids of memories near to a vector, nearest first."""

    def find_alike(
        self, uow: UnitOfWork, store_id: str, model: str, ids: Sequence[str], limit: int
    ) -> dict[str, list[str]]:
        """Return by id the memories near to each of these, nearest first.

        Memories without a vector are left out, and so are the last ones if time runs out.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The embedder and the vectors of an installation with embeddings."""

    embedder: Embedder
    vectors: VectorSearch
