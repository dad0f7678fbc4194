"""Read what was said in the newest sessions of a store: the questions that its users asked are drawn from it."""

from collections.abc import Iterator

from shared.core.evaluation.probes import Turn
from shared.core.sessions.model import EventKind, Window
from shared.ports.database import UnitOfWork

_EVENT_CHARS = 4_000
_SPOKEN = (EventKind.USER, EventKind.ASSISTANT)


def find_turns(uow: UnitOfWork, store_id: str, *, sessions: int, events: int) -> Iterator[Turn]:
    """Yield what users and agents said in so many of the newest sessions, the last `events` of each, session by session."""
    newest = uow.sessions(store_id).find_recent(sessions)
    windows = [
        Window(session_id=one.id, after=max(0, one.last_position - events), upto=one.last_position) for one in newest
    ]
    for found in uow.gathering(store_id).find_windows(windows, max_chars=_EVENT_CHARS, kinds=_SPOKEN):
        for event in found:
            yield Turn(session=event.session_id, speaker=event.role, text=event.text)
