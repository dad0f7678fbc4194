"""Sessions of all of a tenant's stores in PostgreSQL, with their records."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, literal_column, or_, select, update
from sqlmodel import col

from shared.adapters.postgres.memories.hidden import Hidden
from shared.adapters.postgres.sessions.gather import event_from
from shared.adapters.postgres.sessions.rows import session_from
from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.sql.statements import execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.mapping import Row
from shared.adapters.postgres.tables.sessions import SessionEventRow, SessionRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.errors import NotFoundError
from shared.core.listings.records import SessionRecord
from shared.core.sessions.model import SessionEvent
from shared.ports.api_lists import Place, SessionFilter, TimeSpan

#: Always true; the partial index ix_sessions_created serves only queries that name it.
_MADE_AT_ALL = col(SessionRow.created_at) > literal_column("'-infinity'")

#: The host's description of the agent; the columns after it are the fallbacks.
_AGENT = col(SessionRow.details)["agent"]


class PostgresSessionListing:
    """Implements `SessionListing`."""

    def __init__(self, connection: Connection, tenant_id: str, hidden: Hidden | None = None) -> None:
        self._connection = connection
        self._hidden = hidden
        self._mine: ColumnElement[bool] = col(SessionRow.tenant_id) == tenant_id

    def get(self, session_id: str) -> SessionRecord:
        """Return a session."""
        row = fetch_one(self._connection, self._select().where(col(SessionRow.id) == session_id))
        if row is None:
            msg = f"There is no session {session_id!r}"
            raise NotFoundError(msg)
        return _record_from(row, self._hidden)

    def find_known(self, session_ids: Collection[str]) -> set[str]:
        """Return which of these ids are sessions of the tenant."""
        query = select(col(SessionRow.id)).where(self._mine, col(SessionRow.id).in_(list(session_ids)))
        return {session_id for (session_id,) in fetch_tuples(self._connection, query)}

    def find_projects(self, session_ids: Collection[str]) -> dict[str, str]:
        """Return the projects of sessions."""
        project = col(SessionRow.details)["project"].astext
        query = select(col(SessionRow.id), project).where(
            self._mine, col(SessionRow.id).in_(list(session_ids)), project.is_not(None)
        )
        return dict(fetch_tuples(self._connection, query))

    def find_page(
        self, wanted: SessionFilter, *, start_after: Place | None, is_ascending: bool, limit: int
    ) -> list[SessionRecord]:
        """Return sessions by the time at which they were made."""
        query = self._select().where(_MADE_AT_ALL, *within(col(SessionRow.created_at), wanted.span))
        if wanted.store_id is not None:
            query = query.where(_is_of(wanted.store_id))
        if not wanted.with_archived:
            query = query.where(col(SessionRow.archived_at).is_(None))
        if wanted.is_current is not None:
            query = query.where(col(SessionRow.is_current) == wanted.is_current)
        if wanted.agent_id is not None:
            query = query.where(func.coalesce(_AGENT["id"].astext, col(SessionRow.source)) == wanted.agent_id)
        if wanted.agent_version is not None:
            query = query.where(func.coalesce(_AGENT["version"].astext, "1") == str(wanted.agent_version))
        order = (col(SessionRow.created_at), col(SessionRow.id))
        rows = fetch(self._connection, paged(query, order, start_after, limit, is_ascending=is_ascending))
        return [_record_from(row, self._hidden) for row in rows]

    def save(self, record: SessionRecord) -> None:
        """Save title, details and the time of archiving."""
        values = {
            "title": record.session.title,
            "details": record.details,
            "changed_at": func.now(),
            "archived_at": record.archived_at,
        }
        execute(
            self._connection,
            update(SessionRow).where(self._mine, col(SessionRow.id) == record.session.id).values(values),
        )

    def find_events(
        self, session_id: str, span: TimeSpan, *, start_after: int | None, is_ascending: bool, limit: int
    ) -> list[SessionEvent]:
        """Return events by position; one without a time is in no span."""
        columns = [
            col(getattr(SessionEventRow, name))
            for name in (
                "session_id",
                "event_id",
                "position",
                "at",
                "kind",
                "role",
                "origin",
                "text",
                "as_sent",
                "details",
            )
        ]
        query = select(*columns, col(SessionEventRow.is_masked)).join(
            SessionRow, col(SessionRow.id) == col(SessionEventRow.session_id)
        )
        query = query.where(
            self._mine, col(SessionEventRow.session_id) == session_id, *within(col(SessionEventRow.at), span)
        )
        place = None if start_after is None else (start_after,)
        page = paged(query, (col(SessionEventRow.position),), place, limit, is_ascending=is_ascending)
        return [event_from(row) for row in fetch(self._connection, page)]

    def _select(self) -> Select[*tuple[Any, ...]]:
        query: Select[*tuple[Any, ...]] = select(SessionRow, col(StoreRow.name).label("store")).select_from(SessionRow)
        return query.join(StoreRow, col(StoreRow.id) == col(SessionRow.store_id)).where(self._mine)


def _is_of(store_id: str) -> ColumnElement[bool]:
    """Return the condition that a session belongs to a store, or that its host has named that store for it."""
    named = col(SessionRow.details).contains({"resources": [{"type": "memory_store", "memory_store_id": store_id}]})
    return or_(col(SessionRow.store_id) == store_id, named)


def _record_from(row: Row, hidden: Hidden | None) -> SessionRecord:
    return SessionRecord(
        session=session_from(row, hidden),
        store_id=row["store_id"],
        store=row["store"],
        details=row["details"],
        changed_at=row["changed_at"] or row["last_event_at"] or row["created_at"],
        archived_at=row["archived_at"],
    )
