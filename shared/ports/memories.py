"""The memories of one store: reads, pages and folders, writes, upkeep in bulk, and counts of accesses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from shared.core.memory.model import Author, Memory, MemoryHead, MemoryState, Signals
    from shared.core.memory.writers import Rank
    from shared.core.policy.policy import PrunePolicy, SafetyPolicy
    from shared.core.policy.upkeep import DecayPolicy
    from shared.core.tenants.store import PendingMerge
    from shared.core.upkeep.maintenance import Expired, Subject, Twin


#: The change of a version in which a generated index follows a verdict, an undo or a redo.
FOLLOW_UP = "follow"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWrite:
    """A memory to write; `memory.version` is the version that this write creates."""

    memory: Memory
    change: str  # create | update | archive | supersede | keep | restore | remove | follow
    dream_id: str | None = None
    operation_id: str | None = None
    actor: str = ""  # who wrote, where that is known: `key:key_…`
    keeps_text: bool = False  # path and content are those that are stored already: many are then written at once


def keeps_text(before: Memory, after: Memory) -> bool:
    """Tell whether a write leaves path and content alone."""
    return before.path == after.path and before.content == after.content


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryVersion:
    """One entry of a memory's history."""

    memory_id: str
    version: int
    path: str
    content: str
    state: MemoryState
    author: Author
    change: str
    dream_id: str | None
    operation_id: str | None
    created_at: datetime
    signals: Signals
    trust: Rank  # of the least trusted writer of its statements
    redacted_at: datetime | None = None  # its path and its text are gone for good


class ChangedLine(NamedTuple):
    """A live memory in the changed set."""

    id: str
    path: str
    version: int


class StaleRule(NamedTuple):
    """The conditions under which a memory is a candidate for pruning at `now`: days without a touch, or a low importance."""

    rules: PrunePolicy
    decay: DecayPolicy
    now: datetime


class TextLine(NamedTuple):
    """A live memory's text, for a search over a whole store."""

    id: str
    path: str
    text: str
    is_dirty: bool


class MemoryRepository(Protocol):
    """Reads and writes memories. The tenant is implied, so no caller can forget it."""

    def find_changed(self) -> list[ChangedLine]:
        """Return one line for every live memory in the changed set, ordered by path."""

    def find_heads(
        self, folders: Sequence[str] | None = None, *, over_chars: int = 0, aged: StaleRule | None = None
    ) -> list[MemoryHead]:
        """Return live memories without texts, by path: all, in folders, larger (than 4,000 or more), or that may be stale."""

    def find_top_heads(self, per_domain: int, now: datetime, decay: DecayPolicy) -> list[MemoryHead]:
        """Return the changed and the most important live memories of each domain, without their text.

        The order uses the importance at `now`; the heads contain the stored one.
        """

    def find_of_type(self, doc_type: str) -> list[Memory]:
        """Return the live memories whose frontmatter names this type, ordered by path."""

    def find_live(self, ids: Collection[str] | None = None) -> list[Memory]:
        """Return live memories with their text, ordered by path; all of them, or those with the given ids."""

    def find_texts(self) -> list[TextLine]:
        """Return every live memory's text, ordered by path, with only what a search over a whole store needs."""

    def find_by_path(self, path: str) -> Memory | None:
        """Return the live memory at a path."""

    def find_by_paths(self, paths: Collection[str]) -> dict[str, Memory]:
        """Return the live memories at these paths."""

    def find_retired(self, ids: Collection[str] | None = None) -> list[Memory]:
        """Return archived and superseded memories, ordered by path; all of them, or those with the given ids."""

    def find_moves(self) -> list[tuple[str, str | None]]:
        """Return (path, id of the successor or None) of every archived or superseded memory."""

    def find_changed_since_import(self, hashes: Mapping[str, str]) -> dict[str, MemoryState]:
        """Return, by path, the current state of memories that had this text when it was last imported or later.

        Args:
            hashes: `content_hash` of a text by its path. A path is missing from the result when its text is news.
        """

    def lock(self, ids: Collection[str]) -> dict[str, Memory]:
        """Return memories in any state by id, held until the transaction ends; without ids take the store's turn alone.

        Transactions that write memories of a store are serialized, from their first lock or write on.
        """

    def write(self, writes: Sequence[MemoryWrite]) -> None:
        """Write heads and append one version each. Raises ConflictError when a live path is taken."""

    def find_history(
        self, memory_id: str, *, below: int | None = None, limit: int | None = None
    ) -> list[MemoryVersion]:
        """Return a memory's versions, newest first: all, or at most `limit` with numbers below one."""

    def set_dirty(self, versions: Sequence[tuple[str, int]], *, is_dirty: bool) -> None:
        """Put (memory id, version) on or off the changed set where the memory is still at that version."""


