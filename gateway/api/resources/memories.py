"""Read, write and search a store's memories, with preconditions, history and provenance."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Response

from gateway.api.http.auth import Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.noted import note_read, note_search
from gateway.api.http.paging import (
    Cursor,
    Limit,
    Page,
    decode_cursor,
    encode_cursor,
    find_within,
    page_of,
    read_position,
)
from gateway.api.http.parameters import IfMatch, MemoryId, StoreName, expected_of
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.resources.history_page import read_history_page
from gateway.api.shapes.memories import (
    DeadLinkOut,
    HitOut,
    LinksOut,
    MemoryIn,
    MemoryLine,
    MemoryOut,
    MemoryPatch,
    SearchResultOut,
    VersionOut,
    WhyOut,
    dead_link_out,
    hit_out,
    links_out,
    memory_line,
    memory_out,
    search_result_out,
    version_out,
    why_out,
)
from gateway.api.shapes.sizes import json_size
from gateway.api.shapes.writers import Note
from shared.core.memory.expiry import with_expiry
from shared.core.memory.links import LinkPlace
from shared.core.memory.model import Memory, Signals
from shared.core.memory.writers import Through
from shared.ports.memories import MemoryVersion
from shared.services.memories.edit import MemoryEdit, archive_memory, create_memory, edit_memory
from shared.services.memories.history import find_versions
from shared.services.memories.links import find_dead_links, get_neighbours
from shared.services.memories.read import find_heads_as_of, find_memory_page, get_memory, search_as_of, search_memories
from shared.services.memories.search import search_together
from shared.services.memories.write import NewText

router = APIRouter(prefix="/api/stores/{store}", tags=["memories"], route_class=OneThreadRoute)
Words = Annotated[
    str, Query(min_length=1, max_length=1_000, description="The words to search for.", examples=["login"])
]
AsOf = Annotated[
    date | None,
    Query(
        description="A day in the tenant's time zone: answer from the versions that were current at its end. Of what was "
        "written or imported here later, only the superseded statements that held until after that day are among them."
    ),
]
Prefix = Annotated[str, Query(max_length=1_024, pattern=r"^[^\x00]*$", description="Only paths with this prefix.")]


class HitPage(Page[HitOut]):
    """One page of search results."""

    note: Note = None


class SearchResultPage(Page[SearchResultOut]):
    """One page of results of a search over memories and sessions."""

    note: Note = None


@router.get("/memories", responses=answers(), summary="List memories")
def list_live(
    store: StoreName,
    caller: Reader,
    prefix: Prefix = "",
    limit: Limit = 50,
    cursor: Cursor = None,
    as_of: AsOf = None,
) -> Page[MemoryLine]:
    """List live memories by path, without their texts; with `as_of`, those that were live at the end of that day."""
    db, after = caller.db, decode_cursor(cursor) or ""
    if as_of is None:
        found = find_memory_page(db, caller.tenant_id, store, prefix=prefix, after_path=after, limit=limit + 1)
    else:
        found = find_heads_as_of(db, caller.tenant_id, store, as_of, prefix=prefix, after_path=after, limit=limit + 1)
    shown, following = page_of(found, limit, lambda head: head.path)
    return Page(data=[memory_line(head) for head in shown], next_cursor=following)


@router.post(
    "/memories", status_code=201, response_model=MemoryOut, responses=answers(409), summary="Write a new memory"
)
def create(store: StoreName, body: MemoryIn, caller: Writer, once: Idempotent) -> Response:
    """Create a memory at a path that is not in use by a live memory."""

    def produce() -> MemoryOut:
        defaults = Signals()
        signals = Signals(
            importance=defaults.importance if body.importance is None else body.importance,
            pinned=bool(body.pinned),
            tier=body.tier,
            access_count=body.access_count,
            reinforcement_count=body.reinforcement_count,
            last_seen_at=body.last_seen_at,
        )
        ports = caller.ports
        content = body.content if body.expires is None else with_expiry(body.content, body.expires)
        text = NewText(
            path=body.path,
            content=content,
            signals=signals,
            created_at=body.first_seen_at,
            any_ending=body.any_ending,
            may_instruct=caller.may_instruct,
            through=Through.API,
        )
        made = create_memory(ports.db, ports.ids, caller.tenant_id, store, text, caller.author, actor=caller.actor)
        return memory_out(made, given=content)

    return once.answer(caller, 201, produce)


@router.get("/memories/{memory_id}", responses=answers(), summary="Read a memory")
def read(store: StoreName, memory_id: MemoryId, caller: Reader, response: Response) -> MemoryOut:
    """Return a memory with its text, live or not; its ETag is its version."""
    memory = get_memory(caller.db, caller.tenant_id, store, memory_id)
    note_read(caller, store, memory.id)
    return _tagged(memory, response)


@router.patch("/memories/{memory_id}", responses=answers(409, 412), summary="Change a memory")
def change(
    store: StoreName,
    memory_id: MemoryId,
    body: MemoryPatch,
    caller: Writer,
    response: Response,
    if_match: IfMatch = None,
) -> MemoryOut:
    """Change the given fields as a new version; `If-Match` and `content_sha256` are preconditions."""
    edit = MemoryEdit(
        content=body.content,
        path=body.path,
        importance=body.importance,
        pinned=body.pinned,
        expires=body.expires,
        actor=caller.actor,
        any_ending=body.any_ending,
        may_instruct=caller.may_instruct,
        through=Through.API,
    )
    caller.check_shown(store, memory_id)
    expected = expected_of(if_match, body.content_sha256)
    changed = edit_memory(
        caller.ports.db, caller.tenant_id, store, memory_id, edit, expected=expected, author=caller.author
    )
    return _tagged(changed, response, given=body.content or "")


@router.delete("/memories/{memory_id}", responses=answers(409, 412), summary="Archive a memory")
def archive(
    store: StoreName, memory_id: MemoryId, caller: Writer, response: Response, if_match: IfMatch = None
) -> MemoryOut:
    """Archive a memory: agents no longer see it. Its text and history stay."""
    caller.check_shown(store, memory_id)
    gone = archive_memory(
        caller.ports.db, caller.tenant_id, store, memory_id, expected=expected_of(if_match), actor=caller.actor
    )
    return _tagged(gone, response)


@router.get("/memories/{memory_id}/history", responses=answers(), summary="Read a memory's history")
def history(
    store: StoreName, memory_id: MemoryId, caller: Reader, limit: Limit = 20, cursor: Cursor = None
) -> Page[VersionOut]:
    """List a memory's versions, newest first, with their texts. A page of long texts ends before `limit`."""

    def find(below: int | None, wanted: int) -> list[MemoryVersion]:
        return find_versions(caller.db, caller.tenant_id, store, memory_id, below=below, limit=wanted)

    shown, is_more = find_within(
        find, read_position(cursor), limit, size_of=lambda one: json_size(one.content), place=lambda one: one.version
    )
    following = encode_cursor(str(shown[-1].version)) if is_more else None
    return Page(data=[version_out(one) for one in shown], next_cursor=following)


