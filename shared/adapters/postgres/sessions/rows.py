"""Rows of sessions: their tables, and the values that they stand for."""

from shared.adapters.postgres.tables.mapping import Row, table
from shared.adapters.postgres.tables.sessions import SessionCueRow, SessionEventRow, SessionRow, SessionTermsRow
from shared.core.sessions.model import Session

SESSIONS, EVENTS = table(SessionRow), table(SessionEventRow)
CUES, TERMS = table(SessionCueRow), table(SessionTermsRow)
_PLAIN = (
    "id", "store_id", "external_id", "source", "title", "started_at", "last_event_at", "event_count",
    "masked_count", "skipped_count", "malformed_count", "is_current", "last_position", "gathered_position",
    "detector_version", "consumed_at", "created_at",
)  # fmt: skip
#: What `session_from` reads, for a statement that is written out.
SESSION_COLUMNS = ", ".join(f"sessions.{name}" for name in _PLAIN)


def session_from(row: Row) -> Session:
    """Return a session from its row."""
    return Session(**{name: row[name] for name in _PLAIN})
