"""Many sessions of one store in PostgreSQL, as importers write them: every step is one statement for all of them.

COPY is refused on tables with row-level security, and arrays of texts take longer to put together than JSON does.
"""

from collections.abc import Collection, Mapping, Sequence

import orjson
import psycopg
from sqlalchemy import Connection
from ulid import ULID

from shared.adapters.postgres.sessions.rows import SESSION_COLUMNS, session_from
from shared.adapters.postgres.sql.statements import Prepared
from shared.core.errors import ConflictError
from shared.core.sessions.model import NewEvent, Session
from shared.ports.sessions import Addition, Margins

#: The update changes nothing: it takes the row's lock and returns the row. Rows come in the order of the arrays.
_ENSURE = Prepared(
    """
    INSERT INTO sessions (id, tenant_id, store_id, external_id, source)
    SELECT id, %(tenant_id)s, %(store_id)s, external_id, source
    FROM unnest(%(ids)s::text[], %(external_ids)s::text[], %(sources)s::text[]) AS n (id, external_id, source)
    ON CONFLICT (store_id, external_id) DO UPDATE SET external_id = excluded.external_id
    WHERE sessions.tenant_id = %(tenant_id)s
    RETURNING xmax = 0 AS is_new, """,
    SESSION_COLUMNS,
)
#: The limit keeps each look at the index of its own, whatever the planner knows of a table that is being filled.
_KNOWN = Prepared("""
    SELECT session_id, event_id FROM unnest(%(sessions)s::text[], %(events)s::text[]) AS w (session_id, event_id)
    WHERE EXISTS (
      SELECT 1 FROM session_events e WHERE e.session_id = w.session_id AND e.event_id = w.event_id OFFSET 0 LIMIT 1)
""")
#: Events, what was found in them, and what the sessions have then.
_APPEND = Prepared(
    """
    WITH added AS (
      INSERT INTO session_events
        (tenant_id, session_id, event_id, position, at, kind, role, text, size_chars, is_masked)
      SELECT %(tenant_id)s, e.* FROM json_to_recordset(%(events)s::json) AS e (session_id text, event_id text,
        position int, at timestamptz, kind text, role text, text text, size_chars int, is_masked boolean)
    ), cues AS (
      INSERT INTO session_cues (tenant_id, detector_version,
        session_id, position, start_char, end_char, kind, rule, strength)
      SELECT %(tenant_id)s, %(found_by)s,
        c->>0, (c->>1)::int, (c->>2)::int, (c->>3)::int, c->>4, c->>5, (c->>6)::float
      FROM json_array_elements(%(cues)s::json) AS c
    ), terms AS (
      INSERT INTO session_terms (tenant_id, detector_version, session_id, position, terms)
      SELECT %(tenant_id)s, %(found_by)s, t->>0, (t->>1)::int, ARRAY(SELECT json_array_elements_text(t->2))
      FROM json_array_elements(%(terms)s::json) AS t
    )
    UPDATE sessions SET last_position = last_position + added, event_count = event_count + added,
      masked_count = masked_count + masked, detector_version = version,
      consumed_at = NULL, started_at = least(started_at, first), last_event_at = greatest(last_event_at, last)
    FROM json_to_recordset(%(grown)s::json) AS g (session_id text, added int, masked int, version int,
      first timestamptz, last timestamptz)
    WHERE id = session_id AND tenant_id = %(tenant_id)s AND store_id = %(store_id)s RETURNING """,
    SESSION_COLUMNS,
)
_RECORD = Prepared("""
    UPDATE sessions SET title = coalesce(nullif(sessions.title, ''), m.title),
      skipped_count = greatest(skipped_count, skipped), malformed_count = greatest(malformed_count, malformed)
    FROM json_to_recordset(%(margins)s::json) AS m (session_id text, title text, skipped int, malformed int)
    WHERE id = session_id AND tenant_id = %(tenant_id)s AND store_id = %(store_id)s
""")


