"""Serve `/v1/memory_stores`: create, retrieve, update, list, archive, delete."""

from functools import partial

from fastapi import APIRouter, Response

from gateway.api.http.idempotency import Idempotent
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from gateway.api.v1.callers import Administrator, Reader
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import (
    Page,
    Pages,
    Since,
    Until,
    WithArchived,
    span_of,
)
from gateway.api.v1.shapes.ids import StoreId
from gateway.api.v1.shapes.stores import DeletedStoreOut, StoreIn, StoreOut, StoreUpdate, store_out
from shared.core.errors import BadInputError, ConflictError
from shared.services.tenants.delete_store import delete_store
from shared.services.tenants.stores import (
    archive_store,
    create_described_store,
    describe_store,
    find_store_records,
    get_store_record,
)

router = APIRouter(prefix="/v1/memory_stores", tags=["v1 memory stores"], route_class=OneThreadRoute)
_FIRST = 100  # what describes a store takes at most 50 kB


@router.post("", response_model=StoreOut, responses=errors(409), summary="Create a memory store")
def create(body: StoreIn, caller: Administrator, once: Idempotent) -> Response:
    """Create a store."""
    ports = caller.ports
    return once.answer(
        caller,
        200,
        lambda: store_out(
            create_described_store(
                ports.db,
                ports.ids,
                caller.tenant_id,
                title=body.name,
                description=body.description or "",
                labels=body.metadata or {},
                actor=caller.actor,
            )
        ),
    )


@router.get("", responses=errors(), summary="List memory stores")
def list_all(
    caller: Reader,
    *,
    created_since: Since = None,
    created_until: Until = None,
    include_archived: WithArchived = False,
    pages: Pages,
) -> Page[StoreOut]:
    """List stores, newest first."""
    span = span_of(since=created_since, until=created_until)
    read = partial(find_store_records, caller.ports.db, caller.tenant_id, span, with_archived=include_archived)
    found = pages.within(
        lambda start_after, limit: read(start_after=start_after, limit=limit),
        pages.start_after,
        size_of=lambda record: json_size(record.title, record.description, record.labels),
        place=lambda record: (record.created_at, record.id),
        first=_FIRST,
    )
    return pages.page_of(found, store_out, lambda record: (record.created_at, record.id))


@router.get("/{memory_store_id}", responses=errors(), summary="Retrieve a memory store")
def retrieve(memory_store_id: StoreId, caller: Reader) -> StoreOut:
    """Return a store, archived or not."""
    return store_out(get_store_record(caller.ports.db, caller.tenant_id, memory_store_id))


@router.post("/{memory_store_id}", response_model=StoreOut, responses=errors(409), summary="Update a memory store")
def update(memory_store_id: StoreId, body: StoreUpdate, caller: Administrator, once: Idempotent) -> Response:
    """Change the given fields."""
    return once.answer(
        caller,
        200,
        lambda: store_out(
            describe_store(
                caller.ports.db,
                caller.tenant_id,
                memory_store_id,
                title=body.name,
                description=body.description,
                labels=body.metadata or {},
                actor=caller.actor,
            )
        ),
    )


@router.post(
    "/{memory_store_id}/archive", response_model=StoreOut, responses=errors(409), summary="Archive a memory store"
)
def archive(memory_store_id: StoreId, caller: Administrator, once: Idempotent) -> Response:
    """Archive a store: it accepts no more writes, but its memories can still be read and deleted."""
    return once.answer(
        caller,
        200,
        lambda: store_out(archive_store(caller.ports.db, caller.tenant_id, memory_store_id, actor=caller.actor)),
    )


@router.delete("/{memory_store_id}", responses=errors(409), summary="Delete a memory store")
def delete(memory_store_id: StoreId, caller: Administrator) -> DeletedStoreOut:
    """Delete a store for good, with its memories, versions, sessions and dreams. Copies that dreams made of it stay."""
    try:
        delete_store(caller.ports.db, caller.tenant_id, memory_store_id, actor=caller.actor)
    except ConflictError as error:
        raise BadInputError(str(error)) from error  # as Anthropic's API answers while a dream writes into the store
    return DeletedStoreOut(id=memory_store_id)
