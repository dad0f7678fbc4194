"""Lists under `/v1`: `limit` and `page` go in, `data` and `next_page` come out, as the SDKs' page classes follow them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import AwareDatetime, BaseModel, Field

from gateway.api.cursors import decode_cursor, encode_cursor
from shared.core.errors import BadInputError
from shared.ports.card_books import Place, TimeSpan

T = TypeVar("T")
Item = TypeVar("Item")
#: As many items with their texts are shown on a page.
MAX_FULL = 20
_SEPARATOR = "|"

PageLimit = Annotated[int, Query(ge=1, le=100, description="How many on a page.")]
PageToken = Annotated[str | None, Query(max_length=2_000, description="`next_page` of the page before.")]
WithArchived = Annotated[bool, Query(description="Also what is archived.")]
After = Annotated[AwareDatetime | None, Query(alias="created_at[gt]", description="Made after (exclusive).")]
Since = Annotated[AwareDatetime | None, Query(alias="created_at[gte]", description="Made at or after.")]
Before = Annotated[AwareDatetime | None, Query(alias="created_at[lt]", description="Made before (exclusive).")]
Until = Annotated[AwareDatetime | None, Query(alias="created_at[lte]", description="Made at or before.")]


class Page(BaseModel, Generic[T]):
    """Part of a list."""

    data: list[T]
    next_page: str | None = Field(None, description="Pass it as `page` for the next one; null on the last.")
    prev_page: str | None = Field(None, description="Always null: lists are followed forward.")


def read_parts(token: str | None, count: int) -> list[str] | None:
    """Return the parts of a place that a page gave out. Raises BadInputError for what was never one."""
    place = decode_cursor(token)
    if place is None:
        return None
    parts = place.split(_SEPARATOR, count - 1)
    if len(parts) != count:
        raise BadInputError("page is none that a list gave out")
    return parts


def read_place(token: str | None) -> Place | None:
    """Return the time and id that a page token means."""
    parts = read_parts(token, 2)
    return None if parts is None else (read_moment(parts[0]), parts[1])


def read_moment(text: str) -> datetime:
    """Return a moment from a page token. Raises BadInputError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInputError("page is none that a list gave out") from None
    if moment.tzinfo is None:
        raise BadInputError("page is none that a list gave out")
    return moment


def write_place(*parts: object) -> str:
    """Return a page token for a place."""
    return encode_cursor(_SEPARATOR.join(one.isoformat() if isinstance(one, datetime) else str(one) for one in parts))


def page_of(found: Sequence[Item], limit: int, show: Callable[[Item], T], place_of: Callable[[Item], str]) -> Page[T]:
    """Return the page of a list that was asked for with one more than `limit`."""
    shown = found[:limit]
    following = place_of(shown[-1]) if len(found) > limit else None
    return Page(data=[show(one) for one in shown], next_page=following)


def span_of(
    *,
    after: datetime | None = None,
    since: datetime | None = None,
    before: datetime | None = None,
    until: datetime | None = None,
) -> TimeSpan:
    """Return a time span."""
    return TimeSpan(after=after, since=since, before=before, until=until)
