"""Many sessions of one store in PostgreSQL, as importers write them: every step is one statement for all of them.

COPY is refused on tables with row-level security, and arrays of texts take longer to put together than JSON does.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson
from sqlalchemy import (
    CTE,
    JSON,
    BindParameter,
    Boolean,
    ColumnElement,
    Connection,
    Delete,
    Double,
    Integer,
    TableValuedAlias,
    Text,
    any_,
    bindparam,
    case,
    cast,
    column,
    delete,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel, col

from shared.adapters.postgres.sessions.rows import session_from
from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.tables.sessions import SessionCueRow, SessionEventRow, SessionRow, SessionTermsRow
from shared.adapters.postgres.tables.stores import Moment
from shared.adapters.ulid_ids import new_id
from shared.core.errors import ConflictError
from shared.core.sessions.model import Findings, NewEvent, SearchedWindow, Session
from shared.ports.sessions import Addition, Margins

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_FOUND_BY = bindparam("found_by", type_=Integer)
_IS_HERE = (col(SessionRow.tenant_id) == _TENANT) & (col(SessionRow.store_id) == _STORE)


def _given(name: str, **columns: Any) -> TableValuedAlias:  # noqa: ANN401 - types of columns
    """Return the JSON array of a parameter `new_…` as a table."""
    rows = func.json_to_recordset(cast(bindparam(f"new_{name}", type_=Text), JSON))
    return rows.table_valued(*(column(key, of) for key, of in columns.items())).render_derived(name, with_types=True)


_WANTED = (
    func.unnest(*(bindparam(name, type_=ARRAY(Text)) for name in ("ids", "external_ids", "sources")))
    .table_valued(column("id", Text), column("external_id", Text), column("source", Text))
    .render_derived("wanted")
)
_MAKE = insert(SessionRow).from_select(
    ["id", "tenant_id", "store_id", "external_id", "source"],
    select(_WANTED.c.id, _TENANT, _STORE, _WANTED.c.external_id, _WANTED.c.source),
    include_defaults=False,
)
#: The update changes nothing: it locks the row and returns it. Rows come in the order of the arrays.
_ENSURE = _MAKE.on_conflict_do_update(
    index_elements=["store_id", "external_id"],
    set_={"external_id": _MAKE.excluded.external_id},
    where=col(SessionRow.tenant_id) == _TENANT,
).returning(literal_column("xmax = 0", Boolean).label("is_new"), SessionRow)
_PAIRS = (
    func.unnest(bindparam("sessions", type_=ARRAY(Text)), bindparam("events", type_=ARRAY(Text)))
    .table_valued(column("session_id", Text), column("event_id", Text))
    .render_derived("pairs")
)
#: The limit makes each pair an index look-up, even if the planner has no statistics of a new table.
_KNOWN = select(_PAIRS.c.session_id, _PAIRS.c.event_id).where(
    select(literal_column("1"))
    .select_from(SessionEventRow)
    .where(col(SessionEventRow.session_id) == _PAIRS.c.session_id, col(SessionEventRow.event_id) == _PAIRS.c.event_id)
    .limit(literal_column("1"))
    .offset(literal_column("0"))
    .correlate(_PAIRS)
    .exists()
)
_EVENTS = _given(
    "events", session_id=Text, event_id=Text, position=Integer, at=Moment, kind=Text, role=Text, origin=Text, text=Text,
    as_sent=Text, size_chars=Integer, is_masked=Boolean, details=JSONB,
)  # fmt: skip
_CUES = _given(
    "cues", session_id=Text, position=Integer, start_char=Integer, end_char=Integer, kind=Text, rule=Text, strength=Double,
)  # fmt: skip
_TERMS = _given("terms", session_id=Text, position=Integer, terms=ARRAY(Text))
_GROWN = _given("grown", session_id=Text, added=Integer, masked=Integer, first=Moment, last=Moment)
_SEARCHED = _given("searched", session_id=Text, after=Integer, upto=Integer)


def _adding(row: type[SQLModel], given: TableValuedAlias, **more: BindParameter[Any]) -> CTE:
    """Return the part of a statement that inserts the rows of a table, each with these values."""
    columns = [*more, *given.c.keys()]
    adding = insert(row).from_select(columns, select(*more.values(), *given.c), include_defaults=False)
    return adding.cte(f"added_{given.name}")


#: Inserts events and updates their sessions in one statement.
_APPEND = (
    update(SessionRow)
    .where(col(SessionRow.id) == _GROWN.c.session_id, _IS_HERE)
    .values(
        last_position=col(SessionRow.last_position) + _GROWN.c.added,
        event_count=col(SessionRow.event_count) + _GROWN.c.added,
        masked_count=col(SessionRow.masked_count) + _GROWN.c.masked,
        consumed_at=None,
        started_at=func.least(col(SessionRow.started_at), _GROWN.c.first),
        last_event_at=func.greatest(col(SessionRow.last_event_at), _GROWN.c.last),
    )
    .returning(SessionRow)
    .add_cte(_adding(SessionEventRow, _EVENTS, tenant_id=_TENANT))
)
#: Locks the rows of sessions, in the same order as importers.
_HOLD = (
    select(col(SessionRow.id), col(SessionRow.detector_version), col(SessionRow.searched_position))
    .where(_IS_HERE, col(SessionRow.id) == any_(bindparam("ids", type_=ARRAY(Text))))
    .order_by(col(SessionRow.external_id).collate("C"))
    .with_for_update(key_share=True)
)


def _dropping(row: type[SessionCueRow | SessionTermsRow]) -> Delete:
    """Return the statement that deletes earlier findings in windows that were searched again."""
    return delete(row).where(
        col(row.tenant_id) == _TENANT,
        col(row.session_id) == _SEARCHED.c.session_id,
        col(row.position) > _SEARCHED.c.after,
        col(row.position) <= _SEARCHED.c.upto,
    )


_DROP_CUES, _DROP_TERMS = _dropping(SessionCueRow), _dropping(SessionTermsRow)
#: Cues and terms, and how far their sessions have been searched: one statement, so that neither is there without the other.
_RECORD_FINDINGS = (
    update(SessionRow)
    .where(col(SessionRow.id) == _SEARCHED.c.session_id, _IS_HERE)
    .values(searched_position=_SEARCHED.c.upto, detector_version=_FOUND_BY)
    .add_cte(
        _adding(SessionCueRow, _CUES, tenant_id=_TENANT, detector_version=_FOUND_BY),
        _adding(SessionTermsRow, _TERMS, tenant_id=_TENANT, detector_version=_FOUND_BY),
    )
)
_MARGINS = _given(
    "margins", session_id=Text, title=Text, project=Text, labels=JSONB, skipped=Integer, malformed=Integer
)
_DETAILS = col(SessionRow.details)
_NO_OBJECT: ColumnElement[Any] = literal_column("'{}'::jsonb")


def _with(key: str, value: ColumnElement[Any], unless: ColumnElement[bool]) -> ColumnElement[Any]:
    """Return what is added to a session's details: a key with its value, or nothing."""
    return case((unless, _NO_OBJECT), else_=func.jsonb_build_object(literal_column(f"'{key}'"), value))


