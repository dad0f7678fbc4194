"""Sessions that were chosen for one dream, of any stores of the tenant: read whole, and no cursor moves."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, true

from shared.adapters.postgres.sessions.gather import OF_CHOSEN, PostgresGatherRepository, said_query, themes_query
from shared.adapters.postgres.sessions.rows import SESSIONS, session_from
from shared.core.sessions.model import Session, Window


class PostgresChosenSessions(PostgresGatherRepository):
    """Implements `GatherRepository` over a list of sessions."""

    def __init__(self, connection: Connection, tenant_id: str, session_ids: Sequence[str]) -> None:
        super().__init__(connection, tenant_id, "")
        self._keys = {"tenant_id": tenant_id, "session_ids": list(session_ids)}
        self._mine = (SESSIONS.c.tenant_id == tenant_id) & SESSIONS.c.id.in_(list(session_ids))
        self._is_new = true()
        self._waiting = self._mine & (SESSIONS.c.last_position > 0)
        self._themes = themes_query(OF_CHOSEN)
        self._said = said_query(OF_CHOSEN[0])

    def find_ungathered(self, limit: int, *, with_current: bool = True) -> list[Session]:
        """Return the chosen sessions as if no dream had read them, also those that go on."""
        del with_current  # they were named one by one
        order = (SESSIONS.c.last_event_at.asc().nulls_first(), SESSIONS.c.id)
        rows = self._connection.execute(select(SESSIONS).where(self._waiting).order_by(*order).limit(limit)).mappings()
        return [replace(session_from(row), gathered_position=0) for row in rows]

    def advance(self, windows: Sequence[Window]) -> None:
        """Do nothing: the dreams of the sessions' own stores read them from where they were."""

    def restore(self, windows: Sequence[Window]) -> None:
        """Do nothing: no cursor was moved."""
