"""Filters of a list that a person saves under a name."""

from dataclasses import dataclass
from enum import StrEnum

from shared.core.errors import BadInputError

#: A person keeps at most this many filters of each list.
MAX_SAVED = 20
MAX_NAME_CHARS = 60
MAX_QUERY_CHARS = 500


class FilteredList(StrEnum):
    """The lists whose filters can be saved."""

    REVIEWS = "reviews"
    DREAMS = "dreams"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFilter:
    """A name, and the filters as the query of an address, without its question mark."""

    name: str
    query: str


def check_saved_filter(wanted: SavedFilter) -> None:
    """Raise BadInputError unless a name and filters can be saved."""
    if not wanted.name or len(wanted.name) > MAX_NAME_CHARS or not wanted.name.isprintable():
        raise BadInputError(f"The name of a filter has 1 to {MAX_NAME_CHARS} printable characters")
    if not wanted.query:
        raise BadInputError("Choose a filter first: there is nothing to save")
    if len(wanted.query) > MAX_QUERY_CHARS or not wanted.query.isprintable():
        raise BadInputError(f"The filters have more than {MAX_QUERY_CHARS} characters")
