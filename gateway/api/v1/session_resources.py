"""Serve `/v1/sessions/{id}/resources`: add, list, retrieve, delete. Resources are stored, but not mounted."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from gateway.api.http.auth import Caller
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import read_position
from gateway.api.http.parameters import ID
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.v1.callers import Reader, Writer
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import Page, PageToken, Paging
from gateway.api.v1.shapes.ids import SessionId
from gateway.api.v1.shapes.resources import (
    MAX_RESOURCES,
    DeletedResourceOut,
    FileResourceIn,
    FileResourceOut,
    Kept,
    ResourceIn,
    ResourceOut,
    StoreResourceIn,
    resource_out,
)
from shared.core.errors import ArchivedError, BadInputError, NotFoundError
from shared.core.listings.records import SessionRecord
from shared.services.sessions.api import change_session_resources, get_session_record
from shared.services.tenants.stores import get_store_record

router = APIRouter(prefix="/v1/sessions/{session_id}/resources", tags=["v1 sessions"], route_class=OneThreadRoute)
ResourceId = Annotated[str, Path(pattern=ID, description="The resource's id; for a store, the store's id.")]
Limit = Annotated[int, Query(ge=1, le=1_000, description="Maximum number of resources on a page.")]


def keep_resources(caller: Caller, wanted: Sequence[ResourceIn]) -> list[Kept]:
    """Return resources in their stored form. Raises NotFoundError and ArchivedError for a store that cannot be used."""
    return [_keep(caller, one) for one in wanted]


@router.post("", response_model=FileResourceOut, responses=errors(409), summary="Add a resource")
def add(session_id: SessionId, body: FileResourceIn, caller: Writer, once: Idempotent) -> Response:
    """Add a file to a session. slowwave stores only the id and path of the file."""
    made = _keep(caller, body)

    def change(resources: list[Kept]) -> list[Kept]:
        if len(resources) >= MAX_RESOURCES:
            raise BadInputError(f"A session has at most {MAX_RESOURCES} resources")
        return [*resources, made]

    def produce() -> FileResourceOut:
        change_session_resources(caller.ports.db, caller.tenant_id, session_id, change, actor=caller.actor)
        return FileResourceOut.model_validate(made)

    return once.answer(caller, 200, produce)


@router.get("", responses=errors(), summary="List resources")
def list_all(
    session_id: SessionId, caller: Reader, limit: Limit = MAX_RESOURCES, page: PageToken = None
) -> Page[ResourceOut]:
    """List the resources of a session in the order in which they were added."""
    pages, first = Paging(limit, page), read_position(page) or 0
    numbered = list(enumerate(_resources_of(get_session_record(caller.ports.db, caller.tenant_id, session_id)), 1))
    found = numbered[first : first + pages.wanted]
    return pages.page_of(found, lambda one: resource_out(one[1]), lambda one: (one[0],))


@router.get("/{resource_id}", responses=errors(), summary="Retrieve a resource")
def retrieve(session_id: SessionId, resource_id: ResourceId, caller: Reader) -> ResourceOut:
    """Return a resource of a session."""
    resources = _resources_of(get_session_record(caller.ports.db, caller.tenant_id, session_id))
    return resource_out(_find(resources, resource_id))


@router.delete("/{resource_id}", responses=errors(409), summary="Delete a resource")
def delete(session_id: SessionId, resource_id: ResourceId, caller: Writer) -> DeletedResourceOut:
    """Remove a resource from a session. The store to which the session belongs cannot be removed."""
    home = get_session_record(caller.ports.db, caller.tenant_id, session_id).store_id

    def change(resources: list[Kept]) -> list[Kept]:
        gone = _find(resources, resource_id)
        if resource_id == home:
            raise BadInputError("The session belongs to this memory store, so the store cannot be removed from it")
        return [one for one in resources if one is not gone]

    change_session_resources(caller.ports.db, caller.tenant_id, session_id, change, actor=caller.actor)
    return DeletedResourceOut(id=resource_id)


def _keep(caller: Caller, one: ResourceIn) -> Kept:
    if not isinstance(one, StoreResourceIn):
        return one.kept(caller.ports.ids.new("sesrsc"), datetime.now(UTC))
    store = get_store_record(caller.ports.db, caller.tenant_id, one.memory_store_id)
    if store.archived_at is not None:
        raise ArchivedError
    return one.kept(store)


def _resources_of(record: SessionRecord) -> list[Kept]:
    found: Any = record.details.get("resources")
    return found if isinstance(found, list) else []


def _find(resources: Sequence[Kept], resource_id: str) -> Kept:
    for one in resources:
        if resource_id in {one.get("id"), one.get("memory_store_id")}:
            return one
    raise NotFoundError
