"""Filters of the review queue as they stand in its address, and how many operations each choice would show."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Self
from urllib.parse import urlencode

from fastapi import Query

from gateway.api.http.parameters import ID, StoreFilter
from gateway.api.shapes.stores import NAME
from gateway.console.views.operation_filters import BANDS, find_word
from gateway.console.views.words import short
from gateway.phases import get_phases
from shared.core.dream.operation_filter import ConfidenceBand, OperationFilter, PendingCount
from shared.core.dream.operations import KINDS, OperationKind

#: Of each facet, the choices that hold most.
_MOST = 12
#: The value of what no person in particular is asked to decide.
NOT_ASSIGNED = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value of a facet."""

    label: str
    value: str
    number: int
    query: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFilters:
    """The filters of the review queue; an empty field filters nothing."""

    kind: str = ""
    phase: str = ""
    confidence: str = ""
    store: str = ""
    dream: str = ""
    assigned: str = ""

    @classmethod
    def read(
        cls,
        store: StoreFilter = None,
        dream: Annotated[str, Query(pattern=f"^$|{ID}")] = "",
        kind: Annotated[str, Query(max_length=40)] = "",
        phase: Annotated[str, Query(pattern=f"^$|{NAME}")] = "",
        confidence: Annotated[str, Query(max_length=40)] = "",
        assigned: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")] = "",
    ) -> Self:
        """Read the parameters of an address; a word that means nothing means all."""
        return cls(
            kind=find_word(OperationKind, kind) or "",
            phase=phase,
            confidence=find_word(ConfidenceBand, confidence) or "",
            store=store or "",
            dream=dream,
            assigned=assigned,
        )

    @property
    def only(self) -> OperationFilter:
        """Return the filters that are an operation's own."""
        return OperationFilter(
            kind=find_word(OperationKind, self.kind),
            phase=self.phase or None,
            confidence=find_word(ConfidenceBand, self.confidence),
            assigned_to=self.assigned.removeprefix(NOT_ASSIGNED) if self.assigned else None,
        )

    @property
    def words(self) -> dict[str, str]:
        """Return the filters that are set, by the names of their parameters."""
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def said(self) -> dict[str, str]:
        """Return the filters that are set, in the words of a page."""
        return {name: _FACETS[name][1](value) for name, value in self.words.items()}

    @property
    def query(self) -> str:
        """Return the address's query with its question mark, or nothing."""
        return f"?{urlencode(self.words)}" if self.words else ""

    @property
    def filters(self) -> str:
        """Return the filters as the end of an address that has parameters already."""
        return f"&{urlencode(self.words)}" if self.words else ""

    def count(self, counts: Sequence[PendingCount]) -> int:
        """Return how many operations the filters let through."""
        return sum(one.number for one in counts if self._lets_through(one, self.words))

    def find_facets(self, counts: Sequence[PendingCount], named: Mapping[str, str]) -> dict[str, list[Choice]]:
        """Return the choices of each facet that has more than one, with what each would show beside the other filters.

        `named` has the names of dreams by their ids, and of people as the audit log has them.
        """
        found = {name: self._find_choices(name, counts) for name in _FACETS}
        for name in ("dream", "assigned"):
            found[name] = [replace(one, label=named.get(one.value, one.label)) for one in found[name]]
        return {name: choices for name, choices in found.items() if len(choices) > 1 or name in self.words}

    def _find_choices(self, name: str, counts: Sequence[PendingCount]) -> list[Choice]:
        others = {key: value for key, value in self.words.items() if key != name}
        numbers: Counter[str] = Counter()
        for one in counts:
            if self._lets_through(one, others):
                numbers[_FACETS[name][0](one)] += one.number
        chosen = self.words.get(name)
        return [
            Choice(
                label=_FACETS[name][1](value),
                value=value,
                number=number,
                query=urlencode(others if value == chosen else others | {name: value}),
                is_chosen=value == chosen,
            )
            for value, number in numbers.most_common(_MOST)
        ]

    def _lets_through(self, one: PendingCount, words: Mapping[str, str]) -> bool:
        return all(_FACETS[name][0](one) == value for name, value in words.items())


_FACETS: dict[str, tuple[Callable[[PendingCount], str], Callable[[str], str]]] = {
    "kind": (lambda one: str(one.kind), lambda value: KINDS[OperationKind(value)].label),
    "phase": (lambda one: one.phase, get_phases().label_of),
    "confidence": (lambda one: str(one.confidence), lambda value: BANDS[ConfidenceBand(value)]),
    "store": (lambda one: one.store, str),
    "dream": (lambda one: one.dream_id, short),
    "assigned": (lambda one: one.assigned_to or NOT_ASSIGNED, str),
}