class PendingMergeRepository(Protocol):
    """Merge suggestions that go from one dream to the next."""

    def find_open(self) -> list[PendingMerge]:
        """Return every suggestion, oldest first."""

    def add(self, merges: Sequence[PendingMerge]) -> None:
        """Add suggestions; one that exists already is left as it is."""

    def remove(self, merges: Sequence[PendingMerge]) -> None:
        """Remove suggestions that were considered or withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedText:
    """The text that a search sees: of a live memory its content, of an archived one its stub."""

    memory_id: str
    version: int
    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A memory that a search found. `bm25` is its raw score; an archived memory is found by its stub.

    `trust` is the rank of the least trusted writer of its statements, `day` the ISO date on which the newest was said or written.
    """

    memory_id: str
    path: str
    title: str
    excerpt: str
    signals: Signals
    updated_at: datetime
    touched_at: datetime
    trust: Rank
    day: str
    is_lasting: bool = False  # its importance does not fade
    is_archived: bool
    expires: date | None = None
    bm25: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedMemories:
    """The memories written since an earlier mark. Pass `mark` to the next call; some memories may come twice."""

    texts: tuple[SearchedText, ...]
    gone: tuple[str, ...]
    mark: int


class VersionToTakeBack(NamedTuple):
    """A version of a memory that is to be taken back."""

    version: int
    operation: str  # the id of the one that wrote it
    restored: int  # the version whose text comes back; 0 for none


class MemoryCatalogRepository(Protocol):
    """Reads of single memories and of pages; every cost is bounded by what is returned."""

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text whose path begins with `prefix`, in the order of their paths."""

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`; with `lock` it is held. Raises NotFoundError."""

    def find_retired_at(self, path: str) -> Memory | None:
        """Return the archived or superseded memory that was retired last from a path."""

    def find_retired_page(self, *, state: MemoryState, after_id: str, limit: int) -> list[Memory]:
        """Return archived or superseded memories by id, after `after_id`."""

    def find_paths(self, prefix: str) -> list[tuple[str, str]]:
        """Return (id, path) of the live memories whose path begins with `prefix`, by path."""

    def find_sources(self, memory_id: str, limit: int) -> list[tuple[str, str]]:
        """Return (id, path) of memories whose knowledge went into this one, by path."""

    def find_merged_since(self, takings: Mapping[str, VersionToTakeBack]) -> dict[str, str]:
        """Return by id a path of what was merged into a memory after a version of it, and is still retired for it.

        What the same operation had merged into it already when the text was written that comes back is left out: that
        text holds it.

        Args:
            takings: by the memory's id, the version that is to be taken back.
        """

    def find_changed(self, since: int | None) -> ChangedMemories:
        """Return what was written since a mark, or everything for None: live and archived memories, and the ids of removed ones."""

    def find_hits(self, ids: Collection[str]) -> dict[str, Found]:
        """Return those of these memories that are live or archived and have not expired, by id, with a score of 0."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of a store, with how many live memories stand in it and below it. Its path ends in `/`."""

    path: str
    memories: int

    @property
    def name(self) -> str:
        """Return the last step of its path."""
        return self.path[:-1].rpartition("/")[2]


