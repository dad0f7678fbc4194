"""Serve `/v1/memory_stores/{id}/memories`: create, retrieve, update, list and delete, with preconditions by SHA-256.

What comes by an SDK was written by a program, whatever its key may do: it is no page that a person wrote.
"""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response

from gateway.api.http.auth import Caller
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.noted import note_read
from gateway.api.http.paging import decode_cursor
from gateway.api.http.parameters import MemoryId
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from gateway.api.v1.callers import Reader, Writer
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import MAX_FULL, Page, Pages
from gateway.api.v1.shapes.ids import StoreId, View
from gateway.api.v1.shapes.memories import (
    DeletedOut,
    MemoryIn,
    MemoryOut,
    MemoryUpdate,
    PrefixOut,
    check_content,
    entry_out,
    memory_out,
    read_path,
    read_prefix,
)
from shared.core.listings.records import MemoryRecord
from shared.core.memory.model import Author
from shared.core.memory.writers import Through
from shared.ports.database import Database
from shared.services.memories.api_lists import Folder, TreeDepth, find_memory_records, find_memory_tree
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, create_memory, edit_memory
from shared.services.memories.read import get_memory_record
from shared.services.memories.write import NewText
from shared.services.tenants.stores import get_store_record

router = APIRouter(
    prefix="/v1/memory_stores/{memory_store_id}/memories", tags=["v1 memories"], route_class=OneThreadRoute
)
Prefix = Annotated[
    str | None, Query(max_length=1_025, description="Only memories below this path, which begins and ends with `/`.")
]
Depth = Annotated[
    int, Query(ge=0, le=20, description="Depth of the list; deeper memories are shown as prefixes. 0 lists all.")
]
Sha256 = Annotated[
    str | None, Query(pattern="^[0-9a-f]{64}$", description="Precondition: the SHA-256 of the current text.")
]


@router.post("", response_model=MemoryOut, responses=errors(409), summary="Create a memory")
def create(memory_store_id: StoreId, body: MemoryIn, caller: Writer, once: Idempotent, view: View = None) -> Response:
    """Create a memory at a path that is not in use."""

    def produce() -> MemoryOut:
        text = NewText(
            path=read_path(body.path),
            content=check_content(body.content or ""),
            any_ending=True,
            may_instruct=caller.may_instruct,
            through=Through.SDK,
        )
        ports, store = caller.ports, _name_of(caller, memory_store_id)
        made = create_memory(ports.db, ports.ids, caller.tenant_id, store, text, Author.AGENT, actor=caller.actor)
        return _show(caller, ports.db, memory_store_id, made.id, with_content=view == "full")

    return once.answer(caller, 200, produce)


@router.get("", responses=errors(), summary="List memories")
def list_all(
    memory_store_id: StoreId,
    caller: Reader,
    pages: Pages,
    path_prefix: Prefix = None,
    depth: Depth = 0,
    view: View = None,
) -> Page[MemoryOut | PrefixOut]:
    """List memories by path. With `depth`, deeper memories are listed as one entry per folder."""
    prefix, after, is_full = read_prefix(path_prefix), decode_cursor(pages.token) or "", view == "full"
    pages = pages.at_most(MAX_FULL) if is_full else pages
    db, tenant = caller.db, caller.tenant_id

    def find(path: str | None, limit: int) -> Sequence[MemoryRecord | Folder]:
        if depth:
            below = TreeDepth(prefix=prefix, depth=depth)
            return find_memory_tree(
                db, tenant, memory_store_id, below, after=path or "", limit=limit, with_content=is_full
            )
        return find_memory_records(
            db, tenant, memory_store_id, prefix=prefix, after_path=path or "", limit=limit, with_content=is_full
        )

    found = pages.within(find, after, size_of=_size_of if is_full else None, place=lambda one: one.path)
    return pages.page_of(found, lambda one: entry_out(memory_store_id, one), lambda one: (one.path,))


@router.get("/{memory_id}", responses=errors(), summary="Retrieve a memory")
def retrieve(memory_store_id: StoreId, memory_id: MemoryId, caller: Reader, view: View = None) -> MemoryOut:
    """Return a memory with its text, or without it (`view=basic`)."""
    shown = _show(caller, caller.db, memory_store_id, memory_id, with_content=view != "basic")
    if view != "basic":
        note_read(caller, memory_store_id, memory_id, is_id=True)
    return shown


@router.post("/{memory_id}", response_model=MemoryOut, responses=errors(409), summary="Update a memory")
def update(
    memory_store_id: StoreId,
    memory_id: MemoryId,
    body: MemoryUpdate,
    caller: Writer,
    once: Idempotent,
    view: View = None,
) -> Response:
    """Change text or path as a new version, optionally with a precondition."""

    def produce() -> MemoryOut:
        edit = MemoryEdit(
            path=None if body.path is None else read_path(body.path),
            content=None if body.content is None else check_content(body.content),
            actor=caller.actor,
            any_ending=True,
            may_instruct=caller.may_instruct,
            through=Through.SDK,
        )
        expected = Expected(content_sha256=body.precondition.content_sha256 if body.precondition else None)
        _show(caller, caller.db, memory_store_id, memory_id, with_content=False)  # a deleted memory counts as not found
        store = _name_of(caller, memory_store_id)
        edit_memory(caller.ports.db, caller.tenant_id, store, memory_id, edit, expected=expected, author=Author.AGENT)
        return _show(caller, caller.ports.db, memory_store_id, memory_id, with_content=view == "full")

    return once.answer(caller, 200, produce)


@router.delete("/{memory_id}", responses=errors(409), summary="Delete a memory")
def delete(
    memory_store_id: StoreId, memory_id: MemoryId, caller: Writer, expected_content_sha256: Sha256 = None
) -> DeletedOut:
    """Delete a memory: agents no longer see it. Its versions stay; redact them to remove their texts for good."""
    _show(caller, caller.db, memory_store_id, memory_id, with_content=False)
    archive_memory(
        caller.ports.db,
        caller.tenant_id,
        _name_of(caller, memory_store_id),
        memory_id,
        expected=Expected(content_sha256=expected_content_sha256),
        actor=caller.actor,
    )
    return DeletedOut(id=memory_id)


def _size_of(entry: MemoryRecord | Folder) -> int:
    return 0 if isinstance(entry, Folder) else json_size(entry.content)


def _name_of(caller: Caller, store_id: str) -> str:
    return get_store_record(caller.ports.db, caller.tenant_id, store_id).name


def _show(caller: Caller, db: Database, store_id: str, memory_id: str, *, with_content: bool) -> MemoryOut:
    record = get_memory_record(db, caller.tenant_id, store_id, memory_id, with_content=with_content)
    return memory_out(store_id, record)
