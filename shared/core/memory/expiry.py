"""The last day on which a memory holds: `expires` in its frontmatter, so that versions, undo, exports and imports keep it.

The day itself still counts, in the tenant's time zone. What has expired is left out of searches and indexes, and the phase
`maintain` archives it.
"""

from datetime import date
from typing import Literal

from shared.core.memory.frontmatter import set_fields
from shared.core.memory.yaml_read import read_fields

FIELD = "expires"
#: What takes an expiry away, where one was set.
Never = Literal["never"]


def read_expiry(text: str) -> date | None:
    """Return the day that the frontmatter of a text names; None where it names none. A moment counts as its day."""
    if FIELD not in text:
        return None
    try:
        return date.fromisoformat(str(read_fields(text).get(FIELD, "")).strip()[:10])
    except ValueError:
        return None


def with_expiry(text: str, day: date | Never) -> str:
    """Return the text with another last day, or without one; a text that has it already is returned unchanged.

    Raises:
        UneditableFrontmatterError: its frontmatter is invalid or cannot be edited safely.
    """
    is_so = read_expiry(text) == (day if isinstance(day, date) else None)
    return text if is_so else set_fields(text, {FIELD: str(day)})


def has_expired(expires: date | None, today: date) -> bool:
    """Tell whether the last day of a memory is over."""
    return expires is not None and expires < today
