"""Split lists under `/v1` into pages with `limit`, `page` and `next_page`, as the SDKs' page classes expect."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import AfterValidator, BaseModel, Field

from gateway.api.http.paging import encode_cursor, find_within, place_of, read_place
from shared.ports.api_lists import Place, TimeSpan

T = TypeVar("T")
Item = TypeVar("Item")
StartAfter = TypeVar("StartAfter")
#: Page limit for items with their texts.
MAX_FULL = 20


def in_utc(moment: datetime) -> datetime:
    """Return a time as it is; one without a time zone is UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(in_utc)]
PageLimit = Annotated[int, Query(ge=1, le=100, description="Maximum number of items on a page.")]
PageToken = Annotated[str | None, Query(max_length=2_000, description="`next_page` of the previous page.")]
WithArchived = Annotated[bool, Query(description="Include archived items.")]
After = Annotated[
    Moment | None, Query(alias="created_at[gt]", description="Created after this time; UTC if it has no zone.")
]
Since = Annotated[Moment | None, Query(alias="created_at[gte]", description="Created at or after this time.")]
Before = Annotated[Moment | None, Query(alias="created_at[lt]", description="Created before this time.")]
Until = Annotated[Moment | None, Query(alias="created_at[lte]", description="Created at or before this time.")]


class Page(BaseModel, Generic[T]):
    """One page of a list."""

    data: list[T]
    next_page: str | None = Field(None, description="Pass it as `page` for the next page; null on the last one.")
    prev_page: str | None = Field(None, description="Always null: lists can only be read forward.")


class Paging:
    """The requested page of a list."""

    def __init__(self, limit: PageLimit = 20, page: PageToken = None) -> None:
        self.limit = limit
        self.token = page

    @property
    def wanted(self) -> int:
        """Return the number of items to fetch: one more than the limit, to detect another page."""
        return self.limit + 1

    @property
    def start_after(self) -> Place | None:
        """Return the time and id after which the page begins. Raises BadInputError."""
        return read_place(self.token)

    def at_most(self, limit: int) -> "Paging":
        """Return this paging with a lower limit."""
        return Paging(min(self.limit, limit), self.token)

    def page_of(
        self, found: Sequence[Item], show: Callable[[Item], T], place: Callable[[Item], Sequence[object]]
    ) -> Page[T]:
        """Return a page of the `wanted` items; `place` returns the position of an item in the list."""
        shown = found[: self.limit]
        following = encode_cursor(place_of(*place(shown[-1]))) if len(found) > self.limit else None
        return Page(data=[show(one) for one in shown], next_page=following)

    def within(
        self,
        find: Callable[[StartAfter | None, int], Sequence[Item]],
        start_after: StartAfter | None,
        *,
        size_of: Callable[[Item], int] | None,
        place: Callable[[Item], StartAfter],
        first: int = 10,
    ) -> list[Item]:
        """Return the items of this page, up to the size limit of a page, and one more if there is another page."""
        found, is_more = find_within(find, start_after, self.limit, size_of=size_of, place=place, first=first)
        if is_more:
            self.limit = len(found)
            found = [*found, found[-1]]  # stands for the next item; only its being there is looked at
        return found


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
