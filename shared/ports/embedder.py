"""The embedder: turns texts into vectors that are near if the meanings are."""

from __future__ import annotations

from collections.abc import Sequence
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
