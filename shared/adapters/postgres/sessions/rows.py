"""Rows of sessions, and the values that they stand for."""

from shared.adapters.postgres.memories.hidden import Hidden
from shared.adapters.postgres.sql.statements import Row
from shared.core.sessions.model import Session

_PLAIN = (
    "id", "store_id", "external_id", "source", "title", "started_at", "last_event_at", "event_count",
    "masked_count", "skipped_count", "malformed_count", "is_current", "last_position", "gathered_position",
    "detector_version", "searched_position", "consumed_at", "created_at",
)  # fmt: skip


def session_from(row: Row, hidden: Hidden | None = None) -> Session:
    """Return a session from its row, without its title if anything is hidden: a title may quote an event."""
    details = row.get("details") or {}
    labels = details.get("metadata") or {}
    plain = {name: row[name] for name in _PLAIN}
    if hidden is not None and hidden.hides:
        plain["title"] = ""
    return Session(**plain, project=str(details.get("project", "")), labels=labels)
