"""Split lists into pages with opaque cursors. A cursor names a position and grants no access."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, Field

from shared.core.errors import BadInputError

T = TypeVar("T")
Place = TypeVar("Place")
#: A page of texts ends early beyond this.
MAX_PAGE_BYTES = 2_000_000
_FIRST = 10  # as many long texts are read before their average length is known
_SEPARATOR = "|"
_MAX_DIGITS = 9
_STRANGE = "This cursor did not come from a page of this list"
Limit = Annotated[int, Query(ge=1, le=200, description="Maximum number of items on a page.")]
Cursor = Annotated[str | None, Query(max_length=2_000, description="`next_cursor` of the previous page.")]


class Page(BaseModel, Generic[T]):
    """One page of a list."""

    data: list[T]
    next_cursor: str | None = Field(None, description="Pass it as `cursor` for the next page; null on the last one.")


class NotedPage(Page[T]):
    """One page of a list of which a store may hide a part."""

    note: str | None = Field(
        None, description="How much is hidden from this key, such as `3 events are hidden: recall.least_rank is user`."
    )


def encode_cursor(place: str) -> str:
    """Return a position in a list as an opaque, URL-safe cursor."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """Return the position of a cursor. Raises BadInputError for an invalid one."""
    if cursor is None:
        return None
    try:
        place = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, UnicodeError, ValueError):
        raise BadInputError(_STRANGE) from None
    if not place or "\x00" in place:
        raise BadInputError(_STRANGE)
    return place


def find_within(
    find: Callable[[Place | None, int], Sequence[T]],
    start_after: Place | None,
    limit: int,
    *,
    size_of: Callable[[T], int] | None,
    place: Callable[[T], Place],
    first: int = _FIRST,
    most_bytes: int = MAX_PAGE_BYTES,
) -> tuple[list[T], bool]:
    """Return a page that ends early once its texts have `most_bytes`, and whether more follows.

    The texts are read a few at a time, so that a page of 200 memories of a megabyte is never in memory at once. A page
    has at least one item, however long; `first` are read before their average length is known. Without `size_of` the items have no texts, and are read at once.
    """
    shown: list[T] = []
    size = 0
    while len(shown) <= limit:
        average = size // len(shown) if shown else most_bytes // first if size_of else 0
        wanted = min(limit + 1 - len(shown), max(1, (most_bytes - size) // max(average, 1)))
        found = find(start_after, wanted)
        for one in found:
            size += size_of(one) if size_of else 0
            if shown and (len(shown) == limit or size > most_bytes):
                return shown, True
            shown.append(one)
        if len(found) < wanted:
            break
        start_after = place(found[-1])
    return shown, False


def page_of(found: Sequence[T], limit: int, place_of: Callable[[T], str]) -> tuple[list[T], str | None]:
    """Return a page and the next cursor; `found` holds one item more than `limit` if there is a further page."""
    shown = list(found[:limit])
    return shown, encode_cursor(place_of(shown[-1])) if len(found) > limit else None


def place_of(*parts: object) -> str:
    """Join the parts of a position, such as a time and an id; None becomes an empty part."""
    texts = (one.isoformat() if isinstance(one, datetime) else "" if one is None else str(one) for one in parts)
    return _SEPARATOR.join(texts)


def read_parts(cursor: str | None, count: int) -> list[str] | None:
    """Return the parts of a cursor's position. Raises BadInputError for an invalid cursor."""
    place = decode_cursor(cursor)
    if place is None:
        return None
    parts = place.split(_SEPARATOR, count - 1)
    if len(parts) != count or not parts[-1]:
        raise BadInputError(_STRANGE)
    return parts


def read_place(cursor: str | None) -> tuple[datetime, str] | None:
    """Return the time and the id of a cursor. Raises BadInputError."""
    parts = read_parts(cursor, 2)
    return None if parts is None else (read_moment(parts[0]), parts[1])


def read_maybe_place(cursor: str | None) -> tuple[datetime | None, str] | None:
    """Return the time, if it has one, and the id of a cursor. Raises BadInputError."""
    parts = read_parts(cursor, 2)
    return None if parts is None else (read_moment(parts[0]) if parts[0] else None, parts[1])


def read_position(cursor: str | None) -> int | None:
    """Return the number of a cursor. Raises BadInputError."""
    place = decode_cursor(cursor)
    if place is not None and not (place.isascii() and place.isdigit() and len(place) <= _MAX_DIGITS):
        raise BadInputError(_STRANGE)
    return None if place is None else int(place)


def read_moment(text: str) -> datetime:
    """Return the time in a cursor. Raises BadInputError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInputError(_STRANGE) from None
    if moment.tzinfo is None:
        raise BadInputError(_STRANGE)
    return moment


def index_after(ids: Sequence[str], cursor: str | None) -> int:
    """Return the index after the cursor's id in a complete list; the end of the list if that id is gone."""
    after = decode_cursor(cursor)
    if after is None:
        return 0
    return ids.index(after) + 1 if after in ids else len(ids)
