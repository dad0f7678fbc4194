"""Sessions of all of a tenant's stores in PostgreSQL, with their records."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select, text, update

from shared.adapters.postgres.sessions.gather import event_from
from shared.adapters.postgres.sessions.rows import EVENTS, SESSIONS, session_from
from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.tables.mapping import STORES, Row
from shared.core.errors import NotFoundError
from shared.core.listings.records import SessionRecord
from shared.core.sessions.model import SessionEvent
from shared.ports.api_lists import Place, SessionFilter, TimeSpan

#: Always true; the partial index ix_sessions_created serves only queries that name it.
_MADE_AT_ALL = text("sessions.created_at > '-infinity'")

#: What the host said of the agent; the columns after it stand in where it said nothing.
_AGENT = SESSIONS.c.details["agent"]


class PostgresSessionListing:
    """Implements `SessionListing`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._mine: ColumnElement[bool] = SESSIONS.c.tenant_id == tenant_id

    def get(self, session_id: str) -> SessionRecord:
        """Return a session."""
        row = self._connection.execute(self._select().where(SESSIONS.c.id == session_id)).mappings().first()
        if row is None:
            msg = f"There is no session {session_id!r}"
            raise NotFoundError(msg)
        return _record_from(row)

    def find_known(self, session_ids: Collection[str]) -> set[str]:
        """Return which of these ids are sessions of the tenant."""
        query = select(SESSIONS.c.id).where(self._mine, SESSIONS.c.id.in_(list(session_ids)))
        return set(self._connection.execute(query).scalars())

    def find_page(
        self, wanted: SessionFilter, *, behind: Place | None, is_ascending: bool, limit: int
    ) -> list[SessionRecord]:
        """Return sessions by the time at which they were made."""
        query = self._select().where(_MADE_AT_ALL, *within(SESSIONS.c.created_at, wanted.span))
        if wanted.store_id is not None:
            query = query.where(SESSIONS.c.store_id == wanted.store_id)
        if not wanted.with_archived:
            query = query.where(SESSIONS.c.archived_at.is_(None))
        if wanted.is_current is not None:
            query = query.where(SESSIONS.c.is_current == wanted.is_current)
        if wanted.agent_id is not None:
            query = query.where(func.coalesce(_AGENT["id"].astext, SESSIONS.c.source) == wanted.agent_id)
        if wanted.agent_version is not None:
            query = query.where(func.coalesce(_AGENT["version"].astext, "1") == str(wanted.agent_version))
        order = (SESSIONS.c.created_at, SESSIONS.c.id)
        rows = self._connection.execute(paged(query, order, behind, limit, is_ascending=is_ascending)).mappings()
        return [_record_from(row) for row in rows]

    def save(self, record: SessionRecord) -> None:
        """Write title, details and when it was archived."""
        values = {
            "title": record.session.title,
            "details": record.details,
            "changed_at": func.now(),
            "archived_at": record.archived_at,
        }
        self._connection.execute(update(SESSIONS).where(self._mine, SESSIONS.c.id == record.session.id).values(values))

    def find_events(
        self, session_id: str, span: TimeSpan, *, behind: int | None, is_ascending: bool, limit: int
    ) -> list[SessionEvent]:
        """Return events by position; one without a time is in no span."""
        columns = [EVENTS.c[name] for name in ("session_id", "event_id", "position", "at", "kind", "role", "text")]
        query = select(*columns, EVENTS.c.is_masked).join(SESSIONS, SESSIONS.c.id == EVENTS.c.session_id)
        query = query.where(self._mine, EVENTS.c.session_id == session_id, *within(EVENTS.c.at, span))
        place = None if behind is None else (behind,)
        rows = self._connection.execute(paged(query, (EVENTS.c.position,), place, limit, is_ascending=is_ascending))
        return [event_from(row) for row in rows.mappings()]

    def _select(self) -> Select[Any]:
        joined = SESSIONS.join(STORES, STORES.c.id == SESSIONS.c.store_id)
        return select(SESSIONS, STORES.c.name.label("store")).select_from(joined).where(self._mine)


def _record_from(row: Row) -> SessionRecord:
    return SessionRecord(
        session=session_from(row),
        store_id=row["store_id"],
        store=row["store"],
        details=row["details"],
        changed_at=row["changed_at"] or row["last_event_at"] or row["created_at"],
        archived_at=row["archived_at"],
    )
