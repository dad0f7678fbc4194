"""Queries for the words of sessions: events by the rarity of their terms, and terms that several sessions share."""

from typing import Any

from sqlalchemy import (
    CTE,
    JSON,
    ColumnElement,
    Integer,
    Select,
    SQLColumnExpression,
    TableValuedAlias,
    Text,
    any_,
    bindparam,
    cast,
    column,
    func,
    literal_column,
    select,
    true,
    type_coerce,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSQUERY, aggregate_order_by
from sqlmodel import col

from shared.adapters.postgres.tables.sessions import SessionEventRow, SessionRow, SessionTermsRow

EVENT_COLUMNS = [
    col(getattr(SessionEventRow, name)) for name in ("session_id", "event_id", "position", "at", "kind", "role", "origin", "is_masked")
]  # fmt: skip
_TENANT, _LIMIT = bindparam("tenant", type_=Text), bindparam("limit", type_=Integer)
#: Themes are searched in this many of the newest sessions: among more, every term would recur.
_THEME_SESSIONS = 2_000
_THEME_PLACES = 20
#: From which sessions a repository reads: those of its store, or chosen ones.
OF_STORE = col(SessionRow.store_id) == bindparam("store", type_=Text)
OF_CHOSEN = col(SessionRow.id) == any_(bindparam("session_ids", type_=ARRAY(Text)))


def _materialized(query: Select[*tuple[Any, ...]], name: str) -> CTE:
    """Return a part of a query that PostgreSQL evaluates once, whatever its statistics."""
    return query.cte(name).prefix_with("MATERIALIZED")


def said_query(scope: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the query for events of these sessions with any of some terms.

    One statement counts how rare each term is and ranks by it. PostgreSQL's own rank does not know rare words from
    common ones: here it says how much an event is about one term, and the term's rarity in the sessions weighs it. The
    query reads their events once, and returns a row without an event when nothing is found, for the counts in it.
    """
    given = (
        func.unnest(bindparam("terms", type_=ARRAY(Text))).table_valued(column("term", Text)).render_derived("given")
    )
    query = func.plainto_tsquery("simple", given.c.term)
    asked = _materialized(select(given.c.term, query.label("query")).where(func.numnode(query) > 0), "asked")
    mine = _materialized(select(col(SessionRow.id)).where(col(SessionRow.tenant_id) == _TENANT, scope), "mine")
    any_term = func.string_agg(func.concat("(", cast(asked.c.query, Text), ")"), " | ")
    said = _materialized(
        select(col(SessionEventRow.session_id), col(SessionEventRow.position), col(SessionEventRow.words))
        .join_from(mine, SessionEventRow, col(SessionEventRow.session_id) == mine.c.id)
        .where(col(SessionEventRow.words).op("@@")(select(cast(any_term, TSQUERY)).scalar_subquery())),
        "said",
    )
    weight = func.ts_rank(said.c.words, asked.c.query, literal_column("1")).label("weight")
    matched = _materialized(
        select(said.c.session_id, said.c.position, asked.c.term, weight).join_from(
            said, asked, said.c.words.op("@@")(asked.c.query)
        ),
        "matched",
    )
    held = _materialized(select(matched.c.term, func.count().label("texts")).group_by(matched.c.term), "held")
    counted = _counted(mine, held)
    best = _best(matched, held, counted)
    found = best.join(
        SessionEventRow,
        (col(SessionEventRow.session_id) == best.c.session_id) & (col(SessionEventRow.position) == best.c.position),
    )
    excerpt = func.left(col(SessionEventRow.text), bindparam("chars", type_=Integer)).label("text")
    return (
        select(counted.c.texts, counted.c.holding, *EVENT_COLUMNS, excerpt)
        .select_from(counted.outerjoin(found, true()))
        .order_by(best.c.score.desc(), best.c.session_id, best.c.position)
    )


def _counted(mine: CTE, held: CTE) -> CTE:
    """Return the number of searched events, and the number of events with each term."""
    is_searched = col(SessionEventRow.kind) == any_(bindparam("kinds", type_=ARRAY(Text)))
    texts = (
        select(func.count())
        .select_from(mine)
        .join(SessionEventRow, col(SessionEventRow.session_id) == mine.c.id)
        .where(is_searched)
    )
    holding = select(func.coalesce(func.jsonb_object_agg(held.c.term, held.c.texts), literal_column("'{}'::jsonb")))
    return select(
        texts.scalar_subquery().label("texts"), type_coerce(holding.scalar_subquery(), JSONB).label("holding")
    ).cte("counted")


def _best(matched: CTE, held: CTE, counted: CTE) -> CTE:
    """Return the events of the highest score, which is the sum over the terms of weight times rarity (as BM25 has it)."""
    half: ColumnElement[Any] = literal_column("0.5")
    rarity = func.ln(literal_column("1") + (counted.c.texts - held.c.texts + half) / (held.c.texts + half))
    score = func.sum(matched.c.weight * rarity).label("score")
    return (
        select(matched.c.session_id, matched.c.position, score)
        .join_from(matched, held, held.c.term == matched.c.term)
        .join(counted, true())
        .group_by(matched.c.session_id, matched.c.position)
        .order_by(score.desc(), matched.c.session_id, matched.c.position)
        .limit(_LIMIT)
        .cte("best")
    )


def themes_query(scope: ColumnElement[bool], *, only_new: bool) -> Select[*tuple[Any, ...]]:
    """Return the query for terms that several of these sessions contain.

    With `only_new` a theme needs an event after its session's cursor, in a session that has ended; without, every event
    counts as new. Terms come from the table, and from the events that were read again with a newer detector.
    """
    recent = (
        select(col(SessionRow.id), col(SessionRow.gathered_position), col(SessionRow.is_current))
        .where(col(SessionRow.tenant_id) == _TENANT, scope)
        .order_by(col(SessionRow.last_event_at).desc().nulls_last())
        .limit(_THEME_SESSIONS)
        .cte("recent")
    )

    def is_new(position: SQLColumnExpression[int]) -> ColumnElement[bool]:
        return (position > recent.c.gathered_position) & ~recent.c.is_current if only_new else true()

    stored, again = SessionTermsRow, _terms_read_again()
    stored_terms = func.unnest(col(stored.terms)).table_valued(column("term", Text)).render_derived("stored_terms")
    is_again = col(stored.session_id) == any_(bindparam("again", type_=ARRAY(Text)))
    is_stored_new, is_again_new = is_new(col(stored.position)), is_new(again.c.position)
    from_table = (
        select(stored_terms.c.term, col(stored.session_id), col(stored.position), is_stored_new.label("is_new"))
        .join_from(recent, stored, col(stored.session_id) == recent.c.id)
        .join(stored_terms, true())
        .where(~(is_again & is_stored_new))
    )
    again_terms = func.json_array_elements_text(again.c.terms).table_valued(column("term", Text))
    again_terms = again_terms.render_derived("again_terms")
    from_again = (
        select(again_terms.c.term, again.c.session_id, again.c.position, is_again_new.label("is_new"))
        .join_from(again, recent, recent.c.id == again.c.session_id)
        .join(again_terms, true())
    )
    return _recurring(union_all(from_table, from_again).cte("said"))


def _terms_read_again() -> TableValuedAlias:
    """Return the terms of events that were read again, as a table."""
    columns = (column("session_id", Text), column("position", Integer), column("terms", JSON))
    rows = func.json_to_recordset(cast(bindparam("read_again", type_=Text), JSON)).table_valued(*columns)
    return rows.render_derived("read_again", with_types=True)


def _recurring(said: CTE) -> Select[*tuple[Any, ...]]:
    """Return the terms of enough sessions, and the positions of the first new events with them."""

    def places(values: ColumnElement[Any], of: type[Text | Integer]) -> ColumnElement[Any]:
        ordered = aggregate_order_by(values, said.c.session_id, said.c.position)
        return func.array_agg(ordered, type_=ARRAY(of)).filter(said.c.is_new)

    sessions = func.count(said.c.session_id.distinct())
    recurring = (
        select(
            said.c.term,
            sessions.label("sessions"),
            places(said.c.session_id, Text).label("ids"),
            places(said.c.position, Integer).label("positions"),
        )
        .group_by(said.c.term)
        .having((sessions >= bindparam("min_sessions", type_=Integer)) & func.bool_or(said.c.is_new))
        .order_by(sessions.desc(), said.c.term)
        .limit(_LIMIT)
        .subquery("recurring")
    )
    return select(
        recurring.c.term, recurring.c.sessions, recurring.c.ids[1:_THEME_PLACES], recurring.c.positions[1:_THEME_PLACES]
    ).order_by(recurring.c.sessions.desc(), recurring.c.term)
