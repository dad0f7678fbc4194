"""Sessions for tests: what a user and an assistant said, as an importer would store it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.all_ports import Ports
from shared.core.sessions.cues import DETECTOR_VERSION, find_cues, find_terms
from shared.core.sessions.model import NOTHING_FOUND, CueSpan, EventKind, Findings, NewEvent, Session
from shared.core.tenants.store import DEFAULT_STORE
from tests.support.builders import a_store

SAID_AT = datetime(2026, 3, 4, 10, tzinfo=UTC)  # a Wednesday


def tell(
    ports: Ports,
    tenant: str,
    session_id: str,
    *lines: str | tuple[EventKind, str],
    store: str = DEFAULT_STORE,
    at: datetime = SAID_AT,
    detector_version: int = DETECTOR_VERSION,
) -> Session:
    """Append events to a session, a minute apart; a plain text is the user's. Counts one session of activity."""
    store_id = a_store(ports, tenant, store).id
    with ports.db.transaction(tenant) as uow:
        repository = uow.sessions(store_id)
        session, is_new = repository.ensure(session_id, source="plain")
        events = [
            _event(session.last_position + number, *(line if isinstance(line, tuple) else (EventKind.USER, line)), at)
            for number, line in enumerate(lines, 1)
        ]
        if detector_version != DETECTOR_VERSION:
            events = [replace(event, found=NOTHING_FOUND) for event in events]  # an older one knew none of the cues
        session = uow.ingest(store_id).append([(session, events)], detector_version)[0]
        if is_new:
            uow.activity.record(store_id, sessions=1)
        return session


def _event(number: int, kind: EventKind, text: str, at: datetime) -> NewEvent:
    is_users = kind in {EventKind.USER, EventKind.LOG}
    cues = tuple(
        CueSpan(kind=str(cue.kind), start=cue.start, end=cue.end, strength=cue.strength, rule=cue.rule)
        for cue in (find_cues(text) if is_users else ())
    )
    return NewEvent(
        event_id=f"e{number}",
        kind=kind,
        role="user" if is_users else "assistant",
        text=text,
        at=at + timedelta(minutes=number),
        found=Findings(cues=cues, terms=find_terms(text) if is_users else ()),
    )


def get_session(ports: Ports, tenant: str, session_id: str, store: str = DEFAULT_STORE) -> Session:
    store_id = a_store(ports, tenant, store).id
    with ports.db.transaction(tenant) as uow:
        return uow.sessions(store_id).get(session_id)
