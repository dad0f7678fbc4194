"""A store's memories as a list that is read page by page, for those who look at it from outside."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from shared.core.memory import Memory, MemoryHead


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedMemories:
    """What was written since an earlier mark. `mark` is the one to give the next time; some may come twice."""

    memories: tuple[Memory, ...]
    gone: tuple[str, ...]
    mark: int


class MemoryCatalog(Protocol):
    """Reads of single memories and of pages; every cost is bounded by what is returned."""

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text whose path begins with `prefix`, in the order of their paths."""

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`; with `lock` it is held. Raises NotFoundError."""

    def find_changed(self, since: int | None) -> ChangedMemories:
        """Return what was written since a mark, or everything for None: live and archived memories, and who is gone."""

    def find_existing(self, ids: Collection[str]) -> set[str]:
        """Return which of these memories are still live or archived."""
