"""Lists of the API: stores, ordered dreams, sessions of all stores, memories and their versions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.dream.model import Dream
    from shared.core.dream.orders import DreamOrder, OrderStatus
    from shared.core.listings.records import MemoryRecord, SessionRecord, StoreRecord, VersionRecord
    from shared.core.sessions.model import SessionEvent
    from shared.ports.llm import LlmUsage

#: Where a page of a list by time begins: after the row of this time and this id.
Place = tuple[datetime, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """A filter on the creation time; None: no bound. `after` and `before` are exclusive, the others inclusive."""

    after: datetime | None = None
    since: datetime | None = None
    before: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionFilter:
    """The filters of a list of versions; None and empty mean all. `operation` is created, modified or deleted."""

    span: TimeSpan
    memory_id: str | None = None
    operation: str | None = None
    actor: str | None = None
    dream_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFilter:
    """The filters of a list of sessions; `is_current` None means all. An imported session has its source as agent."""

    span: TimeSpan
    store_id: str | None = None
    with_archived: bool = False
    is_current: bool | None = None
    agent_id: str | None = None
    agent_version: int | None = None


class StoreListing(Protocol):
    """The stores of one tenant as the API lists them, inside one transaction."""

    def get(self, store_id: str, *, lock: bool = False) -> StoreRecord:
        """Return a store by its id; with `lock` its row is held. Raises NotFoundError."""

    def find_page(
        self, span: TimeSpan, *, with_archived: bool, start_after: Place | None, limit: int
    ) -> list[StoreRecord]:
        """Return stores, newest first."""

    def save(self, record: StoreRecord) -> None:
        """Save a store's title, description and labels."""

    def copy_memories(self, source_id: str, target_id: str, ids: Mapping[str, str]) -> int:
        """Copy memories (old id to new id) with lineage and pending merges into an empty store; return how many."""

    def find_memory_ids(self, store_id: str) -> list[str]:
        """Return the ids of a store's memories, live or retired."""


class OrderRepository(Protocol):
    """Ordered dreams of one tenant, inside one transaction."""

    def add(self, order: DreamOrder) -> None:
        """Store an order."""

    def find(self, dream_id: str) -> DreamOrder | None:
        """Return the order of a dream; None if it was not ordered over the API."""

    def find_page(
        self,
        span: TimeSpan,
        *,
        statuses: Collection[OrderStatus],
        with_archived: bool,
        start_after: Place | None,
        limit: int,
    ) -> list[tuple[Dream, DreamOrder | None]]:
        """Return dreams, newest first; no dry runs."""

    def archive(self, order: DreamOrder) -> None:
        """Hide a dream from the list; one that was not ordered gets an order for it."""

    def find_usage(self, dream_ids: Sequence[str]) -> dict[str, LlmUsage]:
        """Return the tokens of dreams; one without calls is absent."""


class SessionListing(Protocol):
    """Sessions of all of a tenant's stores, inside one transaction."""

    def get(self, session_id: str) -> SessionRecord:
        """Return a session. Raises NotFoundError."""

    def find_known(self, session_ids: Collection[str]) -> set[str]:
        """Return which of these ids are sessions of the tenant."""

    def find_projects(self, session_ids: Collection[str]) -> dict[str, str]:
        """Return, by session id, the projects of those of these sessions that were imported from one."""

    def find_page(
        self, wanted: SessionFilter, *, start_after: Place | None, is_ascending: bool, limit: int
    ) -> list[SessionRecord]:
        """Return sessions by creation time, newest first unless `is_ascending`."""

    def save(self, record: SessionRecord) -> None:
        """Save title, details and the time of archiving."""

    def find_events(
        self, session_id: str, span: TimeSpan, *, start_after: int | None, is_ascending: bool, limit: int
    ) -> list[SessionEvent]:
        """Return events of a time span by position, after a given position in the requested order."""


class MemoryListing(Protocol):
    """The memories of one store and their versions as the API lists them, inside one transaction."""

    def find_page(self, *, prefix: str, after_path: str, limit: int, with_content: bool) -> list[MemoryRecord]:
        """Return live memories whose path begins with `prefix`, by path."""

    def find_tree_page(self, *, prefix: str, depth: int, after_path: str, limit: int) -> list[tuple[str, str | None]]:
        """Return (path, id) of live memories at most `depth` levels below a prefix, and (path, None) of deeper folders.

        By path, behind `after_path`; a folder's path ends with `/`.
        """

    def find_by_ids(self, ids: Collection[str], *, with_content: bool) -> dict[str, MemoryRecord]:
        """Return live memories by id."""

    def get_version(self, memory_id: str, version: int, *, with_content: bool) -> VersionRecord:
        """Return one version. Raises NotFoundError."""

    def find_versions(
        self, wanted: VersionFilter, *, start_after: tuple[datetime, str, int] | None, limit: int, with_content: bool
    ) -> list[VersionRecord]:
        """Return versions, newest first; `start_after` is (time, memory id, number)."""

    def redact(self, memory_id: str, version: int, *, by: str) -> int:
        """Remove a version's text for good, with its audit row; return how many versions lost it (0: it was gone)."""
