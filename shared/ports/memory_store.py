"""The memories of one store of one tenant, inside one transaction."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.core.memory import Author, Memory, MemoryHead, MemoryState
from shared.core.store import PendingMerge
from shared.core.upkeep_policy import DecayPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWrite:
    """A memory as it shall be from now on; `memory.version` is the version that this write makes."""

    memory: Memory
    change: str  # create | update | archive | supersede | keep | restore | remove
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
    redacted_at: datetime | None = None  # its path and its text are gone for good


@dataclass(frozen=True, slots=True)
class SurveyLine:
    """The least that is worth knowing of a live memory; a survey has one for each."""

    id: str
    path: str
    version: int
    is_dirty: bool


class MemoryStore(Protocol):
    """Reads and writes memories. No method takes a tenant, so none can forget it."""

    def find_survey(self) -> list[SurveyLine]:
        """Return one line for every live memory, ordered by path."""

    def find_heads(self) -> list[MemoryHead]:
        """Return every live memory without its text, ordered by path."""

    def find_top_heads(self, per_domain: int, now: datetime, decay: DecayPolicy) -> list[MemoryHead]:
        """Return the changed and the most important live memories of each domain, without their text.

        What counts is the importance as it is by `now`; the heads carry the stored one.
        """

    def find_of_type(self, doc_type: str) -> list[Memory]:
        """Return the live memories whose frontmatter names this type, ordered by path."""

    def find_live(self, ids: Collection[str] | None = None) -> list[Memory]:
        """Return live memories with their text, ordered by path; all of them, or those with the given ids."""

    def find_texts(self) -> list[tuple[str, str, str]]:
        """Return (id, path, text) of every live memory: what a search over a whole store needs, and no more."""

    def find_by_path(self, path: str) -> Memory | None:
        """Return the live memory at a path."""

    def find_by_paths(self, paths: Collection[str]) -> dict[str, Memory]:
        """Return the live memories at these paths."""

    def find_retired(self) -> list[Memory]:
        """Return archived and superseded memories, ordered by path."""

    def find_moves(self) -> list[tuple[str, str | None]]:
        """Return (path, id of the successor or None) of every archived or superseded memory."""

    def find_outgrown(self, hashes: Mapping[str, str]) -> dict[str, MemoryState]:
        """Return, by path, what became of memories that had this text when it was last imported or after.

        Args:
            hashes: `content_hash` of a text by its path. A path is missing from the result when its text is news.
        """

    def lock(self, ids: Collection[str]) -> dict[str, Memory]:
        """Return memories in any state by id, held until the transaction ends; without ids take the store's turn alone.

        Transactions that write memories of a store go one after the other, from their first lock or write on.
        """

    def write(self, writes: Sequence[MemoryWrite]) -> None:
        """Write heads and append one version each. Raises ConflictError when a live path is taken."""

    def find_history(
        self, memory_id: str, *, below: int | None = None, limit: int | None = None
    ) -> list[MemoryVersion]:
        """Return a memory's versions, newest first: all, or at most `limit` with numbers below one."""

    def set_dirty(self, versions: Sequence[tuple[str, int]], *, is_dirty: bool) -> None:
        """Put (memory id, version) on or off the changed set where the memory is still at that version."""


class PendingMerges(Protocol):
    """Merge suggestions that go from one dream to the next."""

    def find_open(self) -> list[PendingMerge]:
        """Return every suggestion, oldest first."""

    def add(self, merges: Sequence[PendingMerge]) -> None:
        """Add suggestions; one that exists already is left as it is."""

    def remove(self, merges: Sequence[PendingMerge]) -> None:
        """Remove suggestions that were heard or withdrawn."""
