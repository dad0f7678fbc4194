"""Sessions as JSON."""

from datetime import datetime

from pydantic import BaseModel, Field

from shared.core.session import EventKind, Session, SessionEvent


class SessionOut(BaseModel):
    """One conversation."""

    id: str
    external_id: str
    source: str
    title: str
    started_at: datetime | None
    last_event_at: datetime | None
    event_count: int
    masked_count: int = Field(description="Events in which something looked like a key and was masked.")
    is_current: bool
    waiting: int = Field(description="Events that no dream has gathered yet.")


def session_out(session: Session) -> SessionOut:
    """Return a session as JSON."""
    return SessionOut(**{name: getattr(session, name) for name in SessionOut.model_fields})


class EventOut(BaseModel):
    """One event of a session."""

    event_id: str = Field(description="The source's own id.")
    position: int = Field(description="Counts from 1, in the order in which events came.")
    kind: EventKind
    role: str
    text: str
    cut: bool = Field(description="There is more of the text than is shown.")
    masked: bool = Field(description="Something in it looked like a key and was masked.")
    at: datetime | None


def event_out(event: SessionEvent, max_chars: int) -> EventOut:
    """Return an event as JSON, of its text the first `max_chars` characters."""
    return EventOut(
        event_id=event.event_id,
        position=event.position,
        kind=event.kind,
        role=event.role,
        text=event.text[:max_chars],
        cut=len(event.text) > max_chars,
        masked=event.is_masked,
        at=event.at,
    )
