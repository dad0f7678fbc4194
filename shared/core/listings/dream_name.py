"""Name a dream so that people can say which one they mean: its store, its day, and its number on that day."""

from dataclasses import dataclass
from datetime import date

_TEENS = range(11, 14)
_ENDS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamName:
    """The readable name of a dream. `nth` counts the dreams of its store on its day (UTC), from 1."""

    store: str
    day: date
    nth: int

    @property
    def of_day(self) -> str:
        """Return the name without its store: `29 Nov, 2nd`. Its year stands in the moment beside it."""
        end = "th" if self.nth % 100 in _TEENS else _ENDS.get(self.nth % 10, "th")
        return f"{self.day:%d %b}, {self.nth}{end}"

    def __str__(self) -> str:
        """Return the whole name: `parcels, 29 Nov, 2nd`."""
        return f"{self.store}, {self.of_day}"
