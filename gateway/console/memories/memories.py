"""Browse memories: lists, search, and one memory with its history and provenance."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of, read_position
from gateway.api.http.parameters import MemoryId, StoreName
from gateway.api.resources.history_page import cursor_of, read_history_page
from gateway.console.pages import page
from gateway.console.views.diff_rows import Row, diff_rows
from gateway.console.visitor import Reader
from shared.core.memory.model import MemoryState
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.memories import MemoryVersion
from shared.services.memories.read import find_memory_page, find_retired_page, search_memories
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ON_A_PAGE = 50
_HITS = 50
_VERSIONS = 20
Words = Annotated[str, Query(max_length=1_000, pattern=r"^[^\x00]*$")]


@router.get("/memories")
def choose(request: Request, visitor: Reader) -> Response:
    """Redirect to the first store's memories."""
    names = [store.name for store in find_stores(visitor.ports.db, visitor.tenant_id)]
    if not names:
        return page(request, visitor, "tenants/stores.html", stores=[], following=None)
    chosen = DEFAULT_STORE if DEFAULT_STORE in names else names[0]
    return RedirectResponse(f"/console/t/{visitor.tenant_id}/stores/{chosen}/memories", 303)


@router.get("/stores/{store}/memories")
def browse(
    request: Request,
    visitor: Reader,
    store: StoreName,
    q: Words = "",
    prefix: Annotated[str, Query(max_length=1_024, pattern=r"^[^\x00]*$")] = "",
    state: Annotated[str, Query(pattern="^(live|archived|superseded)$")] = "live",
    cursor: Cursor = None,
) -> Response:
    """List memories by path, or search them."""
    db, after = visitor.ports.db, decode_cursor(cursor) or ""
    known: dict[str, Any] = {"q": q.strip(), "prefix": prefix, "wanted": state, "store": store, "hits": None}
    known |= {"heads": [], "retired": [], "following": None}
    known["stores"] = [one.name for one in find_stores(db, visitor.tenant_id)]
    if q.strip():
        known["hits"] = search_memories(
            db, visitor.ports.search, visitor.tenant_id, store, q, _HITS, visitor.ports.meaning
        )
    elif state == "live":
        found = find_memory_page(db, visitor.tenant_id, store, prefix=prefix, after_path=after, limit=_ON_A_PAGE + 1)
        known["heads"], known["following"] = page_of(found, _ON_A_PAGE, lambda head: head.path)
    else:
        gone = find_retired_page(
            db, visitor.tenant_id, store, state=MemoryState(state), after_id=after, limit=_ON_A_PAGE + 1
        )
        known["retired"], known["following"] = page_of(gone, _ON_A_PAGE, lambda memory: memory.id)
    return page(request, visitor, "memories/memories.html", **known)


@router.get("/stores/{store}/memories/{memory_id}")
def show(request: Request, visitor: Reader, store: StoreName, memory_id: MemoryId, cursor: Cursor = None) -> Response:
    """Show a memory: its text, its history, and the memories merged into it."""
    below = read_position(cursor)
    found = read_history_page(visitor.ports.db, visitor.tenant_id, store, memory_id, below=below, limit=_VERSIONS + 1)
    why, is_more = found.history, found.following is not None or len(found.entries) > _VERSIONS
    # The oldest one is there to be compared with, unless its text takes a page by itself.
    shown = found.entries[:-1] if is_more and len(found.entries) > 1 else found.entries
    following = cursor_of(shown[-1]) if is_more else None
    steps = [
        (entry, _changes(older, entry.version) if older else None)
        for entry, older in zip(shown, [one.version for one in found.entries[1:]] + [None], strict=False)
    ]
    known: dict[str, Any] = {"store": store, "why": why, "memory": why.memory, "steps": steps}
    return page(request, visitor, "memories/memory.html", following=following, cursor=cursor, **known)


def _changes(older: MemoryVersion, newer: MemoryVersion) -> list[Row] | None:
    """Return the diff of two versions: empty for equal texts, None if they are too long to compare."""
    return [] if older.content == newer.content else diff_rows(older.content, newer.content)
