"""The log of searches: what agents asked, what they were shown, and which of it they then read.

Dreams are measured by it, so nothing that a dream consists of may know it: an import contract forbids this module to phases and
their runner, tests/architecture/test_phase_shape.py what reads it, and the database grants the application no right on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

#: The rows of a store: a sample of each week.
MOST_ROWS = 2_000
#: The memories of a search that are kept, best first.
MOST_SHOWN = 10


class Outcome(StrEnum):
    """The word for a memory that a search had shown."""

    UNKNOWN = ""
    HELPED = "helped"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class OfStore:
    """The store that something was noted of, by its name or, under `/v1`, by its id."""

    tenant_id: str
    store: str
    is_id: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """A search by a key: the ids of the memories that it showed, best first. `surface` is `api` or `mcp`."""

    key_id: str
    surface: str
    query: str
    shown: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WasRead:
    """A memory that a key read whole."""

    key_id: str
    memory_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WasTold:
    """A memory, by its id or path, of which an agent or a person told that it helped or is wrong."""

    memory: str
    outcome: Outcome
    at: datetime


Noted = Searched | WasRead | WasTold


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSearch:
    """A search that was logged, with ids of memories; a read one need not have been shown."""

    id: str
    query: str
    shown: tuple[str, ...]
    read: tuple[str, ...]
    outcome: Outcome
    asked_at: datetime


class SearchLog(Protocol):
    """Takes notes for the log. Only what was noted but not yet written is lost with the process."""

    def note(self, store: OfStore, noted: Noted) -> None:
        """Buffer a note. Touches no server and never raises."""

    def flush(self) -> None:
        """Write all notes. Never raises."""

    def close(self) -> None:
        """Flush, and take no more notes."""


class SearchLogWriter(Protocol):
    """Adds to the log of a store, inside one transaction, and cannot read it."""

    def write(
        self, searches: Sequence[tuple[str, Searched]], reads: Sequence[WasRead], told: Sequence[WasTold]
    ) -> None:
        """Add searches with their ids, note reads and outcomes with theirs, and drop what exceeds `MOST_ROWS`.

        A read belongs to the newest search of its key within ten minutes that showed the memory, or else to the newest; an
        outcome, whose `memory` is an id here, to the newest search within a day that showed it.
        """


class SearchLogReader(Protocol):
    """Reads the logs of stores. It is no part of `Database`, which every dream has."""

    def find_asked(self, tenant_id: str, store_id: str, limit: int) -> list[AskedSearch]:
        """Return the searches of a store after which something was read or told: the newest weeks first, each by chance.

        Raises ServiceUnavailableError when the database does not answer.
        """
