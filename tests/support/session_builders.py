"""Sessions for tests: what a user and an assistant said, as an importer would store it."""

from datetime import UTC, datetime, timedelta

from shared.all_ports import Ports
from shared.core.sessions.cues import DETECTOR_VERSION
from shared.core.sessions.model import EventKind, NewEvent, SearchedWindow, Session
from shared.core.sessions.origin import find_origin
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
    """Append events to a session, a minute apart; a plain text is the user's. Counts one session of activity.

    An older detector than today's has looked at them already, and knew none of the cues.
    """
    store_id = a_store(ports, tenant, store).id
    with ports.db.transaction(tenant) as uow:
        repository = uow.sessions(store_id)
        session, is_new = repository.ensure(session_id, source="plain")
        events = [
            _event(session.last_position + number, *(line if isinstance(line, tuple) else (EventKind.USER, line)), at)
            for number, line in enumerate(lines, 1)
        ]
        session = uow.ingest(store_id).append([(session, events)])[0]
        if detector_version != DETECTOR_VERSION:
            looked = SearchedWindow(session=session, after=0, upto=session.last_position, found={})
            uow.ingest(store_id).record_findings([looked], detector_version)
        if is_new:
            uow.activity.record(store_id, sessions=1)
        return session


def _event(number: int, kind: EventKind, text: str, at: datetime) -> NewEvent:
    is_users = kind in {EventKind.USER, EventKind.LOG}
    found = find_origin(kind, text)
    return NewEvent(
        event_id=f"e{number}",
        kind=kind,
        role="user" if is_users else "assistant",
        origin=found.origin,
        text=found.words,
        at=at + timedelta(minutes=number),
    )


def get_session(ports: Ports, tenant: str, session_id: str, store: str = DEFAULT_STORE) -> Session:
    store_id = a_store(ports, tenant, store).id
    with ports.db.transaction(tenant) as uow:
        return uow.sessions(store_id).get(session_id)
