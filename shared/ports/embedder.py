"""The embedder, which turns texts into vectors that are near if the meanings are, and the vectors of a store's memories."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

#: A vector of length 1: float32, little-endian, one number after the other. Their product is the cosine.
Vector = bytes


class EmbedderError(Exception):
    """An embedder returned no vectors. The message is for people and contains no key and no text of a memory.

    Args:
        message: what went wrong.
        is_refused: the texts are at fault, so that others may go through.
        is_resting: nothing was tried, because it failed a moment ago.
    """

    def __init__(self, message: str, *, is_refused: bool = False, is_resting: bool = False) -> None:
        super().__init__(message)
        self.is_refused = is_refused
        self.is_resting = is_resting


class Embedder(Protocol):
    """Turns texts into vectors that are near if the meanings are."""

    @property
    def model(self) -> str:
        """Return the model name stored with vectors; vectors of different models are never compared."""

    @property
    def batch_size(self) -> int:
        """Return the preferred number of texts per call."""

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:
        """Return one vector for each text, within the given seconds. Raises EmbedderError.

        With `is_query`, the texts are search queries, not texts of memories.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWithoutVector:
    """A live memory whose text has no vector yet."""

    memory_id: str
    content_hash: str
    text: str  # its beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVector:
    """The vector of a memory's text, known by its hash."""

    memory_id: str
    content_hash: str
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenVectors:
    """The vectors of a store that were written since a mark, and the next mark."""

    vectors: Mapping[str, Vector]
    mark: int


class VectorRepository(Protocol):
    """The vectors of one store's live memories. One of an earlier text, or of a retired memory, is gone by itself."""

    def find_missing(self, model: str, limit: int, besides: Collection[str] = ()) -> list[TextWithoutVector]:
        """Return live memories that have no vector of this model, the changed ones first, then the newest."""

    def save(self, model: str, vectors: Sequence[NewVector]) -> int:
        """Store vectors whose memories still have the embedded text; return how many."""

    def find_written(self, model: str, since: int | None) -> WrittenVectors:
        """Return the vectors of a model that were written since a mark, or all of them."""

    def find_kept(self, model: str, ids: Collection[str]) -> set[str]:
        """Return those of these memories that have a vector of this model."""
