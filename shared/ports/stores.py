"""Tenants and stores: settings, dream state, activity.

Also the states of many stores for checking their gates at once, the verdicts of shut gates, the links between the memories
of a store, which are read from their texts when they are written, and every text of a store, for what is to be forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from shared.core.dream.model import Trigger
    from shared.core.forgetting.places import Treatment
    from shared.core.forgetting.words import Anchor, Tombstone
    from shared.core.gates.deferral import Installation
    from shared.core.gates.quarantine import EndedDream
    from shared.core.gates.replay import Activity
    from shared.core.memory.links import LinkPlace
    from shared.core.tenants.store import Store, Tenant, Verdict


class StoreRepository(Protocol):
    """The stores of one tenant, inside one transaction."""

    def ensure_tenant(self) -> Tenant:
        """Return the tenant of this transaction, creating it if needed."""

    def get_tenant(self, *, lock: bool = False) -> Tenant:
        """Return the tenant; with `lock` its row is held. Raises NotFoundError."""

    def save_tenant(self, tenant: Tenant) -> None:
        """Write a tenant's settings."""

    def get_installation(self) -> Installation:
        """Return the operator's switches for all tenants."""

    def ensure(self, name: str) -> Store:
        """Return a store by name, creating it if needed."""

    def get(self, name: str, *, lock: bool = False) -> Store:
        """Return a store by name; with `lock` its row is held. Raises NotFoundError."""

    def find_all(self) -> list[Store]:
        """Return the tenant's stores, ordered by name."""

    def find_ended(self, store_id: str, *, since: datetime | None, limit: int) -> list[EndedDream]:
        """Return the ends of a store's last dreams after a time, newest first, without dry runs, undone dreams and upkeep."""

    def save(self, store: Store) -> None:
        """Write a store's settings and dream state, except the activity counts."""


class ActivityRepository(Protocol):
    """Activity of one tenant's stores: it schedules a store's next check, and dreams consume it."""

    def record(self, store_id: str, *, curations: int = 0, sessions: int = 0) -> None:
        """Add activity, and schedule a check for when the store has been quiet for a while."""

    def set_busy(self, store_id: str, *, pending_tasks: int, active_until: datetime | None) -> None:
        """Set the current state of the store's agent."""

    def consume(self, store_id: str, *, curations: int, sessions: int) -> None:
        """Subtract the activity that a dream has read; later activity stays. Negative numbers add it back."""

    def record_verdict(
        self, store_id: str, verdict: Verdict, next_check_at: datetime | None, *, is_full_check: bool
    ) -> None:
        """Store the verdict of a check and the time of the next one; a full check restarts the scan throttle."""

    def find_received(self, store_id: str, *, since: datetime) -> list[Activity]:
        """Return the activity by minute, oldest first, without writes of dreams, undos and restores."""

    def set_upkeep_check(self, store_id: str, trigger: Trigger, at: datetime | None) -> None:
        """Schedule a store's check for a kind of upkeep; None: after its next activity, if upkeep is on."""


@dataclass(frozen=True, slots=True)
class DueStore:
    """A store that the sweep found due, and since when."""

    tenant_id: str
    store: str
    due_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """A store and what surrounds it, as of `at`, the database's time. `version` changes with every write of its row.

    The store comes without its last verdict, which no gate looks at.
    """

    store: Store
    tenant: Tenant
    version: str
    at: datetime
    ended: tuple[EndedDream, ...]  # since the store was forgiven, newest first, as many as a policy may look at
    active_dream: str  # the store's queued or running dream, or empty
    tenant_dreams: int  # queued or running, counted up to one more than the tenant's cap
    tokens_today: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShutVerdict:
    """The verdict of a shut gate; it is stored only if the store has not changed since the check."""

    tenant_id: str
    store_id: str
    version: str
    verdict: Verdict
    next_check_at: datetime | None
    is_full_check: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLinks:
    """The number of links from the live memories of one top-level folder to those of another one, or of the same."""

    source: str
    target: str
    links: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedMemory:
    """A live memory, and how many links lead out of it and into it."""

    id: str
    path: str
    title: str
    links_out: int = 0
    links_in: int = 0


