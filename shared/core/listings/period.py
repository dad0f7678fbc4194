"""The period that a listing is narrowed to."""

from dataclasses import dataclass
from datetime import datetime

from shared.core.errors import BadInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A period from `since` until before `until`; None is unbounded. Raises BadInputError if it ends before it begins."""

    since: datetime | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        if self.since is not None and self.until is not None and self.until <= self.since:
            msg = f"until ({self.until:%Y-%m-%d %H:%M %Z}) must be later than since ({self.since:%Y-%m-%d %H:%M %Z})"
            raise BadInputError(msg)


ALWAYS = Period()
