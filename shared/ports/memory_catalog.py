"""A store's memories as a list that is read page by page, for those who look at it from outside."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.core.memory import Memory, MemoryHead, Signals


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedText:
    """What a search looks through: a live memory's text, an archived one's stub."""

    memory_id: str
    version: int
    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A memory that a search found. `bm25` is its raw score; an archived memory is found by its stub."""

    memory_id: str
    path: str
    title: str
    excerpt: str
    signals: Signals
    updated_at: datetime
    touched_at: datetime
    is_lasting: bool = False  # its importance does not fade
    is_archived: bool
    bm25: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedMemories:
    """What was written since an earlier mark. `mark` is the one to give the next time; some may come twice."""

    texts: tuple[SearchedText, ...]
    gone: tuple[str, ...]
    mark: int


class MemoryCatalog(Protocol):
    """Reads of single memories and of pages; every cost is bounded by what is returned."""

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text whose path begins with `prefix`, in the order of their paths."""

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`; with `lock` it is held. Raises NotFoundError."""

    def find_sources(self, memory_id: str, limit: int) -> list[tuple[str, str]]:
        """Return (id, path) of memories whose knowledge went into this one, by path."""

    def find_merged_since(self, written: Mapping[str, tuple[int, str]]) -> dict[str, str]:
        """Return by id a path of what was merged into a memory after a version of it, and is still retired for it.

        Args:
            written: by the memory's id, the version and the id of the operation that wrote it.
        """

    def find_changed(self, since: int | None) -> ChangedMemories:
        """Return what was written since a mark, or everything for None: live and archived memories, and who is gone."""

    def find_hits(self, ids: Collection[str]) -> dict[str, Found]:
        """Return by id those of these memories that are still live or archived, as they are now, with a score of 0."""
