"""Read a page of a memory's history, for the API, the console and MCP alike. A page of long texts ends early."""

from dataclasses import dataclass

from gateway.api.http.paging import encode_cursor, find_within
from gateway.api.shapes.dreams import size_of
from gateway.api.shapes.sizes import json_size
from shared.ports.database import Database
from shared.services.memories.history import HistoryEntry, MemoryHistory, get_history


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A memory, some of its versions, newest first, and the cursor of the next page; None on the last page."""

    history: MemoryHistory
    entries: list[HistoryEntry]
    following: str | None


def read_history_page(
    db: Database, tenant_id: str, store: str, id_or_path: str, *, below: int | None, limit: int
) -> HistoryPage:
    """Return a page of the versions with numbers below one. Raises NotFoundError."""
    histories: list[MemoryHistory] = []

    def find(start_after: int | None, wanted: int) -> tuple[HistoryEntry, ...]:
        histories.append(get_history(db, tenant_id, store, id_or_path, below=start_after, limit=wanted))
        return histories[-1].entries

    entries, is_more = find_within(find, below, limit, size_of=_size_of, place=lambda one: one.version.version)
    return HistoryPage(histories[0], entries, cursor_of(entries[-1]) if is_more else None)


def cursor_of(entry: HistoryEntry) -> str:
    """Return the cursor for the entries older than one."""
    return encode_cursor(str(entry.version.version))


def _size_of(entry: HistoryEntry) -> int:
    """Return the size of the texts of an entry and of its operation."""
    return json_size(entry.version.content) + (size_of(entry.operation) if entry.operation else 0)
