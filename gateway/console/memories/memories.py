"""Browse memories: folders, lists by path and state, and search."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import StoreName
from gateway.console.memories.first_store import lead_to_first_store
from gateway.console.memories.folder_view import Branch, read_branch
from gateway.console.pages import page
from gateway.console.visitor import Reader, Visitor
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
    known |= {"hits": None, "others": [], "heads": [], "retired": [], "following": None, "branch": None}
    known["stores"] = [one.name for one in find_stores(db, visitor.tenant_id)]
    if wanted.q:
        if named := _find_by_path(visitor, store, wanted.q):
            return RedirectResponse(f"{request.url.path}/{named}", 303)
        known |= _search(visitor, store, wanted.q)
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


def _find_by_path(visitor: Visitor, store: str, words: str) -> str | None:
    """Return the id of the live memory at a path, which a person has chosen while typing."""
    found = find_memory_page(visitor.ports.db, visitor.tenant_id, store, prefix=words, after_path="", limit=1)
    return found[0].id if found and found[0].path == words else None


def _search(visitor: Visitor, store: str, words: str) -> dict[str, Any]:
    """Return what holds a word; if nothing does, what is spelt alike and what is close in meaning, the likelier first."""
    ports, place = visitor.ports, (visitor.tenant_id, store, words)
    hits = search_memories(ports.db, ports.search, *place, _HITS, ports.meaning, with_hidden=True)
    if not all(hit.is_meant for hit in hits):
        return {"hits": hits}
    alike = search_alike(ports.db, ports.search, *place, _ALIKE)
    meant = [hit for hit in hits if hit.id not in {one.id for one in alike}]
    others = [(title, found) for title, found in (("Spelt alike", alike), ("Close in meaning", meant)) if found]
    return {"hits": [], "others": others if len(words.split()) == 1 else others[::-1]}


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
