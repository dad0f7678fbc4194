"""Sessions of one store in PostgreSQL, as hosts begin and end them and people list them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update

from shared.adapters.postgres.sessions.ingest import PostgresIngestRepository
from shared.adapters.postgres.sessions.rows import EVENTS, SESSIONS, session_from
from shared.core.errors import NotFoundError
from shared.core.sessions.model import EventKind, Session
from shared.ports.sessions import SessionPlace


class PostgresSessionRepository:
    """Implements `SessionRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._tenant_id, self._store_id = tenant_id, store_id
        self._mine = (SESSIONS.c.tenant_id == tenant_id) & (SESSIONS.c.store_id == store_id)

    def ensure(self, external_id: str, *, source: str) -> tuple[Session, bool]:
        """Return a session by the id its source gave it, its row held, and whether it is new."""
        repository = PostgresIngestRepository(self._connection, self._tenant_id, self._store_id)
        return repository.ensure({external_id: source})[external_id]

    def set_current(self, session_ids: Sequence[str], *, is_current: bool) -> None:
        """Say whether sessions are still being lived."""
        statement = update(SESSIONS).where(self._mine, SESSIONS.c.id.in_(session_ids))
        self._connection.execute(statement.values(is_current=is_current))

    def get(self, session_id: str) -> Session:
        """Return a session by its own or its source's id. Raises NotFoundError."""
        named = (SESSIONS.c.id == session_id) | (SESSIONS.c.external_id == session_id)
        query = select(SESSIONS).where(self._mine, named).order_by(SESSIONS.c.id != session_id).limit(1)
        row = self._connection.execute(query).mappings().first()
        if row is None:
            msg = f"There is no session {session_id!r} in this store; `slowwave sessions list` names those there are"
            raise NotFoundError(msg)
        return session_from(row)

    def find_recent(self, limit: int, behind: SessionPlace | None = None) -> list[Session]:
        """Return sessions, the one with the newest event first."""
        order = (SESSIONS.c.last_event_at.desc().nulls_last(), SESSIONS.c.id.desc())
        query = select(SESSIONS).where(self._mine).order_by(*order).limit(limit)
        if behind is not None:
            query = query.where(_is_behind(*behind))
        return [session_from(row) for row in self._connection.execute(query).mappings()]

    def count_kinds(self, session_id: str) -> dict[EventKind, int]:
        """Return how many events of each kind a session has."""
        query = (
            select(EVENTS.c.kind, func.count())
            .join(SESSIONS, SESSIONS.c.id == EVENTS.c.session_id)
            .where(self._mine, EVENTS.c.session_id == session_id)
            .group_by(EVENTS.c.kind)
            .order_by(func.count().desc(), EVENTS.c.kind)
        )
        return {EventKind(row[0]): row[1] for row in self._connection.execute(query)}

    def count_waiting(self) -> int:
        """Return how many ended sessions have events that no dream has gathered."""
        waiting = (SESSIONS.c.gathered_position < SESSIONS.c.last_position) & ~SESSIONS.c.is_current
        query = select(func.count()).select_from(SESSIONS).where(self._mine, waiting)
        return self._connection.execute(query).scalar_one()


def _is_behind(at: datetime | None, session_id: str) -> ColumnElement[bool]:
    here, is_later_id = SESSIONS.c.last_event_at, SESSIONS.c.id < session_id
    if at is None:
        return and_(here.is_(None), is_later_id)
    return or_(here < at, and_(here == at, is_later_id), here.is_(None))