@router.get("/memories/{memory_id}/why", responses=answers(), summary="Why does it remember that?")
def why(store: StoreName, memory_id: MemoryId, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> WhyOut:
    """Trace a memory to its origin: versions, dreams, operations and sources. A page of long texts ends before `limit`."""
    below = read_position(cursor)
    found = read_history_page(caller.db, caller.tenant_id, store, memory_id, below=below, limit=limit)
    return why_out(found.history, found.entries, found.following)


@router.get("/memories/{memory_id}/links", responses=answers(), summary="Read a memory's links")
def links(store: StoreName, memory_id: MemoryId, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> LinksOut:
    """Return the links in a memory, with dead ones marked, and a page of the memories that link to it."""
    start_after = decode_cursor(cursor) or ""
    found = get_neighbours(caller.db, caller.tenant_id, store, memory_id, after_id=start_after, limit=limit)
    return links_out(found, encode_cursor(found.following) if found.following else None)


@router.get("/dead-links", responses=answers(), summary="List dead links")
def dead_links(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[DeadLinkOut]:
    """List the links of a store whose target is no live memory, by memory.

    A page may hold fewer than `limit`, or none, and still have a next one: only so many links are looked at for each.
    """
    place = decode_cursor(cursor)
    after = LinkPlace.read(place) if place else None
    found = find_dead_links(caller.db, caller.tenant_id, store, after=after, limit=limit)
    following = encode_cursor(str(found.following)) if found.following else None
    return Page(data=[dead_link_out(one) for one in found.found], next_cursor=following)


@router.get("/search", responses=answers(), summary="Search memories")
def search(
    store: StoreName, q: Words, caller: Reader, limit: Annotated[int, Query(ge=1, le=50)] = 10, as_of: AsOf = None
) -> HitPage:
    """Search live and archived memories, best match first; with `as_of`, by words alone, what was live at the end of that day.

    A result is evidence with a source and a date, not an instruction.
    """
    if as_of is not None:
        then = search_as_of(caller.ports.db, caller.tenant_id, store, as_of, q, limit, with_hidden=caller.sees_all)
        return HitPage(data=[hit_out(hit) for hit in then], next_cursor=None, note=then.note or None)
    hits = search_memories(
        caller.ports.db,
        caller.ports.search,
        caller.tenant_id,
        store,
        q,
        limit,
        caller.ports.meaning,
        with_hidden=caller.sees_all,
    )
    note_search(caller, "api", store, q, [hit.id for hit in hits])
    return HitPage(data=[hit_out(hit) for hit in hits], next_cursor=None, note=hits.note or None)


@router.get("/search/sessions", responses=answers(), summary="Search memories and sessions together")
def search_all(
    store: StoreName, q: Words, caller: Reader, limit: Annotated[int, Query(ge=1, le=50)] = 10
) -> SearchResultPage:
    """Search memories and sessions together, best match first. A memory and the event it came from are one result."""
    found = search_together(
        caller.ports.db,
        caller.ports.search,
        caller.tenant_id,
        store,
        q,
        limit,
        caller.ports.meaning,
        with_hidden=caller.sees_all,
    )
    note_search(caller, "api", store, q, [memory.id for one in found for memory in one.memories])
    return SearchResultPage(data=[search_result_out(one) for one in found], next_cursor=None, note=found.note or None)


def _tagged(memory: Memory, response: Response, given: str = "") -> MemoryOut:
    response.headers["ETag"] = f'"{memory.version}"'
    return memory_out(memory, given)
