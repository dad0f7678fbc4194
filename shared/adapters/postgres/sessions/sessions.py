"""Sessions of one store in PostgreSQL, as hosts begin and end them and people list them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update
from sqlmodel import col

from shared.adapters.postgres.sessions.ingest import PostgresIngestRepository
from shared.adapters.postgres.sessions.rows import session_from
from shared.adapters.postgres.sql.statements import execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.sessions import SessionEventRow, SessionRow
from shared.core.errors import NotFoundError
from shared.core.sessions.model import EventKind, Session
from shared.ports.sessions import SessionPlace


class PostgresSessionRepository:
    """Implements `SessionRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._tenant_id, self._store_id = tenant_id, store_id
        self._mine = (col(SessionRow.tenant_id) == tenant_id) & (col(SessionRow.store_id) == store_id)

    def ensure(self, external_id: str, *, source: str) -> tuple[Session, bool]:
        """Return a session by the id its source gave it, its row held, and whether it is new."""
        repository = PostgresIngestRepository(self._connection, self._tenant_id, self._store_id)
        return repository.ensure({external_id: source})[external_id]

    def set_current(self, session_ids: Sequence[str], *, is_current: bool) -> None:
        """Say whether sessions are still being lived."""
        statement = update(SessionRow).where(self._mine, col(SessionRow.id).in_(session_ids))
        execute(self._connection, statement.values(is_current=is_current))

    def get(self, session_id: str) -> Session:
        """Return a session by its own or its source's id. Raises NotFoundError."""
        named = (col(SessionRow.id) == session_id) | (col(SessionRow.external_id) == session_id)
        query = select(SessionRow).where(self._mine, named).order_by(col(SessionRow.id) != session_id).limit(1)
        row = fetch_one(self._connection, query)
        if row is None:
            msg = f"There is no session {session_id!r} in this store; `slowwave sessions list` names those there are"
            raise NotFoundError(msg)
        return session_from(row)

    def find_recent(self, limit: int, behind: SessionPlace | None = None) -> list[Session]:
        """Return sessions, the one with the newest event first."""
        order = (col(SessionRow.last_event_at).desc().nulls_last(), col(SessionRow.id).desc())
        query = select(SessionRow).where(self._mine).order_by(*order).limit(limit)
        if behind is not None:
            query = query.where(_is_behind(*behind))
        return [session_from(row) for row in fetch(self._connection, query)]

    def count_kinds(self, session_id: str) -> dict[EventKind, int]:
        """Return how many events of each kind a session has."""
        query = (
            select(col(SessionEventRow.kind), func.count())
            .join(SessionRow, col(SessionRow.id) == col(SessionEventRow.session_id))
            .where(self._mine, col(SessionEventRow.session_id) == session_id)
            .group_by(col(SessionEventRow.kind))
            .order_by(func.count().desc(), col(SessionEventRow.kind))
        )
        return {EventKind(kind): number for kind, number in fetch_tuples(self._connection, query)}

    def count_waiting(self) -> int:
        """Return how many ended sessions have events that no dream has gathered."""
        is_waiting = (col(SessionRow.gathered_position) < col(SessionRow.last_position)) & ~col(SessionRow.is_current)
        query = select(func.count()).select_from(SessionRow).where(self._mine, is_waiting)
        ((waiting,),) = fetch_tuples(self._connection, query)
        return int(waiting)


def _is_behind(at: datetime | None, session_id: str) -> ColumnElement[bool]:
    here, is_later_id = col(SessionRow.last_event_at), col(SessionRow.id) < session_id
    if at is None:
        return and_(here.is_(None), is_later_id)
    return or_(here < at, and_(here == at, is_later_id), here.is_(None))