_LABELS = func.coalesce(_DETAILS[literal_column("'metadata'", Text)], _NO_OBJECT).op("||")(_MARGINS.c.labels)
_RECORD = (
    update(SessionRow)
    .where(col(SessionRow.id) == _MARGINS.c.session_id, _IS_HERE)
    .values(
        title=func.coalesce(func.nullif(col(SessionRow.title), literal_column("''")), _MARGINS.c.title),
        details=_DETAILS.op("||")(_with("project", _MARGINS.c.project, _MARGINS.c.project == literal_column("''"))).op(
            "||"
        )(_with("metadata", _LABELS, _MARGINS.c.labels == _NO_OBJECT)),
        skipped_count=func.greatest(col(SessionRow.skipped_count), _MARGINS.c.skipped),
        malformed_count=func.greatest(col(SessionRow.malformed_count), _MARGINS.c.malformed),
    )
)


class PostgresIngestRepository:
    """Implements `IngestRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def ensure(self, sources: Mapping[str, str]) -> dict[str, tuple[Session, bool]]:
        """Return sessions by the ids their sources gave them, their rows held, and whether each is new."""
        names = sorted(sources)  # all importers use one order, so that two never wait for each other's sessions
        values = {"ids": [new_id("sesn") for _ in names], "external_ids": names}
        values["sources"] = [sources[name] for name in names]
        rows = fetch(self._connection, _ENSURE, {**self._keys, **values})
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
        return {(session_id, event_id) for session_id, event_id in fetch_tuples(self._connection, _KNOWN, values)}

    def append(self, additions: Sequence[Addition]) -> list[Session]:
        """Append events that are new. Raises ConflictError for one that is not."""
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
            "new_events": _json([_event_values(*one) for one in numbered]),
            "new_grown": _json([_growth(session, events) for session, events in written]),
        }
        try:
            grown = {row["id"]: session_from(row) for row in fetch(self._connection, _APPEND, values)}
        except IntegrityError as error:
            raise ConflictError(_conflict(written)) from error
        if len(grown) < len(written):
            raise ConflictError(_conflict(written))
        return [grown.get(session.id, session) for session, _ in additions]

    def record_findings(self, searched: Sequence[SearchedWindow], detector_version: int) -> None:
        """Store a detector's findings in windows of sessions that no other search has covered meanwhile."""
        ids = {"ids": [one.session.id for one in searched]}
        held = {row["id"]: row for row in fetch(self._connection, _HOLD, {**self._keys, **ids})}
        ours = [one for one in searched if one.session.id in held and _is_as_read(one, held[one.session.id])]
        if not ours:
            return
        windows = _json([{"session_id": one.session.id, "after": one.after, "upto": one.upto} for one in ours])
        if any(one.session.detector_version for one in ours):
            for statement in (_DROP_CUES, _DROP_TERMS):
                execute(self._connection, statement, {"tenant": self._keys["tenant"], "new_searched": windows})
        rows = [(one.session.id, position, found) for one in ours for position, found in one.found.items()]
        values = {
            **self._keys,
            "found_by": detector_version,
            "new_searched": windows,
            "new_cues": _json([row for one in rows for row in _cue_rows(*one)]),
            "new_terms": _json([row for one in rows for row in _term_rows(*one)]),
        }
        execute(self._connection, _RECORD_FINDINGS, values)

    def record_margins(self, margins: Sequence[Margins]) -> None:
        """Keep titles where there are none, and the greater of the counts."""
        if margins:
            execute(self._connection, _RECORD, {**self._keys, "new_margins": _json([asdict(one) for one in margins])})


