"""Pages of lists by time: the filter, and where a page begins."""

from typing import Any

from sqlalchemy import ColumnElement, Select, tuple_

from shared.ports.api_lists import Place, TimeSpan


def within(column: ColumnElement[Any], span: TimeSpan) -> list[ColumnElement[bool]]:
    """Return the conditions of a time span on a column."""
    bounds = (
        (span.after, column.__gt__),
        (span.since, column.__ge__),
        (span.before, column.__lt__),
        (span.until, column.__le__),
    )
    return [compare(moment) for moment, compare in bounds if moment is not None]


def paged(
    query: Select[Any],
    order: tuple[ColumnElement[Any], ...],
    behind: tuple[Any, ...] | Place | None,
    limit: int,
    *,
    is_ascending: bool = False,
) -> Select[Any]:
    """Return a query for the rows behind a place in an order, newest first unless `is_ascending`."""
    if behind is not None:
        here, there = tuple_(*order), tuple_(*behind)
        query = query.where(here > there if is_ascending else here < there)
    return query.order_by(*(column.asc() if is_ascending else column.desc() for column in order)).limit(limit)
