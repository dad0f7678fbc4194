"""Browse memories: lists and search."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import StoreName
from gateway.console.pages import page
from gateway.console.visitor import Reader
from shared.core.memory.model import MemoryState
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.read import find_memory_page, find_retired_page, search_memories
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ON_A_PAGE = 50
_HITS = 50
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
