"""Lists under `/v1`: `limit` and `page` go in, `data` and `next_page` come out, as the SDKs' page classes follow them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import AwareDatetime, BaseModel, Field

from gateway.api.http.paging import encode_cursor, place_of, read_place
from shared.ports.api_lists import Place, TimeSpan

T = TypeVar("T")
Item = TypeVar("Item")
#: As many items with their texts are shown on a page.
MAX_FULL = 20

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


class Paging:
    """Which page of a list is asked for."""

    def __init__(self, limit: PageLimit = 20, page: PageToken = None) -> None:
        self.limit = limit
        self.token = page

    @property
    def wanted(self) -> int:
        """Return how many to ask for: one more than fits, which tells whether there is another page."""
        return self.limit + 1

    @property
    def behind(self) -> Place | None:
        """Return the time and id that the page begins behind. Raises BadInputError."""
        return read_place(self.token)

    def at_most(self, limit: int) -> "Paging":
        """Return the same with no more than so many on a page."""
        return Paging(min(self.limit, limit), self.token)

    def page_of(
        self, found: Sequence[Item], show: Callable[[Item], T], place: Callable[[Item], Sequence[object]]
    ) -> Page[T]:
        """Return the page of a list that was asked for with `wanted`; `place` is where an item stands in it."""
        shown = found[: self.limit]
        following = encode_cursor(place_of(*place(shown[-1]))) if len(found) > self.limit else None
        return Page(data=[show(one) for one in shown], next_page=following)


Pages = Annotated[Paging, Depends()]


def span_of(
    *,
    after: datetime | None = None,
    since: datetime | None = None,
    before: datetime | None = None,
    until: datetime | None = None,
) -> TimeSpan:
    """Return a time span."""
    return TimeSpan(after=after, since=since, before=before, until=until)
