"""Sessions of one store in PostgreSQL, as a dream gathers from them: hits, small windows, themes, cursors."""

import re
import string
from collections.abc import Collection, Sequence
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    SQLColumnExpression,
    TableValuedAlias,
    Text,
    bindparam,
    case,
    column,
    func,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import col

from shared.adapters.postgres.sessions.rows import session_from
from shared.adapters.postgres.sessions.said import EVENT_COLUMNS, OF_STORE, said_query, themes_query
from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.tables.sessions import SessionCueRow, SessionEventRow, SessionRow
from shared.core.sessions.model import (
    SEARCHED,
    CueHit,
    CueSpan,
    EventKind,
    EventMatch,
    Origin,
    SaidMatches,
    SaidTerms,
    Session,
    SessionEvent,
    Theme,
    Window,
)

_EXCERPT_CHARS = 4_000
_QUERY_CHARS = 1_000
#: Signs become spaces in the words of events (schema/tables/sessions.sql), and also here, except those of the query
#: syntax: a quote, and a minus before a word.
_BLANKED = str.maketrans(dict.fromkeys(set(string.punctuation) - set('"-') | {"\x00"}, " "))
_JOINING_HYPHEN = re.compile(r"(?<=\S)-")
_UNGATHERED = (
    select(SessionRow)
    .where(
        col(SessionRow.tenant_id) == bindparam("tenant"),
        col(SessionRow.store_id) == bindparam("store"),
        col(SessionRow.gathered_position) < col(SessionRow.last_position),
    )
    .order_by(col(SessionRow.last_event_at).asc().nulls_first(), col(SessionRow.id))
    .limit(bindparam("limit"))
)
_FIND_UNGATHERED = Fixed(
    "gathering.find_ungathered",
    _UNGATHERED.where(~col(SessionRow.is_current)),
    reason="twice a dream: before the cues of sessions are looked for, and before they are read",
)
_THEMES_OF_STORE, _SAID_OF_STORE = themes_query(OF_STORE, only_new=True), said_query(OF_STORE)


