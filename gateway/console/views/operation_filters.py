"""Filters of operations as they stand in an address, so that what one person sees can be sent to another."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Self, TypeVar
from urllib.parse import urlencode

from fastapi import Query

from shared.core.dream.model import OperationState
from shared.core.dream.operation_filter import ConfidenceBand, OperationFilter
from shared.core.dream.operations import OperationKind

#: How a page names the bands of confidence.
BANDS = {
    ConfidenceBand.LOW: "less than 60 % sure",
    ConfidenceBand.FAIR: "60 to 80 % sure",
    ConfidenceBand.HIGH: "80 % sure or more",
    ConfidenceBand.UNSAID: "no confidence given",
}
_Word = Annotated[str, Query(max_length=40)]
_Enum = TypeVar("_Enum", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiltersInAddress:
    """The filters of one page of operations."""

    only: OperationFilter
    cursor: str | None = None

    @classmethod
    def read(
        cls,
        kind: _Word = "",
        state: _Word = "",
        confidence: _Word = "",
        waiting: Annotated[str, Query(pattern="^(|yes)$")] = "",
        cursor: Annotated[str | None, Query(max_length=200)] = None,
    ) -> Self:
        """Read the parameters of an address; a word that means nothing means all."""
        only = OperationFilter(
            kind=find_word(OperationKind, kind),
            state=find_word(OperationState, state),
            confidence=find_word(ConfidenceBand, confidence),
            is_waiting=waiting == "yes",
        )
        return cls(only=only, cursor=cursor)

    @property
    def words(self) -> dict[str, str]:
        """Return the filters that are set, by the names of their parameters."""
        only = self.only
        found = {"kind": only.kind, "state": only.state, "confidence": only.confidence}
        found_words = {name: str(value) for name, value in found.items() if value is not None}
        return found_words | ({"waiting": "yes"} if only.is_waiting else {})

    @property
    def filters(self) -> str:
        """Return the filters as the end of an address that has parameters already."""
        return f"&{urlencode(self.words)}" if self.words else ""

    def of_kind(self, kind: OperationKind | None, *, is_waiting: bool = False) -> str:
        """Return the query of an address with another kind, or with what waits, and the other filters as they are."""
        other = FiltersInAddress(only=replace(self.only, kind=kind, is_waiting=is_waiting))
        return f"?{urlencode(other.words)}" if other.words else ""


def find_word(words: type[_Enum], text: str) -> _Enum | None:
    """Return the word of an address as one of these; None for any other."""
    return words(text) if text in set(words) else None
