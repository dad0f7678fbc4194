"""Sessions of one store in PostgreSQL, as a dream gathers from them: hits, small windows, cursors.

What was said, by any of some terms: one statement that counts how rare each term is and ranks by it.

PostgreSQL's own rank does not know rare words from common ones. Here it says how much an event is about one term, and the
term's rarity in the store weighs it. The statement reads a store's events once; it always returns a row, without an event
when nothing was found, so that the counts come with it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    RowMapping,
    TableValuedAlias,
    Text,
    TextClause,
    bindparam,
    case,
    column,
    func,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY

from shared.adapters.postgres.sessions.rows import CUES, EVENTS, SESSIONS, session_from
from shared.core.sessions.model import (
    SEARCHED,
    CueHit,
    CueSpan,
    EventKind,
    EventMatch,
    SaidMatches,
    SaidTerms,
    Session,
    SessionEvent,
    Theme,
    Window,
)

_SAID = """
    WITH asked AS MATERIALIZED (
      SELECT term, query FROM unnest(CAST(:terms AS text[])) AS t (term), plainto_tsquery('simple', term) AS query
      WHERE numnode(query) > 0
    ), mine AS MATERIALIZED (
      SELECT id FROM sessions WHERE tenant_id = :tenant_id AND {sessions}
    ), said AS MATERIALIZED (
      SELECT e.session_id, e.position, e.words FROM mine JOIN session_events e ON e.session_id = mine.id
      WHERE e.words @@ (SELECT CAST(string_agg('(' || CAST(query AS text) || ')', ' | ') AS tsquery) FROM asked)
    ), matched AS MATERIALIZED (
      SELECT s.session_id, s.position, a.term, ts_rank(s.words, a.query, 1) AS weight
      FROM said s JOIN asked a ON s.words @@ a.query
    ), held AS MATERIALIZED (
      SELECT term, count(*) AS texts FROM matched GROUP BY term
    ), counted AS (
      SELECT (
        SELECT count(*) FROM mine JOIN session_events e ON e.session_id = mine.id
        WHERE e.kind = ANY (CAST(:kinds AS text[]))
      ) AS texts, (SELECT coalesce(jsonb_object_agg(term, texts), '{{}}') FROM held) AS holding
    ), best AS (
      SELECT m.session_id, m.position, sum(m.weight * ln(1 + (c.texts - h.texts + 0.5) / (h.texts + 0.5))) AS score
      FROM matched m JOIN held h USING (term) CROSS JOIN counted c
      GROUP BY m.session_id, m.position ORDER BY score DESC, m.session_id, m.position LIMIT :limit
    )
    SELECT c.texts, c.holding, e.session_id, e.event_id, e.position, e.at, e.kind, e.role, e.is_masked,
      left(e.text, :chars) AS text
    FROM counted c LEFT JOIN (
      best b JOIN session_events e ON e.session_id = b.session_id AND e.position = b.position
    ) ON true ORDER BY b.score DESC, b.session_id, b.position
"""


def said_query(sessions: str) -> TextClause:
    """Return the statement for the sessions that a constant condition names."""
    return text(_SAID.format(sessions=sessions))


#: Themes are looked for among so many sessions, the newest: more would recur in everything.
_THEME_SESSIONS = 2_000
_THEME_PLACES = 20
#: From which sessions, and which of their events are new to the dream.
_OF_STORE = ("store_id = :store_id", "t.position > r.gathered_position AND NOT r.is_current")
OF_CHOSEN = ("id = ANY (CAST(:session_ids AS text[]))", "true")


def themes_query(scope: tuple[str, str]) -> TextClause:
    """Return the query for theme terms, from constants of this file only."""
    return text(_THEMES.format(sessions=scope[0], is_new=scope[1]))


_THEMES = f"""
    WITH recent AS (
      SELECT id, gathered_position, is_current FROM sessions WHERE tenant_id = :tenant_id AND {{sessions}}
      ORDER BY last_event_at DESC NULLS LAST LIMIT {_THEME_SESSIONS}
    ), said AS (
      SELECT u.term, t.session_id, t.position, {{is_new}} AS is_new
      FROM recent r JOIN session_terms t ON t.session_id = r.id CROSS JOIN LATERAL unnest(t.terms) AS u (term)
      WHERE NOT (t.session_id = ANY (CAST(:again AS text[])) AND {{is_new}})
      UNION ALL
      SELECT u.term, t.session_id, t.position, {{is_new}}
      FROM json_to_recordset(CAST(:anew AS json)) AS t (session_id text, position int, terms json)
      JOIN recent r ON r.id = t.session_id CROSS JOIN LATERAL json_array_elements_text(t.terms) AS u (term)
    )
    SELECT term, count(DISTINCT session_id) AS sessions,
      (array_agg(session_id ORDER BY session_id, position) FILTER (WHERE is_new))[1:{_THEME_PLACES}] AS ids,
      (array_agg(position ORDER BY session_id, position) FILTER (WHERE is_new))[1:{_THEME_PLACES}] AS positions
    FROM said GROUP BY term HAVING count(DISTINCT session_id) >= :min_sessions AND bool_or(is_new)
    ORDER BY sessions DESC, term LIMIT :limit