class MemoryTreeRepository(Protocol):
    """Live memories as files in folders. A folder is named with a `/` at its end, the store itself by an empty text."""

    def find_folders(self, folder: str, *, after: str, limit: int) -> list[Folder]:
        """Return the folders right inside a folder, by name, after the name `after`."""

    def find_files(self, folder: str, *, after_path: str, limit: int) -> list[MemoryHead]:
        """Return the memories right inside a folder, without their texts, by path, after `after_path`."""

    def find_as_of(self, before: datetime, *, prefix: str, after_path: str, limit: int) -> list[MemoryVersion]:
        """Return what was live right before a moment, each in the version that it had, by path; redacted ones are left out."""

    def find_told_later(self, before: datetime, *, prefix: str, after_path: str) -> list[MemoryVersion]:
        """Return the current versions of live memories first written from a moment on, and with a superseded part, by path."""

    def find_ids(self, paths: Collection[str]) -> dict[str, str]:
        """Return by path the ids of the live memories at these paths."""

    def find_named(self, names: Collection[str]) -> dict[str, str]:
        """Return, by file name, the first path of a live memory with that name in any folder."""

    def count_topics(self) -> dict[str, int]:
        """Return how many live memories on topics each domain has, `""` for those at the top."""

    def find_headlines(self, domains: Collection[str]) -> list[tuple[str, str, str]]:
        """Return (id, path, title and summary) of live memories in these domains, by path; digests are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayedRule:
    """The rule by which memories count as decayed: unseen for `grace_days`; `since` is the end of the last dream, if any."""

    now: datetime
    since: datetime | None
    grace_days: float
    by_last_seen: bool
    only_unused: bool
    floor_importance: float = 0.0  # what is not above it fades no further


class MaintenanceRepository(Protocol):
    """Questions over the live memories of one store. Generated files and exempt categories are left out."""

    def find_duplicates(self, limit: int) -> list[tuple[Twin, ...]]:
        """Return groups of exact duplicates, the one to keep first; at most `limit` memories to fold, exempt ones too.

        The file itself is kept, but before it a copy that a person wrote, or that is pinned or core.
        """

    def find_promotable(self, *, accesses: int, reinforcements: int, limit: int) -> list[Subject]:
        """Return memories of the working tier with at least these numbers of accesses and reinforcements, ordered by path."""

    def find_stale_working(self, *, before: datetime, protected_importance: float, limit: int) -> list[Subject]:
        """Return memories of the working tier that were not written, seen or used since `before`, stalest first.

        Never a protected one: core, pinned, written by a person, or of at least `protected_importance`; nor one that an
        import has brought since `before`, however old its file is.
        """

    def find_expired(self, *, today: date, limit: int) -> list[Expired]:
        """Return memories whose last day is before today, the earliest first; never a pinned one.

        One that came back by an undo or a rejection stays out of it until it is written again.
        """

    def find_fresh(self, since: datetime) -> list[MemoryHead]:
        """Return memories that are new since then, or that a person, an agent or an import has written, ordered by path.

        What dreams wrote on their own and breadcrumbs (`category: breadcrumb`) are left out.
        """

    def find_unused_durable(self, *, before: datetime, protected: SafetyPolicy, limit: int) -> list[Subject]:
        """Return memories of the durable tier without an access that were not written or seen since then, stalest first.

        Never a protected one: core, pinned, written by a person, important, or reinforced often enough; nor one that an
        import has brought since then.
        """

    def find_next_unused(self, *, after: datetime, protected: SafetyPolicy) -> datetime | None:
        """Return when the stalest memory that has not reached that age was written or seen; None if there is none."""

    def find_kept(self) -> frozenset[str]:
        """Return the ids of memories whose archiving a person has rejected, and that were not written since.

        `find_stale_working` and `find_unused_durable` leave them out.
        """

    def count_decayed(self, fading: DecayedRule) -> int:
        """Return how many memories began to decay."""


class Recall(Protocol):
    """Counts accesses. Only accesses that were noted but not yet written are lost with the process."""

    def note(self, tenant_id: str, memory_ids: Sequence[str]) -> None:
        """Record an access of each of these memories. Touches no server and never raises."""

    def flush(self) -> None:
        """Write all noted accesses, waiting for writers that have locked a memory. Never raises."""

    def close(self) -> None:
        """Flush, and stop noting accesses."""


class RecallRepository(Protocol):
    """Accesses of a tenant's memories, inside one transaction."""

    def record(self, times: Mapping[str, int], *, wait: bool) -> list[str]:
        """Count accesses by memory id, as `scoring.accessed` does; live memories only, no version, nothing dirty.

        Returns:
            Ids that another transaction holds: they were passed over, to be tried again. No transaction waits with more than
            one id, or with `wait` off, so that counting is never part of a deadlock.

        Raises:
            ServiceUnavailableError: also when the wait for one memory took too long.
        """
