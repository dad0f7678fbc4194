"""Sessions as JSON."""

from datetime import datetime

from pydantic import BaseModel, Field

from shared.core.session import Session


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
