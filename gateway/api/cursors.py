"""Pages: an opaque cursor says where the next one begins. Nobody needs to know what is in it, and it grants nothing."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, Field

from shared.core.errors import BadInputError

T = TypeVar("T")
Limit = Annotated[int, Query(ge=1, le=200, description="How many on a page.")]
Cursor = Annotated[str | None, Query(max_length=2_000, description="`next_cursor` of the page before.")]


class Page(BaseModel, Generic[T]):
    """Part of a list."""

    data: list[T]
    next_cursor: str | None = Field(None, description="Pass it as `cursor` for the next page; null on the last one.")


def encode_cursor(place: str) -> str:
    """Return a place in a list as something opaque that is safe in a URL."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """Return the place that a cursor means. Raises BadInputError for what was never one."""
    if cursor is None:
        return None
    try:
        place = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, UnicodeError, ValueError):
        raise BadInputError("The cursor is none that a page gave out") from None
    if not place or "\x00" in place:
        raise BadInputError("The cursor is none that a page gave out")
    return place


def page_of(found: Sequence[T], limit: int, place_of: Callable[[T], str]) -> tuple[list[T], str | None]:
    """Return the page and the next cursor of a list that was asked for with one more than `limit`."""
    shown = list(found[:limit])
    return shown, encode_cursor(place_of(shown[-1])) if len(found) > limit else None
