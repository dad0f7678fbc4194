"""Sessions of one store in PostgreSQL, as hosts begin and end them and people list them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, SQLColumnExpression, Text, and_, cast, func, or_, select, update
from sqlmodel import col

from shared.adapters.postgres.memories.hidden import Hidden
from shared.adapters.postgres.sessions.ingest import PostgresIngestRepository
from shared.adapters.postgres.sessions.rows import session_from
from shared.adapters.postgres.sql.statements import execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow
from shared.adapters.postgres.tables.sessions import SessionEventRow, SessionRow
from shared.adapters.postgres.tables.steps import PhaseRunRow
from shared.core.errors import NotFoundError
from shared.core.sessions.model import EventKind, Session
from shared.ports.sessions import Refused, SessionFilter, SessionPlace


class PostgresSessionRepository:
    """Implements `SessionRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str, hidden: Hidden | None = None) -> None:
        self._connection = connection
        self._hidden = hidden
        self._tenant_id, self._store_id = tenant_id, store_id
        self._mine = (col(SessionRow.tenant_id) == tenant_id) & (col(SessionRow.store_id) == store_id)

    def ensure(self, external_id: str, *, source: str) -> tuple[Session, bool]:
        """Return a session by the id its source gave it, its row held, and whether it is new."""
        repository = PostgresIngestRepository(self._connection, self._tenant_id, self._store_id)
        return repository.ensure({external_id: source})[external_id]

    def set_current(self, session_ids: Sequence[str], *, is_current: bool) -> None:
        """Record whether sessions are still going on."""
        statement = update(SessionRow).where(self._mine, col(SessionRow.id).in_(session_ids))
        execute(self._connection, statement.values(is_current=is_current))

    def get(self, session_id: str) -> Session:
        """Return a session by its id or its source's id. Raises NotFoundError."""
        named = (col(SessionRow.id) == session_id) | (col(SessionRow.external_id) == session_id)
        query = select(SessionRow).where(self._mine, named).order_by(col(SessionRow.id) != session_id).limit(1)
        row = fetch_one(self._connection, query)
        if row is None:
            msg = f"There is no session {session_id!r} in this store; `slowwave sessions list` lists them"
            raise NotFoundError(msg)
        return session_from(row, self._hidden)

    def find_recent(
        self, limit: int, start_after: SessionPlace | None = None, only: SessionFilter | None = None
    ) -> list[Session]:
        """Return sessions, the one with the newest event first."""
        order = (col(SessionRow.last_event_at).desc().nulls_last(), col(SessionRow.id).desc())
        query = select(SessionRow).where(self._mine, *_wanted(only)).order_by(*order).limit(limit)
        if start_after is not None:
            query = query.where(_is_after(*start_after))
        return [session_from(row, self._hidden) for row in fetch(self._connection, query)]

    def note_hidden(self, session_id: str) -> str:
        """Return the sentence about the events of a session that the transaction does not show; empty for none."""
        of_session = (col(SessionEventRow.tenant_id) == self._tenant_id, col(SessionEventRow.session_id) == session_id)
        return "" if self._hidden is None else self._hidden.note(SessionEventRow, of_session, ("event", "events"))

    def find_sources(self, limit: int) -> list[str]:
        """Return the formats and hosts that the store's sessions came from, by name."""
        source = col(SessionRow.source)
        rows = fetch_tuples(self._connection, select(source).where(self._mine).distinct().order_by(source).limit(limit))
        return [name for (name,) in rows]

    def find_refused(self, session: Session, phases: Collection[str], limit: int) -> dict[str, list[Refused]]:
        """Return, by dream, the statements about a session that were refused."""
        query = (
            select(col(PhaseRunRow.dream_id), col(PhaseRunRow.plan)["plan"]["skips"])
            .join(DreamRow, col(DreamRow.id) == col(PhaseRunRow.dream_id))
            .where(
                col(DreamRow.tenant_id) == self._tenant_id,
                col(DreamRow.store_id) == self._store_id,
                col(DreamRow.created_at) >= session.created_at,
                col(PhaseRunRow.phase).in_(phases),
                func.strpos(cast(col(PhaseRunRow.plan), Text), session.id) > 0,
            )
            .order_by(col(DreamRow.created_at).desc())
            .limit(limit)
        )
        if session.consumed_at is not None:
            query = query.where(col(DreamRow.created_at) <= session.consumed_at)
        rows = fetch_tuples(self._connection, query)
        found: dict[str, list[Refused]] = {}
        for dream_id, skips in rows:
            found.setdefault(dream_id, []).extend(_refused_in(skips, session.id))
        return found

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


def _refused_in(skips: Sequence[Mapping[str, str]] | None, session_id: str) -> Iterator[Refused]:
    for skip in skips or ():
        place = skip.get("said_in", "")
        if place.startswith(f"{session_id}#"):
            yield Refused(skip["code"], skip["detail"], place)


def _wanted(only: SessionFilter | None) -> list[SQLColumnExpression[bool]]:
    """Return the conditions of a filter."""
    if only is None:
        return []
    is_read = col(SessionRow.gathered_position) >= col(SessionRow.last_position)
    states = {
        "current": col(SessionRow.is_current),
        "waiting": ~col(SessionRow.is_current) & ~is_read,
        "read": ~col(SessionRow.is_current) & is_read,
    }
    found: list[SQLColumnExpression[bool]] = [states[only.state]] if only.state in states else []
    if only.source:
        found.append(col(SessionRow.source) == only.source)
    if only.since is not None:
        found.append(col(SessionRow.last_event_at) >= only.since)
    if only.until is not None:
        found.append(col(SessionRow.last_event_at) < only.until)
    return found


def _is_after(at: datetime | None, session_id: str) -> ColumnElement[bool]:
    here, is_later_id = col(SessionRow.last_event_at), col(SessionRow.id) < session_id
    if at is None:
        return and_(here.is_(None), is_later_id)
    return or_(here < at, and_(here == at, is_later_id), here.is_(None))
