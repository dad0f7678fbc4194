"""Serve `/v1/sessions`, the inputs of dreams: create, retrieve, update, list, archive, delete."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from gateway.api.http.idempotency import Idempotent
from gateway.api.http.parameters import ID
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from gateway.api.v1.append import append
from gateway.api.v1.callers import Administrator, Reader, Writer
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import (
    After,
    Before,
    Page,
    Pages,
    Since,
    Until,
    WithArchived,
    span_of,
)
from gateway.api.v1.session_resources import keep_resources
from gateway.api.v1.shapes.ids import SessionId
from gateway.api.v1.shapes.resources import home_of, stores_of
from gateway.api.v1.shapes.sessions import DeletedSessionOut, SessionIn, SessionOut, SessionUpdate, session_out
from shared.core.listings.records import SessionRecord
from shared.core.tenants.labels import check_labels
from shared.ports.api_lists import Place, SessionFilter
from shared.services.sessions.api import (
    archive_session,
    begin_session,
    describe_session,
    find_session_records,
    get_session_record,
)
from shared.services.sessions.delete import delete_session

router = APIRouter(prefix="/v1/sessions", tags=["v1 sessions"], route_class=OneThreadRoute)
Order = Literal["asc", "desc"]
_FIRST = 20  # what a host keeps of a session takes at most 300 kB
Status = Literal["rescheduling", "running", "idle", "terminated"]
Statuses = Annotated[
    list[Status] | None, Query(alias="statuses[]", max_length=10, description="Only sessions in one of these states.")
]
AgentFilter = Annotated[
    str | None, Query(max_length=200, pattern=r"^[^\x00]*$", description="Only sessions of this agent.")
]
AgentVersion = Annotated[
    int | None,
    Query(ge=1, le=1_000_000_000, description="Only sessions of this version of the agent; needs `agent_id`."),
]
Deployment = Annotated[
    str | None, Query(max_length=200, description="slowwave has no deployments: any value gives an empty list.")
]
StoreFilter = Annotated[str | None, Query(pattern=ID, description="Only sessions of this store.")]


@router.post("", response_model=SessionOut, responses=errors(409), summary="Create a session")
def create(body: SessionIn, caller: Writer, once: Idempotent) -> Response:
    """Begin a session of the store in `resources`, or of the store `default`. It stays open until it is archived.

    Of several stores the session belongs to the first one that the agent may write: its dreams gather from it.
    """

    def produce() -> SessionOut:
        ports, wanted = caller.ports, body.resources or ()
        store_id = home_of(stores_of(wanted))
        record = begin_session(
            ports.db,
            caller.tenant_id,
            ports.ids.new("api"),
            store_id=store_id,
            title=body.title or "",
            details={
                **body.details(),
                "metadata": check_labels(body.metadata or {}),
                "resources": keep_resources(caller, wanted),
            },
            actor=caller.actor,
        )
        if body.initial_events:
            append(caller, record, body.initial_events, datetime.now(UTC))
        return session_out(get_session_record(ports.db, caller.tenant_id, record.session.id))

    return once.answer(caller, 200, produce)


@router.get("", responses=errors(), summary="List sessions")
def list_all(  # noqa: PLR0913 - one argument for each filter of the API
    caller: Reader,
    *,
    created_after: After = None,
    created_since: Since = None,
    created_before: Before = None,
    created_until: Until = None,
    memory_store_id: StoreFilter = None,
    agent_id: AgentFilter = None,
    agent_version: AgentVersion = None,
    deployment_id: Deployment = None,
    include_archived: WithArchived = False,
    statuses: Statuses = None,
    order: Order = "desc",
    pages: Pages,
) -> Page[SessionOut]:
    """List the sessions of all stores, newest first, including imported ones."""
    shown = {"idle", "terminated"} & set(statuses or ("idle", "terminated"))
    if not shown or deployment_id is not None:
        return Page(data=[])  # slowwave runs and deploys no agents
    span = span_of(after=created_after, since=created_since, before=created_before, until=created_until)
    wanted = SessionFilter(
        span=span,
        store_id=memory_store_id,
        with_archived=include_archived,
        is_current=None if len(shown) > 1 else "idle" in shown,
        agent_id=agent_id,
        agent_version=agent_version if agent_id is not None else None,
    )
    read = partial(find_session_records, caller.ports.db, caller.tenant_id, wanted, is_ascending=order == "asc")
    found = pages.within(
        lambda start_after, limit: read(start_after=start_after, limit=limit),
        pages.start_after,
        size_of=lambda record: json_size(record.session.title, record.details),
        place=_place,
        first=_FIRST,
    )
    return pages.page_of(found, session_out, _place)


def _place(record: SessionRecord) -> Place:
    return record.session.created_at or record.changed_at, record.session.id


@router.get("/{session_id}", responses=errors(), summary="Retrieve a session")
def retrieve(session_id: SessionId, caller: Reader) -> SessionOut:
    """Return a session of any store."""
    return session_out(get_session_record(caller.ports.db, caller.tenant_id, session_id))


@router.post("/{session_id}", response_model=SessionOut, responses=errors(409), summary="Update a session")
def update(session_id: SessionId, body: SessionUpdate, caller: Writer, once: Idempotent) -> Response:
    """Change title and metadata."""
    return once.answer(
        caller,
        200,
        lambda: session_out(
            describe_session(
                caller.ports.db,
                caller.tenant_id,
                session_id,
                title=body.title,
                labels=body.metadata or {},
                actor=caller.actor,
            )
        ),
    )


@router.post("/{session_id}/archive", response_model=SessionOut, responses=errors(409), summary="Archive a session")
def archive(session_id: SessionId, caller: Writer, once: Idempotent) -> Response:
    """Archive a session: it accepts no more events, and dreams of its store gather from it."""
    return once.answer(
        caller,
        200,
        lambda: session_out(archive_session(caller.ports.db, caller.tenant_id, session_id, actor=caller.actor)),
    )


@router.delete("/{session_id}", responses=errors(409), summary="Delete a session")
def delete(session_id: SessionId, caller: Administrator) -> DeletedSessionOut:
    """Delete a session with its events for good. Memories that dreams gathered from it stay."""
    delete_session(caller.ports.db, caller.tenant_id, session_id, actor=caller.actor)
    return DeletedSessionOut(id=session_id)
