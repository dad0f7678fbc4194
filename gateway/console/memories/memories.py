"""Browse memories: folders, lists by path and state, and search."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import StoreName
from gateway.console.memories.first_store import lead_to_first_store
from gateway.console.memories.folder_view import Branch, read_branch
from gateway.console.pages import page
from gateway.console.visitor import Reader
from shared.core.memory.model import MemoryState
from shared.services.memories.read import find_memory_page, find_retired_page, search_alike, search_memories
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ON_A_PAGE = 50
_HITS = 50
_ALIKE = 20
_SUGGESTED = 8
Words = Annotated[str, Query(max_length=1_000, pattern=r"^[^\x00]*$")]
Path = Annotated[str, Query(max_length=1_024, pattern=r"^[^\x00]*$")]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The filters of the list of memories: words to match, a state, a prefix, or a folder."""

    q: str
    prefix: str
    folder: str
    state: str


def _read_wanted(
    q: Words = "",
    prefix: Path = "",
    folder: Path = "",
    state: Annotated[str, Query(pattern="^(live|archived|superseded)$")] = "live",
) -> _Wanted:
    return _Wanted(q.strip(), prefix, folder, state)


Wanted = Annotated[_Wanted, Depends(_read_wanted)]


@router.get("/memories")
def choose(request: Request, visitor: Reader) -> Response:
    """Redirect to the first store's memories."""
    return lead_to_first_store(request, visitor, "memories")


@router.get("/stores/{store}/memories")
def browse(
    request: Request,
    visitor: Reader,
    store: StoreName,
    wanted: Wanted,
    cursor: Cursor = None,
) -> Response:
    """Show a folder, list memories by the beginning of their path or by state, or search them."""
    db, after = visitor.ports.db, decode_cursor(cursor) or ""
    known: dict[str, Any] = {"q": wanted.q, "prefix": wanted.prefix, "wanted": wanted.state, "store": store}
    known |= {"hits": None, "alike": [], "heads": [], "retired": [], "following": None, "branch": None}
    known["stores"] = [one.name for one in find_stores(db, visitor.tenant_id)]
    if wanted.q:
        known["hits"] = search_memories(
            db, visitor.ports.search, visitor.tenant_id, store, wanted.q, _HITS, visitor.ports.meaning
        )
        if not known["hits"]:
            known["alike"] = search_alike(db, visitor.ports.search, visitor.tenant_id, store, wanted.q, _ALIKE)
    elif wanted.state != "live":
        gone = find_retired_page(
            db, visitor.tenant_id, store, state=MemoryState(wanted.state), after_id=after, limit=_ON_A_PAGE + 1
        )
        known["retired"], known["following"] = page_of(gone, _ON_A_PAGE, lambda memory: memory.id)
    elif wanted.prefix:
        found = find_memory_page(
            db, visitor.tenant_id, store, prefix=wanted.prefix, after_path=after, limit=_ON_A_PAGE + 1
        )
        known["heads"], known["following"] = page_of(found, _ON_A_PAGE, lambda head: head.path)
    else:
        known["branch"] = read_branch(db, visitor.tenant_id, store, wanted.folder, after, _ON_A_PAGE)
    return page(request, visitor, "memories/memories.html", **known)


@router.get("/stores/{store}/folders")
def unfold(
    request: Request,
    visitor: Reader,
    store: StoreName,
    folder: Path = "",
    memories: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    shown: Annotated[str, Query(alias="open", pattern="^(yes|no)$")] = "yes",
) -> Response:
    """Show one folder of a tree, unfolded or folded again; `memories` is the count that the tree shows beside it."""
    if shown == "yes":
        branch = read_branch(visitor.ports.db, visitor.tenant_id, store, folder, "", _ON_A_PAGE)
    else:
        branch = Branch(path=folder)
    return page(request, visitor, "memories/branch.html", store=store, branch=branch, memories=memories)


@router.get("/stores/{store}/suggestions")
def suggest(request: Request, visitor: Reader, store: StoreName, q: Words = "") -> Response:
    """Show the memories that a search may be for while it is being typed, as options of its field."""
    hits = search_alike(visitor.ports.db, visitor.ports.search, visitor.tenant_id, store, q, _SUGGESTED)
    return page(request, visitor, "memories/suggestions.html", hits=hits)
