"""Group the operations of a dream that wait for a review and touch each other: they are one change, in the order of the dream."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from shared.core.dream.operation_filter import PendingOperation

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of an operation among those that are one change with it, in their order; it counts from 1."""

    position: int
    members: tuple[PendingOperation, ...] = field(repr=False)

    @property
    def group(self) -> str:
        """Return the id of the change: of its first operation that waits."""
        return self.members[0].id

    @property
    def of(self) -> int:
        """Return how many operations the change has."""
        return len(self.members)

    def __str__(self) -> str:
        """Return the place in words: `2 of 3: first MERGE, then this, then CORRECT`."""
        named = ["this" if at == self.position else str(one.kind) for at, one in enumerate(self.members, start=1)]
        return f"{self.position} of {self.of}: first {', then '.join(named)}"


def group_waiting(waiting: Iterable[PendingOperation]) -> dict[str, Place]:
    """Return the places of operations of one dream that share a memory, directly or by others between them, by id.

    An operation that shares none has no place.

    Args:
        waiting: all that wait of some dreams, in the order in which each dream recorded them.
    """
    found = list(waiting)
    leads = {one.id: one.id for one in found}

    def lead_of(identifier: str) -> str:
        while leads[identifier] != identifier:
            leads[identifier] = leads[leads[identifier]]
            identifier = leads[identifier]
        return identifier

    touched: dict[tuple[str, str], str] = {}
    for one in found:
        for memory_id in one.memory_ids:
            other = touched.setdefault((one.dream_id, memory_id), one.id)
            leads[lead_of(one.id)] = lead_of(other)
    groups: dict[str, list[PendingOperation]] = {}
    for one in found:
        groups.setdefault(lead_of(one.id), []).append(one)
    return {
        one.id: Place(position=position, members=tuple(members))
        for members in groups.values()
        if len(members) > 1
        for position, one in enumerate(members, start=1)
    }


def keep_together(shown: Sequence[_T], ids: Sequence[str], places: Mapping[str, Place]) -> list[list[_T]]:
    """Return what is shown of each change, in order; a change stands where its first operation stood.

    Args:
        shown: the operations, in any shape.
        ids: their ids, in the same order.
        places: what `group_waiting` returned.
    """
    groups: dict[str, list[_T]] = {}
    for one, identifier in zip(shown, ids, strict=True):
        place = places.get(identifier)
        groups.setdefault(place.group if place else identifier, []).append(one)
    return list(groups.values())