class PostgresGatherRepository:
    """Implements `GatherRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys: dict[str, Any] = {"tenant": tenant_id, "store": store_id}
        self._themes = _THEMES_OF_STORE
        self._said = _SAID_OF_STORE
        self._mine = (col(SessionRow.tenant_id) == tenant_id) & (col(SessionRow.store_id) == store_id)
        self._is_new: ColumnElement[bool] = (col(SessionEventRow.position) > col(SessionRow.gathered_position)) & ~col(
            SessionRow.is_current
        )

    def find_ungathered(self, limit: int, *, with_current: bool = False) -> list[Session]:
        """Return sessions that have events after their cursor, the one that has waited longest first."""
        query = _UNGATHERED if with_current else _FIND_UNGATHERED
        return [session_from(row) for row in fetch(self._connection, query, self._keys | {"limit": limit})]

    def find_cues(self, windows: Sequence[Window], *, limit: int) -> list[CueHit]:
        """Return the cues of the events in these windows, window by window, in the order of their events."""
        wanted = _table_of(windows)
        query = (
            select(
                *EVENT_COLUMNS,
                col(SessionCueRow.start_char),
                col(SessionCueRow.end_char),
                col(SessionCueRow.rule),
                col(SessionCueRow.strength),
            )
            .add_columns(col(SessionCueRow.kind).label("cue_kind"))
            .select_from(wanted)
            .join(SessionRow, col(SessionRow.id) == wanted.c.session_id)
            .join(
                SessionCueRow,
                (col(SessionCueRow.session_id) == wanted.c.session_id) & _lies_in(wanted, col(SessionCueRow.position)),
            )
            .join(
                SessionEventRow,
                (col(SessionEventRow.session_id) == col(SessionCueRow.session_id))
                & (col(SessionEventRow.position) == col(SessionCueRow.position)),
            )
            .where(self._mine)
            .order_by(wanted.c.number, col(SessionCueRow.position), col(SessionCueRow.start_char))
            .limit(limit)
        )
        return [_hit_from(row) for row in fetch(self._connection, query)]

    def find_windows(
        self, windows: Sequence[Window], *, max_chars: int, kinds: Collection[EventKind] | None = None
    ) -> list[list[SessionEvent]]:
        """Return the events of each window, each with its first `max_chars` only."""
        wanted = _table_of(windows)
        query = (
            select(*EVENT_COLUMNS, wanted.c.number)
            .add_columns(func.left(col(SessionEventRow.text), max_chars).label("text"))
            .add_columns(func.left(col(SessionEventRow.as_sent), max_chars).label("as_sent"))
            .select_from(wanted)
            .join(SessionRow, col(SessionRow.id) == wanted.c.session_id)
            .join(
                SessionEventRow,
                (col(SessionEventRow.session_id) == wanted.c.session_id)
                & _lies_in(wanted, col(SessionEventRow.position)),
            )
            .where(self._mine)
            .order_by(wanted.c.number, col(SessionEventRow.position))
        )
        if kinds is not None:
            query = query.where(col(SessionEventRow.kind).in_(sorted(kinds)))
        found: list[list[SessionEvent]] = [[] for _ in windows]
        for row in fetch(self._connection, query):
            found[row["number"] - 1].append(event_from(row))
        return found

    def find_themes(self, *, min_sessions: int, limit: int, read_again: Sequence[SaidTerms] = ()) -> list[Theme]:
        """Return the terms of ungathered events that at least `min_sessions` sessions mention, the most frequent first."""
        again = {
            "again": sorted({one.session_id for one in read_again}),
            "read_again": orjson.dumps(read_again).decode(),
        }
        wanted = {**self._keys, **again, "min_sessions": min_sessions, "limit": limit}
        rows = fetch_tuples(self._connection, self._themes, wanted)
        return [
            Theme(term=term, sessions=sessions, places=tuple(zip(ids, positions, strict=True)))
            for term, sessions, ids, positions in rows
        ]

    def search(
        self, query: str, limit: int, *, session_id: str | None = None, only_new: bool = False
    ) -> list[EventMatch]:
        """Return events that hold all words of a query, best first, each with its first 4,000 characters."""
        asked = _JOINING_HYPHEN.sub(" ", query[:_QUERY_CHARS].translate(_BLANKED))
        wanted = func.websearch_to_tsquery("simple", asked)
        score = func.ts_rank(col(SessionEventRow.words), wanted).label("score")
        found = (
            select(*EVENT_COLUMNS, func.left(col(SessionEventRow.text), _EXCERPT_CHARS).label("text"), score)
            .join(SessionRow, col(SessionRow.id) == col(SessionEventRow.session_id))
            .where(self._mine, col(SessionEventRow.words).op("@@")(wanted))
            .order_by(
                score.desc(),
                col(SessionEventRow.at).desc().nulls_last(),
                col(SessionEventRow.session_id),
                col(SessionEventRow.position),
            )
            .limit(limit)
        )
        if session_id is not None:
            found = found.where(col(SessionEventRow.session_id) == session_id)
        if only_new:
            found = found.where(self._is_new)
        rows = fetch(self._connection, found)
        return [EventMatch(event=event_from(row), score=row["score"]) for row in rows]

    def advance(self, windows: Sequence[Window]) -> None:
        """Move cursors forward to the end of the gathered windows; never back, and never past the end."""
        wanted = self._hold(windows)
        end = func.greatest(col(SessionRow.gathered_position), func.least(wanted.c.upto, col(SessionRow.last_position)))
        is_read = end == col(SessionRow.last_position)
        done = case(
            (is_read, func.coalesce(col(SessionRow.consumed_at), func.now())), else_=col(SessionRow.consumed_at)
        )
        moved = update(SessionRow).where(self._mine, col(SessionRow.id) == wanted.c.session_id)
        execute(self._connection, moved.values(gathered_position=end, consumed_at=done))

    def restore(self, windows: Sequence[Window]) -> None:
        """Move cursors back to where these windows began."""
        wanted = self._hold(windows)
        back = func.least(col(SessionRow.gathered_position), wanted.c.after)
        moved = update(SessionRow).where(self._mine, col(SessionRow.id) == wanted.c.session_id)
        execute(self._connection, moved.values(gathered_position=back, consumed_at=None))

    def _hold(self, windows: Sequence[Window]) -> TableValuedAlias:
        """Lock the sessions in the order in which importers do, so that two never wait for each other."""
        wanted = _table_of(windows)
        ids = select(wanted.c.session_id).scalar_subquery()
        held = select(col(SessionRow.id)).where(self._mine, col(SessionRow.id).in_(ids))
        ordered = held.order_by(col(SessionRow.external_id).collate("C")).with_for_update(key_share=True)
        execute(self._connection, ordered)
        return wanted

    def find_said(self, terms: Sequence[str], limit: int) -> SaidMatches:
        """Return events that hold any of these terms, those with the rarest first, and how rare the terms are."""
        wanted = {
            **self._keys,
            "terms": list(terms),
            "limit": limit,
            "chars": _EXCERPT_CHARS,
            "kinds": [str(kind) for kind in SEARCHED],
        }
        rows = fetch(self._connection, self._said, wanted)
        events = tuple(event_from(row) for row in rows if row["event_id"] is not None)
        return SaidMatches(events=events, texts=rows[0]["texts"], holding=rows[0]["holding"])

    def find_events(self, keys: Collection[tuple[str, str]]) -> list[SessionEvent]:
        """Return the events of these (session id, event id) that the store has and that searches find."""
        named = tuple_(col(SessionEventRow.session_id), col(SessionEventRow.event_id)).in_(sorted(keys))
        query = (
            select(*EVENT_COLUMNS, func.left(col(SessionEventRow.text), _EXCERPT_CHARS).label("text"))
            .join(SessionRow, col(SessionRow.id) == col(SessionEventRow.session_id))
            .where(self._mine, named, col(SessionEventRow.kind).in_(SEARCHED))
            .order_by(col(SessionEventRow.session_id), col(SessionEventRow.position))
        )
        return [event_from(row) for row in fetch(self._connection, query)]


def _table_of(windows: Sequence[Window]) -> TableValuedAlias:
    """Return the windows as a table, so that one statement handles any number of them."""
    columns = (
        bindparam("window_sessions", [window.session_id for window in windows], ARRAY(Text)),
        bindparam("window_afters", [window.after for window in windows], ARRAY(Integer)),
        bindparam("window_uptos", [window.upto for window in windows], ARRAY(Integer)),
    )
    names = (column("session_id", Text), column("after", Integer), column("upto", Integer))
    return func.unnest(*columns).table_valued(*names, with_ordinality="number").render_derived("wanted")


def _lies_in(wanted: TableValuedAlias, position: SQLColumnExpression[int]) -> ColumnElement[bool]:
    return (position > wanted.c.after) & (position <= wanted.c.upto)


def event_from(row: Row) -> SessionEvent:
    """Return an event from its row."""
    plain: dict[str, Any] = {
        name: row[name] for name in ("session_id", "event_id", "position", "at", "role", "text", "is_masked")
    }
    return SessionEvent(
        **plain,
        kind=EventKind(row["kind"]),
        origin=Origin(row["origin"]),
        as_sent=row.get("as_sent"),
        details=row.get("details"),
    )


def _hit_from(row: Row) -> CueHit:
    span = CueSpan(
        kind=row["cue_kind"],
        start=row["start_char"],
        end=row["end_char"],
        strength=row["strength"],
        rule=row["rule"],
    )
    plain: dict[str, Any] = {name: row[name] for name in ("session_id", "event_id", "position", "at")}
    return CueHit(**plain, cue=span)
