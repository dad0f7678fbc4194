"""Record and read a store's sessions, the conversations from which dreams gather knowledge."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from gateway.api.http.auth import Administrator, Caller, Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import (
    Cursor,
    Limit,
    NotedPage,
    Page,
    encode_cursor,
    find_within,
    page_of,
    place_of,
    read_maybe_place,
    read_position,
)
from gateway.api.http.parameters import ID, StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from shared.core.sessions.model import EventKind, Origin, Session, SessionEvent
from shared.core.sessions.transcript import FoundEvent, parse_moment
from shared.core.tenants.labels import MAX_LABEL_CHARS, MAX_LABEL_KEY_CHARS, MAX_LABELS
from shared.services.sessions.delete import delete_session
from shared.services.sessions.ingest import ImportTarget
from shared.services.sessions.live import append_events, find_events, find_sessions, get_session, open_live_session


class SessionOut(BaseModel):
    """One conversation."""

    id: str
    external_id: str
    source: str
    title: str
    started_at: datetime | None
    last_event_at: datetime | None
    event_count: int
    masked_count: int = Field(description="Number of events in which a secret or personal data was masked.")
    is_current: bool
    labels: dict[str, str] = Field(description="What the host or the import says of the session.")
    waiting: int = Field(description="Number of events that dreams have not read yet.")


def session_out(session: Session) -> SessionOut:
    """Return a session as JSON."""
    return SessionOut(**{name: getattr(session, name) for name in SessionOut.model_fields})


class EventOut(BaseModel):
    """One event of a session."""

    event_id: str = Field(description="The id given by the source.")
    position: int = Field(description="Position in the order of arrival, from 1.")
    kind: EventKind
    role: str
    origin: Origin = Field(description="Who wrote it. Only what a `person` wrote becomes a preference or a correction.")
    text: str = Field(description="The text as it came.")
    words: str | None = Field(
        description="The text without what programs put around a person's words; null if that is the text."
    )
    cut: bool = Field(description="Whether the text was cut at `max_chars`.")
    masked: bool = Field(description="Whether a secret or personal data in it was masked.")
    at: datetime | None


def event_out(event: SessionEvent, max_chars: int) -> EventOut:
    """Return an event as JSON, with the first `max_chars` characters of its text."""
    return EventOut(
        event_id=event.event_id,
        position=event.position,
        kind=event.kind,
        role=event.role,
        origin=event.origin,
        text=event.sent[:max_chars],
        words=event.text[:max_chars] if event.as_sent is not None else None,
        cut=len(event.sent) > max_chars,
        masked=event.is_masked,
        at=event.at,
    )


router = APIRouter(prefix="/api/stores/{store}/sessions", tags=["sessions"], route_class=OneThreadRoute)
_SOURCE = "api"
#: The longest page has 200 events: with texts of this length it stays below the bound of a page.
_SHORT_CHARS = 4_000
_EXAMPLE: JsonDict = {
    "events": [{"event_id": "1", "kind": "user", "role": "user", "text": "No, the token lives an hour."}]
}
SessionId = Annotated[
    str, Path(pattern=ID, description="The `id` of a session.", examples=["sesn_01JD0000000000000000000000"])
]
MaxChars = Annotated[
    int, Query(ge=1, le=50_000, description="The maximum number of characters to return of each text.")
]
ExternalId = Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,200}$", description="The host's own id.")]


Labels = Annotated[
    dict[
        Annotated[str, Field(min_length=1, max_length=MAX_LABEL_KEY_CHARS)],
        Annotated[str, Field(max_length=MAX_LABEL_CHARS)],
    ]
    | None,
    Field(
        max_length=MAX_LABELS,
        description="What the host says of the session, such as its `kind`, `branch` or `tool`. "
        "The store's settings `sessions.include` and `sessions.exclude` match them.",
        examples=[{"kind": "cron"}],
    ),
]


class SessionIn(BaseModel):
    """A new session."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"external_id": "chat-42"}})

    external_id: ExternalId
    current: bool = Field(
        True, description="Whether the session is still running; dreams gather from it only after it is closed."
    )
    labels: Labels = None


class EventIn(BaseModel):
    """One event. An event with a repeated `event_id` is recorded once."""

    model_config = ConfigDict(extra="forbid")

    event_id: ExternalId
    kind: EventKind = Field(description="The kind of event: `user` for a person's words, `assistant` for the agent's.")
    role: str = Field("", max_length=100, description="The host's name for the role.")
    origin: Origin | None = Field(
        None,
        description="Who wrote it, if the host knows: for example `machine` for a scheduler's prompt. Default: found from the text.",
    )
    text: str = Field(max_length=1_000_000, description="The whole text.")
    at: AwareDatetime | None = Field(None, description="When it happened, with a time zone.")


