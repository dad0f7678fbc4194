"""A store's memories as a list that is read page by page, for those who look at it from outside."""

from typing import Protocol

from shared.core.memory import Memory, MemoryHead


class MemoryCatalog(Protocol):
    """Reads of single memories and of pages; every cost is bounded by what is returned."""

    def find_page(self, *, prefix: str, after_path: str, limit: int) -> list[MemoryHead]:
        """Return live memories without their text whose path begins with `prefix`, in the order of their paths."""

    def get(self, memory_id: str, *, lock: bool = False) -> Memory:
        """Return a memory in any state but `removed`; with `lock` it is held. Raises NotFoundError."""