class PostgresIngestRepository:
    """Implements `IngestRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}

    def ensure(self, sources: Mapping[str, str]) -> dict[str, tuple[Session, bool]]:
        """Return sessions by the ids their sources gave them, their rows held, and whether each is new."""
        names = sorted(sources)  # in one order for all importers, so that two never wait for each other's sessions
        values = {"ids": [f"sesn_{ULID()}" for _ in names], "external_ids": names}
        values["sources"] = [sources[name] for name in names]
        rows = _ENSURE.find_all(self._connection, {**self._keys, **values})
        if len(rows) < len(names):
            msg = "A session of another store cannot be written here"
            raise ConflictError(msg)
        return {row["external_id"]: (session_from(row), row["is_new"]) for row in rows}

    def find_known(self, wanted: Mapping[str, Collection[str]]) -> set[tuple[str, str]]:
        """Return which of these events, ids by their session's id, are there already."""
        pairs = [(session_id, event_id) for session_id, event_ids in wanted.items() for event_id in event_ids]
        if not pairs:
            return set()
        values = {"sessions": [pair[0] for pair in pairs], "events": [pair[1] for pair in pairs]}
        return {(row[0], row[1]) for row in _KNOWN.find_tuples(self._connection, values)}

    def append(self, additions: Sequence[Addition], detector_version: int) -> list[Session]:
        """Append events that are new with what was found in them. Raises ConflictError for one that is not."""
        written = [(session, events) for session, events in additions if events]
        if not written:
            return [session for session, _ in additions]
        numbered = [
            (session.id, position, event)
            for session, events in written
            for position, event in enumerate(events, session.last_position + 1)
        ]
        values = {
            **self._keys,
            "found_by": detector_version,
            "events": _json([_event_values(*one) for one in numbered]),
            "cues": _json([row for one in numbered for row in _cue_rows(*one)]),
            "terms": _json([(name, place, event.found.terms) for name, place, event in numbered if event.found.terms]),
            "grown": _json([_growth(session, events, detector_version) for session, events in written]),
        }
        try:
            grown = {row["id"]: session_from(row) for row in _APPEND.find_all(self._connection, values)}
        except psycopg.IntegrityError as error:
            raise ConflictError(_conflict(written)) from error
        if len(grown) < len(written):
            raise ConflictError(_conflict(written))
        return [grown.get(session.id, session) for session, _ in additions]

    def record_margins(self, margins: Sequence[Margins]) -> None:
        """Keep titles where there are none, and the greater of the counts."""
        if margins:
            rows = [
                {"session_id": one.session_id, "title": one.title, "skipped": one.skipped, "malformed": one.malformed}
                for one in margins
            ]
            _RECORD.run(self._connection, {**self._keys, "margins": _json(rows)})


def _conflict(written: Sequence[Addition]) -> str:
    names = ", ".join(repr(session.external_id) for session, _ in written[:5])
    return f"A session has one of these events already, or is no session of this store: {names}"


def _json(rows: Sequence[object]) -> str:
    return orjson.dumps(rows).decode()


def _cue_rows(session_id: str, position: int, event: NewEvent) -> list[tuple[object, ...]]:
    return [(session_id, position, cue.start, cue.end, cue.kind, cue.rule, cue.strength) for cue in event.found.cues]


def _event_values(session_id: str, position: int, event: NewEvent) -> dict[str, object]:
    return {
        "session_id": session_id,
        "event_id": event.event_id,
        "position": position,
        "at": event.at,
        "kind": event.kind,
        "role": event.role,
        "text": event.text,
        "size_chars": event.size_chars or len(event.text),
        "is_masked": event.is_masked,
    }


def _growth(session: Session, events: Sequence[NewEvent], detector_version: int) -> dict[str, object]:
    # Events that wait with an older detector's cues keep the session on the list of those to look at again.
    version = min(session.detector_version, detector_version) if session.waiting else detector_version
    times = [event.at for event in events if event.at]
    return {
        "session_id": session.id,
        "added": len(events),
        "masked": sum(event.is_masked for event in events),
        "version": version,
        "first": min(times, default=None),
        "last": max(times, default=None),
    }
