"""Pages of lists: the filter by time, and the key where a page begins."""

from typing import Any

from sqlalchemy import ColumnElement, Select, tuple_
from sqlalchemy.orm import Mapped

from shared.ports.api_lists import Place, TimeSpan

_Column = ColumnElement[Any] | Mapped[Any]


def within(column: _Column, span: TimeSpan) -> list[ColumnElement[bool]]:
    """Return the conditions for a column to be within a time span."""
    bounds = (
        (span.after, column.__gt__),
        (span.since, column.__ge__),
        (span.before, column.__lt__),
        (span.until, column.__le__),
    )
    return [compare(moment) for moment, compare in bounds if moment is not None]


def paged(
    query: Select[*tuple[Any, ...]],
    order: tuple[_Column, ...],
    start_after: tuple[Any, ...] | Place | None,
    limit: int,
    *,
    is_ascending: bool = False,
) -> Select[*tuple[Any, ...]]:
    """Return the query for the rows after a position, newest first unless `is_ascending`."""
    if start_after is not None:
        here, there = tuple_(*order), tuple_(*start_after)
        query = query.where(here > there if is_ascending else here < there)
    return query.order_by(*(column.asc() if is_ascending else column.desc() for column in order)).limit(limit)
