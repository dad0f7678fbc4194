"""Sessions that were chosen for one dream, of any stores of the tenant: read whole, and no cursor moves."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, true
from sqlmodel import col

from shared.adapters.postgres.sessions.gather import PostgresGatherRepository
from shared.adapters.postgres.sessions.rows import session_from
from shared.adapters.postgres.sessions.said import OF_CHOSEN, said_query, themes_query
from shared.adapters.postgres.sql.statements import fetch
from shared.adapters.postgres.tables.sessions import SessionRow
from shared.core.sessions.model import Session, Window

_THEMES, _SAID = themes_query(OF_CHOSEN, only_new=False), said_query(OF_CHOSEN)


class PostgresChosenSessions(PostgresGatherRepository):
    """Implements `GatherRepository` over a list of sessions."""

    def __init__(self, connection: Connection, tenant_id: str, session_ids: Sequence[str]) -> None:
        super().__init__(connection, tenant_id, "")
        self._keys = {"tenant": tenant_id, "session_ids": list(session_ids)}
        self._mine = (col(SessionRow.tenant_id) == tenant_id) & col(SessionRow.id).in_(list(session_ids))
        self._is_new = true()
        self._waiting = self._mine & (col(SessionRow.last_position) > 0)
        self._themes = _THEMES
        self._said = _SAID

    def find_ungathered(self, limit: int, *, with_current: bool = True) -> list[Session]:
        """Return the chosen sessions as if no dream had read them, including current ones."""
        del with_current  # they were named one by one
        order = (col(SessionRow.last_event_at).asc().nulls_first(), col(SessionRow.id))
        rows = fetch(self._connection, select(SessionRow).where(self._waiting).order_by(*order).limit(limit))
        return [replace(session_from(row), gathered_position=0) for row in rows]

    def advance(self, windows: Sequence[Window]) -> None:
        """Do nothing: the dreams of the sessions' own stores keep their cursors."""

    def restore(self, windows: Sequence[Window]) -> None:
        """Do nothing: no cursor was moved."""