"""  # noqa: S608 - put together from constants of this file
_EVENT_COLUMNS = [
    EVENTS.c[name] for name in ("session_id", "event_id", "position", "at", "kind", "role", "is_masked")
]  # fmt: skip
_EXCERPT_CHARS = 4_000


class PostgresGatherRepository:
    """Implements `GatherRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys: dict[str, Any] = {"tenant_id": tenant_id, "store_id": store_id}
        self._themes = themes_query(_OF_STORE)
        self._said = said_query(_OF_STORE[0])
        self._mine = (SESSIONS.c.tenant_id == tenant_id) & (SESSIONS.c.store_id == store_id)
        self._is_new: ColumnElement[bool] = (EVENTS.c.position > SESSIONS.c.gathered_position) & ~SESSIONS.c.is_current
        self._waiting = self._mine & (SESSIONS.c.gathered_position < SESSIONS.c.last_position)

    def find_ungathered(self, limit: int, *, with_current: bool = False) -> list[Session]:
        """Return sessions that have events after their cursor, the one that has waited longest first."""
        query = select(SESSIONS).where(self._waiting)
        if not with_current:
            query = query.where(~SESSIONS.c.is_current)
        query = query.order_by(SESSIONS.c.last_event_at.asc().nulls_first(), SESSIONS.c.id).limit(limit)
        return [session_from(row) for row in self._connection.execute(query).mappings()]

    def find_cues(self, windows: Sequence[Window], *, limit: int) -> list[CueHit]:
        """Return the cues of the events in these windows, window by window, in the order of their events."""
        wanted = _table_of(windows)
        query = (
            select(*_EVENT_COLUMNS, CUES.c.start_char, CUES.c.end_char, CUES.c.rule, CUES.c.strength)
            .add_columns(CUES.c.kind.label("cue_kind"))
            .select_from(wanted)
            .join(SESSIONS, SESSIONS.c.id == wanted.c.session_id)
            .join(CUES, (CUES.c.session_id == wanted.c.session_id) & _lies_in(wanted, CUES.c.position))
            .join(EVENTS, (EVENTS.c.session_id == CUES.c.session_id) & (EVENTS.c.position == CUES.c.position))
            .where(self._mine)
            .order_by(wanted.c.number, CUES.c.position, CUES.c.start_char)
            .limit(limit)
        )
        return [_hit_from(row) for row in self._connection.execute(query).mappings()]

    def find_windows(
        self, windows: Sequence[Window], *, max_chars: int, kinds: Collection[EventKind] | None = None
    ) -> list[list[SessionEvent]]:
        """Return the events of each window, each with its first `max_chars` only."""
        wanted = _table_of(windows)
        query = (
            select(*_EVENT_COLUMNS, func.left(EVENTS.c.text, max_chars).label("text"), wanted.c.number)
            .select_from(wanted)
            .join(SESSIONS, SESSIONS.c.id == wanted.c.session_id)
            .join(EVENTS, (EVENTS.c.session_id == wanted.c.session_id) & _lies_in(wanted, EVENTS.c.position))
            .where(self._mine)
            .order_by(wanted.c.number, EVENTS.c.position)
        )
        if kinds is not None:
            query = query.where(EVENTS.c.kind.in_(sorted(kinds)))
        found: list[list[SessionEvent]] = [[] for _ in windows]
        for row in self._connection.execute(query).mappings():
            found[row["number"] - 1].append(event_from(row))
        return found

    def find_themes(self, *, min_sessions: int, limit: int, anew: Sequence[SaidTerms] = ()) -> list[Theme]:
        """Return theme terms of ungathered events that at least so many sessions say, most first."""
        again = {"again": sorted({one.session_id for one in anew}), "anew": orjson.dumps(anew).decode()}
        wanted = {**self._keys, **again, "min_sessions": min_sessions, "limit": limit}
        rows = self._connection.execute(self._themes, wanted)
        return [
            Theme(term=term, sessions=sessions, places=tuple(zip(ids, positions, strict=True)))
            for term, sessions, ids, positions in rows
        ]

    def search(
        self, query: str, limit: int, *, session_id: str | None = None, only_new: bool = False
    ) -> list[EventMatch]:
        """Return events that hold all words of a query, best first, each with its first 4,000 characters."""
        wanted = func.websearch_to_tsquery("simple", query.replace("\x00", " "))
        score = func.ts_rank(EVENTS.c.words, wanted).label("score")
        found = (
            select(*_EVENT_COLUMNS, func.left(EVENTS.c.text, _EXCERPT_CHARS).label("text"), score)
            .join(SESSIONS, SESSIONS.c.id == EVENTS.c.session_id)
            .where(self._mine, EVENTS.c.words.op("@@")(wanted))
            .order_by(score.desc(), EVENTS.c.at.desc().nulls_last(), EVENTS.c.session_id, EVENTS.c.position)
            .limit(limit)
        )
        if session_id is not None:
            found = found.where(EVENTS.c.session_id == session_id)
        if only_new:
            found = found.where(self._is_new)
        rows = self._connection.execute(found).mappings()
        return [EventMatch(event=event_from(row), score=row["score"]) for row in rows]

    def advance(self, windows: Sequence[Window]) -> None:
        """Move cursors forward to the end of what was gathered; never back, and never past the end."""
        wanted = self._hold(windows)
        end = func.greatest(SESSIONS.c.gathered_position, func.least(wanted.c.upto, SESSIONS.c.last_position))
        is_read = end == SESSIONS.c.last_position
        done = case((is_read, func.coalesce(SESSIONS.c.consumed_at, func.now())), else_=SESSIONS.c.consumed_at)
        moved = update(SESSIONS).where(self._mine, SESSIONS.c.id == wanted.c.session_id)
        self._connection.execute(moved.values(gathered_position=end, consumed_at=done))

    def restore(self, windows: Sequence[Window]) -> None:
        """Move cursors back to where these windows began."""
        wanted = self._hold(windows)
        back = func.least(SESSIONS.c.gathered_position, wanted.c.after)
        moved = update(SESSIONS).where(self._mine, SESSIONS.c.id == wanted.c.session_id)
        self._connection.execute(moved.values(gathered_position=back, consumed_at=None))

    def _hold(self, windows: Sequence[Window]) -> TableValuedAlias:
        """Lock the sessions in the order in which importers do, so that two never wait for each other."""
        wanted = _table_of(windows)
        ids = select(wanted.c.session_id).scalar_subquery()
        held = select(SESSIONS.c.id).where(self._mine, SESSIONS.c.id.in_(ids))
        ordered = held.order_by(SESSIONS.c.external_id.collate("C")).with_for_update(key_share=True)
        self._connection.execute(ordered)
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
        rows = self._connection.execute(self._said, wanted).mappings().all()
        events = tuple(event_from(row) for row in rows if row["event_id"] is not None)
        return SaidMatches(events=events, texts=rows[0]["texts"], holding=rows[0]["holding"])

    def find_events(self, keys: Collection[tuple[str, str]]) -> list[SessionEvent]:
        """Return the events of these (session id, event id) that the store has and that searches find."""
        named = tuple_(EVENTS.c.session_id, EVENTS.c.event_id).in_(sorted(keys))
        query = (
            select(*_EVENT_COLUMNS, func.left(EVENTS.c.text, _EXCERPT_CHARS).label("text"))
            .join(SESSIONS, SESSIONS.c.id == EVENTS.c.session_id)
            .where(self._mine, named, EVENTS.c.kind.in_(SEARCHED))
            .order_by(EVENTS.c.session_id, EVENTS.c.position)
        )
        return [event_from(row) for row in self._connection.execute(query).mappings()]


def _table_of(windows: Sequence[Window]) -> TableValuedAlias:
    """Return the windows as a table, so that any number of them costs one statement."""
    columns = (
        bindparam("window_sessions", [window.session_id for window in windows], ARRAY(Text)),
        bindparam("window_afters", [window.after for window in windows], ARRAY(Integer)),
        bindparam("window_uptos", [window.upto for window in windows], ARRAY(Integer)),
    )
    names = (column("session_id", Text), column("after", Integer), column("upto", Integer))
    return func.unnest(*columns).table_valued(*names, with_ordinality="number").render_derived("wanted")


def _lies_in(wanted: TableValuedAlias, position: ColumnElement[int]) -> ColumnElement[bool]:
    return (position > wanted.c.after) & (position <= wanted.c.upto)


def event_from(row: RowMapping | Mapping[str, Any]) -> SessionEvent:
    """Return an event from its row."""
    plain: dict[str, Any] = {
        name: row[name] for name in ("session_id", "event_id", "position", "at", "role", "text", "is_masked")
    }
    return SessionEvent(**plain, kind=EventKind(row["kind"]))


def _hit_from(row: RowMapping) -> CueHit:
    span = CueSpan(
        kind=row["cue_kind"],
        start=row["start_char"],
        end=row["end_char"],
        strength=row["strength"],
        rule=row["rule"],
    )
    plain: dict[str, Any] = {name: row[name] for name in ("session_id", "event_id", "position", "at")}
    return CueHit(**plain, cue=span)
