"""What a store's dreams have asked a model, by fingerprint: what the change gate goes by."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from shared.core.change_gate import Asked


class AskedBook(Protocol):
    """The questions and settled clusters of one store. Each dream adds its own; the newest of a fingerprint counts."""

    def find_last(self, phase: str, fingerprints: Collection[str]) -> dict[str, Asked]:
        """Return the newest of each fingerprint that was asked before."""

    def find_due(self, phase: str, *, now: datetime, limit: int) -> list[Asked]:
        """Return what was settled and is to be looked at again by now, longest due first."""

    def record(self, asked: Sequence[Asked]) -> None:
        """Append what a dream has asked."""

    def give_back(self, dream_id: str) -> None:
        """Remove what a dream has asked: what was asked before it counts again."""

    def forget(self, *, before: datetime, fingerprints: Collection[str]) -> None:
        """Remove what was asked before a moment, and what has these fingerprints."""

    def forget_all(self) -> None:
        """Remove everything: the next dream asks anew."""