#: So many links are looked at for dead ones by one statement.
LINKS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLink:
    """A link of a live memory that leads to no live memory.

    `target` is as its text has it, or the path that it most likely means; `name` is set if it names a file in whatever folder, as `/name.md`.
    """

    at: LinkPlace
    path: str
    title: str
    target: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class WriteMark:
    """The memories of a store that were written by transactions from one on: how many, and the sum of these transactions.

    Transactions do not end in the order of their numbers: the highest number alone would miss one that ends late.
    """

    since: int
    written: int
    by: int


class LinkRepository(Protocol):
    """Links between the live memories of one store. A link counts where it leads now; one to its own memory does not."""

    def count_memories(self, limit: int) -> dict[str, int]:
        """Return the number of live memories in each top-level folder (`""` for none), the largest first."""

    def count_between(self, limit: int) -> list[DomainLinks]:
        """Return the numbers of links between top-level folders, the largest first."""

    def find_most_linked(self, domain: str, *, offset: int, limit: int) -> list[LinkedMemory]:
        """Return the memories of a folder at the top that have links, those with most of them first, then by id."""

    def find_among(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Return (id of the source, id of the target) of the memories among these that a link joins, by these ids."""

    def find_incoming(self, path: str, *, after_id: str, limit: int) -> list[LinkedMemory]:
        """Return the live memories that lead to the live one at a path, by id, without their counts."""

    def find_dead(self, after: LinkPlace) -> tuple[list[DeadLink], LinkPlace | None]:
        """Look at `LINKS_AT_ONCE` links behind a place; return those that lead to no path, by their places.

        The second is the last place that was looked at, or None if there are no links behind it.
        """

    def find_names(self, names: Sequence[str]) -> set[str]:
        """Return those of these names, each `/name.md`, that a live memory of any folder has."""

    def has_more_than(self, links: int) -> bool:
        """Tell whether the store's texts hold more links than this; a link counts for each path that it may mean."""

    def find_mark(self, since: int | None = None) -> WriteMark:
        """Return what has been written of the store's memories since a transaction, or since the first one under way.

        Asked for again with its `since`, a mark is the same until a memory of the store is written.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    """A row that may hold a text: its columns that can, by name, and those that say which row it is."""

    table: str
    place: str  # of the row, until it is written again
    values: Mapping[str, Any]
    treatments: Mapping[str, Treatment]  # of these columns
    keys: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graves:
    """The tombstones of a store, and the salt of their hashes; a store that has forgotten nothing has no salt."""

    salt: str = ""
    tombstones: Collection[Tombstone] = ()


class ForgetRepository(Protocol):
    """The texts of one store, in all tables."""

    def find_rows(self, anchors: Collection[Anchor], *, in_memories: bool) -> Iterator[StoredRow]:
        """Yield the rows that may hold one of these phrases: of the store, and of the tenant where a table has no stores.

        Either the heads of memories alone, or the rows of all other tables.
        """

    def find_all_rows(self, *, with_tenants: bool) -> Iterator[StoredRow]:
        """Yield every row that can hold a text, a few at a time; `with_tenants`: also of what is the tenant's and of no store."""

    def change(self, row: StoredRow, values: Mapping[str, Any]) -> None:
        """Set columns of a row. Raises ConflictError if it was written since it was read."""

    def delete(self, row: StoredRow) -> None:
        """Delete a row. Raises ConflictError if it was written since it was read."""

    def find_said_by(self, name: str) -> list[str]:
        """Return the texts of the events that a person of this name has said."""

    def find_said_in(self, session_id: str) -> list[str]:
        """Return what people and agents said in a session."""

    def find_written_by(self, actor: str) -> list[str]:
        """Return the ids of the memories of which this actor wrote a version."""

    def find_graves(self) -> Graves:
        """Return what was forgotten before."""

    def bury(self, salt: str, tombstones: Collection[Tombstone]) -> int:
        """Keep tombstones, and return the number of new ones."""