class EventsIn(BaseModel):
    """Events in order."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _EXAMPLE})

    events: list[EventIn] = Field(max_length=500)
    current: bool = Field(True, description="`false` closes the session; then dreams may gather from it.")


class DeletedOut(BaseModel):
    """A deleted session. Memories that were gathered from it stay."""

    id: str
    events: int = Field(description="Number of deleted events.")


class AppendedOut(BaseModel):
    """The result of an append."""

    session: SessionOut
    added: int
    known: int


@router.get("", responses=answers(), summary="List sessions")
def list_recent(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[SessionOut]:
    """List sessions by their newest event, newest first; sessions whose events have no time come last."""
    start_after = read_maybe_place(cursor)
    found = find_sessions(caller.ports.db, caller.tenant_id, store, limit + 1, start_after)
    shown, following = page_of(found, limit, lambda one: place_of(one.last_event_at, one.id))
    return Page(data=[session_out(session) for session in shown], next_cursor=following)


@router.post("", status_code=201, response_model=SessionOut, responses=answers(409), summary="Begin a session")
def create(store: StoreName, body: SessionIn, caller: Writer, once: Idempotent) -> Response:
    """Begin a session, or return the one with this `external_id`."""
    target = import_target(store, caller, is_current=body.current, labels=body.labels)
    return once.answer(caller, 201, lambda: session_out(open_live_session(caller.ports.db, target, body.external_id)))


@router.get("/{session_id}", responses=answers(), summary="Get a session")
def get(store: StoreName, session_id: SessionId, caller: Reader) -> SessionOut:
    """Return a session with its counters."""
    return session_out(get_session(caller.ports.db, caller.tenant_id, store, session_id))


@router.delete("/{session_id}", responses=answers(409), summary="Delete a session")
def delete(store: StoreName, session_id: SessionId, caller: Administrator) -> DeletedOut:
    """Delete a session with its events for good. Memories that dreams gathered from it stay."""
    db, tenant = caller.ports.db, caller.tenant_id
    return DeletedOut(
        id=session_id, events=delete_session(db, tenant, session_id, store_name=store, actor=caller.actor)
    )


@router.get("/{session_id}/events", responses=answers(), summary="Read a session's events")
def list_events(
    store: StoreName,
    session_id: SessionId,
    caller: Reader,
    max_chars: MaxChars = 4_000,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> NotedPage[EventOut]:
    """List events in order of arrival. A text longer than `max_chars` is cut and marked."""
    note = ""

    def find(after: int | None, wanted: int) -> list[SessionEvent]:
        nonlocal note
        db, tenant = caller.ports.db, caller.tenant_id
        found = find_events(db, tenant, store, session_id, after=after or 0, limit=wanted, max_chars=max_chars + 1)
        note = found.note
        return found

    size_of, start_after = (
        (lambda event: json_size(event.sent, event.text)) if max_chars > _SHORT_CHARS else None,
        read_position(cursor),
    )
    shown, is_more = find_within(find, start_after, limit, size_of=size_of, place=lambda event: event.position)
    following = encode_cursor(str(shown[-1].position)) if is_more else None
    data = [event_out(event, max_chars) for event in shown]
    return NotedPage(data=data, next_cursor=following, note=note or None)


@router.post("/{session_id}/events", response_model=AppendedOut, responses=answers(409), summary="Append events")
def append(store: StoreName, session_id: SessionId, body: EventsIn, caller: Writer, once: Idempotent) -> Response:
    """Append events. A repeated event is recorded once. `current: false` closes the session."""
    events = found_events(body.events)

    def produce() -> AppendedOut:
        target = import_target(store, caller, is_current=body.current)
        session, counts = append_events(caller.ports.db, target, session_id, events)
        return AppendedOut(session=session_out(session), added=counts.added, known=counts.known)

    return once.answer(caller, 200, produce)


def found_events(events: Sequence[EventIn]) -> list[FoundEvent]:
    """Return events in the form of an import."""
    return [
        FoundEvent(
            line=line,
            session="",
            event_id=one.event_id,
            kind=one.kind,
            role=one.role,
            text=one.text,
            origin=one.origin,
            at=parse_moment(one.at and one.at.isoformat()),
        )
        for line, one in enumerate(events, 1)
    ]


def import_target(
    store: str, caller: Caller, *, is_current: bool, labels: Mapping[str, str] | None = None
) -> ImportTarget:
    """Return the import target of a caller's events."""
    return ImportTarget(
        tenant_id=caller.tenant_id,
        store=store,
        source=_SOURCE,
        labels=labels or {},
        is_current=is_current,
        actor=caller.actor,
    )
