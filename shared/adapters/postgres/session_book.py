"""Sessions of one store in PostgreSQL, as importers write them."""

from collections.abc import Collection, Sequence
from datetime import datetime

import orjson
from sqlalchemy import ColumnElement, Connection, and_, any_, bindparam, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError
from sqlalchemy.types import Text
from ulid import ULID

from shared.adapters.postgres.mapping import Row, table
from shared.adapters.postgres.session_tables import SessionCueRow, SessionEventRow, SessionRow, SessionTermsRow
from shared.core.errors import ConflictError, NotFoundError
from shared.core.session import EventKind, Findings, NewEvent, Session
from shared.ports.session_book import SessionPlace

SESSIONS, EVENTS = table(SessionRow), table(SessionEventRow)
CUES, TERMS = table(SessionCueRow), table(SessionTermsRow)
_PLAIN = (
    "id", "store_id", "external_id", "source", "title", "started_at", "last_event_at", "event_count",
    "masked_count", "skipped_count", "malformed_count", "is_current", "last_position", "gathered_position",
    "detector_version", "consumed_at", "created_at",
)  # fmt: skip
#: The update changes nothing: it takes the row's lock and returns the row.
_ENSURE = text("""
    INSERT INTO sessions (id, tenant_id, store_id, external_id, source)
    VALUES (:id, :tenant_id, :store_id, :external_id, :source)
    ON CONFLICT (store_id, external_id) DO UPDATE SET external_id = excluded.external_id
    WHERE sessions.tenant_id = :tenant_id
    RETURNING *, xmax = 0 AS is_new
""")
_RECORD = text("""
    UPDATE sessions SET title = coalesce(nullif(title, ''), :title), skipped_count = greatest(skipped_count, :skipped),
      malformed_count = greatest(malformed_count, :malformed)
    WHERE id = :id AND tenant_id = :tenant_id AND store_id = :store_id
""")
#: Events, what was found in them, and what the session has then: one statement, for small sessions are many.
#: COPY is refused on tables with row-level security, and arrays take twice as long to put together as JSON does.
_APPEND = text("""
    WITH added AS (
      INSERT INTO session_events
        (session_id, tenant_id, event_id, position, at, kind, role, text, size_chars, is_masked)
      SELECT :session_id, :tenant_id, e.* FROM json_to_recordset(CAST(:events AS json)) AS e (event_id text,
        position int, at timestamptz, kind text, role text, text text, size_chars int, is_masked boolean)
    ), cues AS (
      INSERT INTO session_cues (session_id, tenant_id, detector_version,
        position, start_char, end_char, kind, rule, strength)
      SELECT :session_id, :tenant_id, :found_by,
        (c->>0)::int, (c->>1)::int, (c->>2)::int, c->>3, c->>4, (c->>5)::float
      FROM json_array_elements(CAST(:cues AS json)) AS c
    ), terms AS (
      INSERT INTO session_terms (session_id, tenant_id, detector_version, position, terms)
      SELECT :session_id, :tenant_id, :found_by, (t->>0)::int, ARRAY(SELECT json_array_elements_text(t->1))
      FROM json_array_elements(CAST(:terms AS json)) AS t
    )
    UPDATE sessions SET last_position = last_position + :added, event_count = event_count + :added,
      masked_count = masked_count + :masked, detector_version = :version,
      consumed_at = NULL, started_at = least(started_at, CAST(:first AS timestamptz)),
      last_event_at = greatest(last_event_at, CAST(:last AS timestamptz))
    WHERE id = :session_id AND tenant_id = :tenant_id AND store_id = :store_id RETURNING *
""")


def session_from(row: Row) -> Session:
    """Return a session from its row."""
    return Session(**{name: row[name] for name in _PLAIN})


class PostgresSessionBook:
    """Implements `SessionBook` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}
        self._mine = (SESSIONS.c.tenant_id == tenant_id) & (SESSIONS.c.store_id == store_id)

    def ensure(self, external_id: str, *, source: str) -> tuple[Session, bool]:
        """Return a session by the id its source gave it, its row held, and whether it is new."""
        values = {**self._keys, "id": f"sesn_{ULID()}", "external_id": external_id, "source": source}
        found = self._connection.execute(_ENSURE, values).mappings().first()
        if found is None:
            msg = "A session of another store cannot be written here"
            raise ConflictError(msg)
        return session_from(found), found["is_new"]

    def set_current(self, session_id: str, *, is_current: bool) -> None:
        """Say whether a session is still being lived."""
        statement = update(SESSIONS).where(self._mine, SESSIONS.c.id == session_id)
        self._connection.execute(statement.values(is_current=is_current))

    def find_known(self, session: Session, event_ids: Collection[str]) -> set[str]:
        """Return which of these event ids the session has already."""
        if not session.last_position:
            return set()
        wanted = bindparam("ids", list(event_ids), ARRAY(Text))
        query = select(EVENTS.c.event_id).where(EVENTS.c.session_id == session.id, EVENTS.c.event_id == any_(wanted))
        return set(self._connection.execute(query).scalars())

    def append(self, session: Session, events: Sequence[NewEvent], detector_version: int) -> Session:
        """Append events that are new with what was found in them. Raises ConflictError for one that is not."""
        if not events:
            return session
        numbered = list(enumerate(events, session.last_position + 1))
        # Events that wait with an older detector's cues keep the session on the list of those to look at again.
        version = min(session.detector_version, detector_version) if session.waiting else detector_version
        times = [event.at for event in events if event.at]
        values = {
            **self._keys,
            "session_id": session.id,
            "events": _json([_event_values(event, position) for position, event in numbered]),
            "cues": _json([row for position, event in numbered for row in _cue_rows(position, event.found)]),
            "terms": _json([(position, event.found.terms) for position, event in numbered if event.found.terms]),
            "found_by": detector_version,
            "added": len(events),
            "masked": sum(event.is_masked for event in events),
            "version": version,
            "first": min(times, default=None),
            "last": max(times, default=None),
        }
        try:
            grown = self._connection.execute(_APPEND, values).mappings().one()
        except IntegrityError as error:
            msg = f"Session {session.external_id!r} has one of these events already, or is no session of this tenant"
            raise ConflictError(msg) from error
        return session_from(grown)

    def record_import(self, session_id: str, *, title: str, skipped: int, malformed: int) -> None:
        """Keep a title where there is none, and the greater of the counts."""
        values = {**self._keys, "id": session_id, "title": title, "skipped": skipped, "malformed": malformed}
        self._connection.execute(_RECORD, values)

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


def _json(rows: Sequence[object]) -> str:
    return orjson.dumps(rows).decode()


def _cue_rows(position: int, found: Findings) -> list[tuple[object, ...]]:
    return [(position, cue.start, cue.end, cue.kind, cue.rule, cue.strength) for cue in found.cues]


def _event_values(event: NewEvent, position: int) -> dict[str, object]:
    return {
        "event_id": event.event_id,
        "position": position,
        "at": event.at,
        "kind": event.kind,
        "role": event.role,
        "text": event.text,
        "size_chars": event.size_chars or len(event.text),
        "is_masked": event.is_masked,
    }