def _conflict(written: Sequence[Addition]) -> str:
    names = ", ".join(repr(session.external_id) for session, _ in written[:5])
    return f"A session has one of these events already, or is not a session of this store: {names}"


def _json(rows: Sequence[object]) -> str:
    return orjson.dumps(rows).decode()


def _is_as_read(searched: SearchedWindow, held: Row) -> bool:
    was = searched.session
    return (held["detector_version"], held["searched_position"]) == (was.detector_version, was.searched_position)


def _cue_rows(session_id: str, position: int, found: Findings) -> list[dict[str, object]]:
    return [
        {
            "session_id": session_id, "position": position, "start_char": cue.start, "end_char": cue.end,
            "kind": cue.kind, "rule": cue.rule, "strength": cue.strength,
        }
        for cue in found.cues
    ]  # fmt: skip


def _term_rows(session_id: str, position: int, found: Findings) -> list[dict[str, object]]:
    return [{"session_id": session_id, "position": position, "terms": found.terms}] if found.terms else []


def _event_values(session_id: str, position: int, event: NewEvent) -> dict[str, object]:
    return {
        "session_id": session_id,
        "event_id": event.event_id,
        "position": position,
        "at": event.at,
        "kind": event.kind,
        "role": event.role,
        "origin": event.origin,
        "text": event.text,
        "as_sent": event.as_sent,
        "size_chars": event.size_chars or len(event.text),
        "is_masked": event.is_masked,
        "details": event.details,
    }


def _growth(session: Session, events: Sequence[NewEvent]) -> dict[str, object]:
    times = [event.at for event in events if event.at]
    return {
        "session_id": session.id,
        "added": len(events),
        "masked": sum(event.is_masked for event in events),
        "first": min(times, default=None),
        "last": max(times, default=None),
    }
