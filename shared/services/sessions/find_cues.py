"""Find the cues in events that no detector has looked at, before a dream reads them.

This does not happen when an event is appended, since it takes up to 90 ms per event and the API has one interpreter for all
tenants. A dream's worker does it instead, in batches of one short transaction each, so a crash loses at most one batch and a
long backlog is spread over several dreams. The progress is stored in the sessions' rows together with the cues.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from shared.core.sessions.cues import DETECTOR_VERSION
from shared.core.sessions.excerpts import SHOWN
from shared.core.sessions.findings import find_in_event, searched_upto
from shared.core.sessions.model import NOTHING_FOUND, Findings, SearchedWindow, Session, SessionEvent, Window
from shared.core.sessions.transcript import MAX_SPOKEN_CHARS
from shared.ports.database import Database, UnitOfWork

#: One dream reads at most this many sessions; the rest wait for the next dream.
MAX_SESSIONS = 2_000
_BATCH_EVENTS = 100
#: The rules read the first 8,000 and the last 4,000 characters of a text (`shared.core.sessions.cues`).
_CHARS_OF_AN_EVENT = 12_000
#: For one dream. Half a second for what people type, half a minute for texts that are made to be slow.
_MAX_CHARS = 6_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScope:
    """The sessions whose events are searched: those chosen for a dream, or all waiting sessions of a store."""

    tenant_id: str
    store_id: str
    session_ids: Sequence[str] | None = None


def has_unsearched(uow: UnitOfWork, scope: SearchScope) -> bool:
    """Tell whether sessions that a dream may read have events that today's detector has not looked at."""
    return any(searched_upto(session) < session.last_position for session in _find_sessions(uow, scope))


def find_new_cues(
    db: Database, scope: SearchScope, goes_on: Callable[[], bool] = lambda: True, max_chars: int = _MAX_CHARS
) -> int:
    """Store the cues and terms of unsearched events, the longest waiting session first; return the number of events.

    Args:
        db: the database.
        scope: the sessions to search.
        goes_on: returns between two batches whether to continue.
        max_chars: the number of searched characters after which no further batch begins; at least one batch is searched.
    """
    events, chars = 0, 0
    with db.transaction(scope.tenant_id) as uow:
        sessions = _find_sessions(uow, scope)
    for batch in _cut(sessions):
        if chars >= max_chars or not goes_on():
            break
        with db.transaction(scope.tenant_id) as uow:
            windows = [window for _, window in batch]
            repository = uow.gathering(scope.store_id, scope.session_ids)
            found = repository.find_windows(windows, max_chars=MAX_SPOKEN_CHARS, kinds=SHOWN)
        searched = [_search(*one, said) for one, said in zip(batch, found, strict=True)]
        _store(db, scope.tenant_id, searched)
        events += sum(len(said) for said in found)
        chars += sum(min(len(event.text), _CHARS_OF_AN_EVENT) for said in found for event in said)
    return events


def _find_sessions(uow: UnitOfWork, scope: SearchScope) -> list[Session]:
    return uow.gathering(scope.store_id, scope.session_ids).find_ungathered(MAX_SESSIONS)


_Piece = tuple[Session, Window]


def _cut(sessions: Sequence[Session]) -> Iterator[list[_Piece]]:
    """Yield the events to search in batches with at most one part of each session."""
    batch: list[_Piece] = []
    room = _BATCH_EVENTS
    for waiting in sessions:
        session, after = waiting, searched_upto(waiting)
        while after < session.last_position:
            upto = min(session.last_position, after + room)
            batch.append((session, Window(session_id=session.id, after=after, upto=upto)))
            room -= upto - after
            after = upto
            if room <= 0:
                yield batch
                batch, room = [], _BATCH_EVENTS
                # As the batch leaves it: what was found is only stored in a session that is as it was read.
                session = replace(session, searched_position=upto, detector_version=DETECTOR_VERSION)
    if batch:
        yield batch


def _search(session: Session, window: Window, events: Sequence[SessionEvent]) -> SearchedWindow:
    found: dict[int, Findings] = {
        event.position: find_in_event(event.kind, event.text, event.origin) for event in events
    }
    some = {position: one for position, one in found.items() if one != NOTHING_FOUND}
    return SearchedWindow(session=session, after=window.after, upto=window.upto, found=some)


def _store(db: Database, tenant_id: str, searched: Sequence[SearchedWindow]) -> None:
    """Write what was found; chosen sessions may be of several stores."""
    with db.transaction(tenant_id) as uow:
        for store_id in sorted({one.session.store_id for one in searched}):
            mine = [one for one in searched if one.session.store_id == store_id]
            uow.ingest(store_id).record_findings(mine, DETECTOR_VERSION)
