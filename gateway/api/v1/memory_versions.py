"""Serve `/v1/memory_stores/{id}/memory_versions`: list, retrieve, redact."""

from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response

from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import read_moment, read_parts
from gateway.api.http.parameters import ID
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from gateway.api.v1.callers import Administrator, Reader
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import (
    MAX_FULL,
    Page,
    Pages,
    Since,
    Until,
    span_of,
)
from gateway.api.v1.shapes.ids import StoreId, VersionId, View, actor_of_key, split_version_id, version_id
from gateway.api.v1.shapes.memories import Operation, VersionOut, version_out
from shared.ports.api_lists import VersionFilter
from shared.services.memories.api_lists import find_version_records, get_version_record
from shared.services.memories.redact import redact_version

router = APIRouter(
    prefix="/v1/memory_stores/{memory_store_id}/memory_versions",
    tags=["v1 memory versions"],
    route_class=OneThreadRoute,
)
IdFilter = Annotated[str | None, Query(pattern=ID)]


@router.get("", responses=errors(), summary="List memory versions")
def list_all(  # noqa: PLR0913 - one argument for each filter of the API
    memory_store_id: StoreId,
    caller: Reader,
    *,
    memory_id: IdFilter = None,
    operation: Operation | None = None,
    api_key_id: IdFilter = None,
    session_id: IdFilter = None,
    service_account_id: IdFilter = None,
    created_since: Since = None,
    created_until: Until = None,
    view: View = None,
    pages: Pages,
) -> Page[VersionOut]:
    """List versions, newest first. Versions that a dream wrote have the dream's id as `session_id`."""
    writer = api_key_id or service_account_id
    wanted = VersionFilter(
        span=span_of(since=created_since, until=created_until),
        memory_id=memory_id,
        operation=operation,
        actor=actor_of_key(writer) if writer else None,
        dream_id=session_id,
    )
    pages = pages.at_most(MAX_FULL) if view == "full" else pages
    db, tenant, is_full = caller.db, caller.tenant_id, view == "full"
    read = partial(find_version_records, db, tenant, memory_store_id, wanted, with_content=is_full)
    found = pages.within(
        lambda start_after, limit: read(start_after=start_after, limit=limit),
        _read_start_after(pages.token),
        size_of=(lambda one: json_size(one.content)) if is_full else None,
        place=lambda one: (one.created_at, one.memory_id, one.version),
    )
    return pages.page_of(
        found,
        lambda record: version_out(memory_store_id, record),
        lambda record: (record.created_at, version_id(record.memory_id, record.version)),
    )


@router.get("/{memory_version_id}", responses=errors(), summary="Retrieve a memory version")
def retrieve(memory_store_id: StoreId, memory_version_id: VersionId, caller: Reader, view: View = None) -> VersionOut:
    """Return a version with its text, or without it (`view=basic`)."""
    memory_id, number = split_version_id(memory_version_id)
    record = get_version_record(
        caller.db, caller.tenant_id, memory_store_id, memory_id, number, with_content=view != "basic"
    )
    return version_out(memory_store_id, record)


@router.post(
    "/{memory_version_id}/redact", response_model=VersionOut, responses=errors(409), summary="Redact a memory version"
)
def redact(memory_store_id: StoreId, memory_version_id: VersionId, caller: Administrator, once: Idempotent) -> Response:
    """Remove a version's text for good. Undos that need it will report a conflict."""
    memory_id, number = split_version_id(memory_version_id)

    def produce() -> VersionOut:
        db, tenant = caller.ports.db, caller.tenant_id
        return version_out(
            memory_store_id, redact_version(db, tenant, memory_store_id, memory_id, number, actor=caller.actor)
        )

    return once.answer(caller, 200, produce)


def _read_start_after(page: str | None) -> tuple[datetime, str, int] | None:
    parts = read_parts(page, 2)
    return None if parts is None else (read_moment(parts[0]), *split_version_id(parts[1]))
