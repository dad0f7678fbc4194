"""Show the graph of links between memories: by folders at the top, the memories of one folder, and one memory's neighbours."""

from collections import Counter
from itertools import groupby
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, encode_cursor
from gateway.api.http.parameters import MemoryId, StoreName
from gateway.console.graph.layout import Spot, draw_neighbours, draw_ring
from gateway.console.memories.first_store import lead_to_first_store
from gateway.console.pages import page
from gateway.console.views.words import count
from gateway.console.visitor import Reader
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.links import LinkPlace
from shared.core.memory.model import GENERATED
from shared.ports.stores import DeadLink, LinkedMemory
from shared.services.memories.links import (
    NotCountedError,
    RecentCounts,
    find_dead_links,
    get_domain_page,
    get_link_map,
    get_neighbours,
)
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_FOLDERS, _MEMORIES, _NEIGHBOURS = 40, 60, 20
_EDGES = 300
_DEAD = 50
#: What the address calls the memories that stand in no folder.
_TOP = "/"
#: A store with more rows of links is counted at most once in so many seconds.
_MANY, _FRESH_SECONDS = 20_000, 60.0
Folder = Annotated[str, Query(max_length=1_024, pattern=r"^[^\x00]*$")]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]


@router.get("/graph")
def choose(request: Request, visitor: Reader) -> Response:
    """Redirect to the graph of the first store."""
    return lead_to_first_store(request, visitor, "graph")


@router.get("/stores/{store}/graph")
def show(
    request: Request, visitor: Reader, store: StoreName, folder: Folder = "", start: Offset = 0, *, now: bool = False
) -> Response:
    """Show the folders and the links between them, or the memories of one folder, most linked first.

    To count the links of a large store takes a second or more, so its page comes first, with the last count or none, and
    asks for a new one itself; `now` has it at once.
    """
    recent = RecentCounts(visitor.ports.kept, may_count=now, links=_MANY, seconds=_FRESH_SECONDS)
    try:
        if folder:
            return _show_folder(request, visitor, store, folder, start, recent)
        return _show_map(request, visitor, store, recent)
    except NotCountedError:
        domain = "" if folder == _TOP else folder.strip("/")
        known: dict[str, Any] = {"folder": folder, "start": start, "store": store, "domain": domain}
        return page(request, visitor, "graph/counting.html", **known)


def _show_map(request: Request, visitor: Reader, store: str, recent: RecentCounts) -> Response:
    found = get_link_map(visitor.ports.db, visitor.tenant_id, store, recent)
    names = list(found.memories)
    within = {pair.source: pair.links for pair in found.links if pair.source == pair.target}
    spots = [
        Spot(
            label=name or "top level",
            told=f"{name or 'top level'}: {count(number, 'memory', 'memories')}",
            address=f"?folder={quote(name or _TOP, safe='')}",
            weight=number,
        )
        for name, number in list(found.memories.items())[:_FOLDERS]
    ]
    number_of = {name: number for number, name in enumerate(names[:_FOLDERS])}
    pairs: Counter[tuple[int, int]] = Counter()
    for pair in found.links:
        if pair.source != pair.target and pair.source in number_of and pair.target in number_of:
            first, second = sorted((number_of[pair.source], number_of[pair.target]))
            pairs[first, second] += pair.links
    known: dict[str, Any] = {"found": found, "within": within, "shown": len(spots), "store": store, "top": _TOP}
    known["is_old"] = recent.is_old(found.age)
    known["stores"] = [one.name for one in find_stores(visitor.ports.db, visitor.tenant_id)]
    known["drawing"] = draw_ring(spots, [(*pair, links) for pair, links in pairs.most_common(_EDGES)])
    return page(request, visitor, "graph/map.html", **known)


def _show_folder(
    request: Request, visitor: Reader, store: str, folder: str, start: int, recent: RecentCounts
) -> Response:
    domain = "" if folder == _TOP else folder.strip("/")
    found = get_domain_page(visitor.ports.db, visitor.tenant_id, store, domain, recent, offset=start, limit=_MEMORIES)
    number_of = {one.id: number for number, one in enumerate(found.memories)}
    pairs = Counter(tuple(sorted((number_of[source], number_of[target]))) for source, target in found.joined)
    spots = [_spot_of(one, f"{_base(visitor, store)}/{one.id}", domain) for one in found.memories]
    drawing = draw_ring(spots, [(pair[0], pair[1], links) for pair, links in pairs.most_common(_EDGES)])
    known: dict[str, Any] = {"found": found, "drawing": drawing, "store": store, "domain": domain, "start": start}
    known["is_old"] = recent.is_old(found.age)
    return page(request, visitor, "graph/folder.html", folder=folder, **known)


@router.get("/stores/{store}/graph/dead")
def show_dead(request: Request, visitor: Reader, store: StoreName, cursor: Cursor = None) -> Response:
    """Show the links of a store that lead to no memory, each with the memory whose text has it."""
    place = decode_cursor(cursor)
    after = LinkPlace.read(place) if place else None
    found = find_dead_links(visitor.ports.db, visitor.tenant_id, store, after=after, limit=_DEAD)
    return page(
        request,
        visitor,
        "graph/dead.html",
        store=store,
        memories=[(first, [first, *others]) for first, *others in _group_by_memory(found.found)],
        following=encode_cursor(str(found.following)) if found.following else None,
        cursor=cursor,
    )


def _group_by_memory(found: list[DeadLink]) -> list[list[DeadLink]]:
    return [list(links) for _, links in groupby(found, key=lambda one: one.at.memory_id)]


@router.get("/stores/{store}/graph/{memory_id}")
def walk(request: Request, visitor: Reader, store: StoreName, memory_id: MemoryId, cursor: Cursor = None) -> Response:
    """Show one memory, what it links to, and what links to it."""
    after = decode_cursor(cursor) or ""
    found = get_neighbours(visitor.ports.db, visitor.tenant_id, store, memory_id, after_id=after, limit=_NEIGHBOURS)
    base = _base(visitor, store)
    targets = [
        Spot(
            label=link.path or link.target,
            told=link.path or f"{link.target}: no memory is there",
            address=f"{base}/{link.memory_id}" if link.memory_id else "",
            is_dead=link.memory_id is None,
        )
        for link in found.links[:_NEIGHBOURS]
    ]
    sources = [_spot_of(one, f"{base}/{one.id}", "") for one in found.linked_from]
    centre = Spot(label="", told=found.memory.path, weight=1.0)
    return page(
        request,
        visitor,
        "graph/memory.html",
        store=store,
        found=found,
        is_generated=kind_of_text(found.memory.path, found.memory.content) in GENERATED,
        drawing=draw_neighbours(centre, sources, targets),
        following=encode_cursor(found.following) if found.following else None,
        cursor=cursor,
    )


def _base(visitor: Reader, store: str) -> str:
    return f"/console/t/{visitor.tenant_id}/stores/{store}/graph"


def _spot_of(one: LinkedMemory, address: str, domain: str) -> Spot:
    told = f"{one.path}: {one.title}" if one.title else one.path
    label = one.path.removeprefix(f"{domain}/") if domain else one.path
    return Spot(label=label, told=told, address=address, weight=one.links_out + one.links_in)
