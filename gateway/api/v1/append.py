"""Append the events of a request to a session, with new ids and masked secrets."""

from collections.abc import Sequence
from datetime import datetime

from gateway.api.http.auth import Caller
from gateway.api.resources.sessions import import_target
from gateway.api.v1.shapes.events import EventIn, found_event
from shared.core.errors import BadInputError
from shared.core.listings.records import SessionRecord
from shared.core.sessions.model import SessionEvent
from shared.ports.api_lists import TimeSpan
from shared.services.sessions.api import find_session_events
from shared.services.sessions.live import append_events


def append(caller: Caller, record: SessionRecord, events: Sequence[EventIn], now: datetime) -> list[SessionEvent]:
    """Append events and return them as they are stored. Raises BadInputError for an archived session."""
    if record.archived_at is not None:
        raise BadInputError("This session is archived; no events can be added to it")
    ports = caller.ports
    found = [found_event(event, ports.ids.new("sevt"), line, now) for line, event in enumerate(events, 1)]
    target = import_target(record.store, caller, is_current=record.session.is_current)
    before = record.session.last_position
    append_events(ports.db, target, record.session.id, found)
    stored = find_session_events(
        ports.db,
        caller.tenant_id,
        record.session.id,
        TimeSpan(),
        start_after=before,
        is_ascending=True,
        limit=len(found) + 1_000,
    )
    mine = {event.event_id for event in found}
    return [event for event in stored if event.event_id in mine]
