"""Queries for the learning of a tenant's memories: a week's operations, new memories, recalls."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ARRAY,
    INTEGER,
    Boolean,
    ColumnElement,
    Connection,
    Date,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.sql.index_pages import is_no_index
from shared.adapters.postgres.sql.statements import Row, fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow, OperationRow
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow, Moment, StoreRow
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.insight.model import (
    Judged,
    NewMemories,
    OperationExample,
    OperationsOfKind,
    Recalls,
    Spent,
    ToldMemory,
)
from shared.core.listings.dream_name import DreamName
from shared.core.memory.model import Author, MemoryState

_TENANT, _LIMIT = bindparam("tenant", type_=Text), bindparam("limit", type_=INTEGER)
_SINCE, _UNTIL = bindparam("since", type_=Moment), bindparam("until", type_=Moment)
_REASON_CHARS = 200
_IS_LIVE = col(MemoryRow.state) == literal_column("'live'")
_IS_REJECTED = col(OperationRow.review) == ReviewState.REJECTED
_IS_DONE = or_(
    col(OperationRow.state) == OperationState.APPLIED,
    and_(col(OperationRow.kind) == OperationKind.FLAG, col(OperationRow.state) == OperationState.PROPOSED),
)
# A dream is found by its store and its time, its operations by the dream: there is no index of operations by time. The
# stores are a list and not a join: of one store, PostgreSQL would compare each operation with each dream.
_STORE = bindparam("store", type_=Text)
_STORES = func.array(
    select(col(StoreRow.id))
    .where(col(StoreRow.tenant_id) == _TENANT, or_(literal_column("''") == _STORE, col(StoreRow.name) == _STORE))
    .scalar_subquery()
)


def _planned(*columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - what is selected
    """Return the query for the operations of the dreams in a time span, whatever became of them."""
    return (
        select(*columns)
        .select_from(DreamRow)
        .join(OperationRow, (col(OperationRow.dream_id) == col(DreamRow.id)) & (col(OperationRow.tenant_id) == _TENANT))
        .where(
            col(DreamRow.tenant_id) == _TENANT,
            col(DreamRow.store_id) == any_(_STORES),
            col(DreamRow.created_at) >= _SINCE,
            col(DreamRow.created_at) < _UNTIL,
            col(DreamRow.is_dry_run).is_(False),
        )
    )


def _done(*columns: Any) -> Select[*tuple[Any, ...]]:  # noqa: ANN401 - as above
    """Return the query for those that are in force or shown to a person."""
    return _planned(*columns).where(_IS_DONE, ~_IS_REJECTED)


_KIND = col(OperationRow.kind)
_COUNT_DEEDS = (
    _done(_KIND, func.count(), func.sum(func.jsonb_array_length(col(OperationRow.effects))))
    .group_by(_KIND)
    .order_by(_KIND)
)
_OF_TIME = _done(
    col(OperationRow.id),
    func.row_number()
    .over(partition_by=_KIND, order_by=(col(OperationRow.created_at).desc(), col(OperationRow.id)))
    .label("place"),
).subquery()
_EXAMPLES = (
    select(
        *map(col, (OperationRow.id, OperationRow.kind)),
        col(StoreRow.name).label("store"),
        func.left(col(OperationRow.reason), _REASON_CHARS).label("reason"),
        func.coalesce(
            col(OperationRow.effects).op("#>>")(literal_column("'{0,after,path}'")),
            col(OperationRow.changes).op("#>>")(literal_column("'{0,path}'")),
            "",
        ).label("path"),
    )
    .join(_OF_TIME, _OF_TIME.c.id == col(OperationRow.id))
    .join(StoreRow, col(StoreRow.id) == col(OperationRow.store_id))
    .where(col(OperationRow.tenant_id) == _TENANT, col(StoreRow.tenant_id) == _TENANT, _OF_TIME.c.place <= _LIMIT)
    .order_by(col(OperationRow.kind), _OF_TIME.c.place)
)
_IS_NEW = (
    (col(MemoryVersionRow.tenant_id) == _TENANT)
    & (col(MemoryVersionRow.store_id) == any_(_STORES))
    & (col(MemoryVersionRow.created_at) >= _SINCE)
    & (col(MemoryVersionRow.created_at) < _UNTIL)
    & (col(MemoryVersionRow.version) == 1)
)
_IS_IMPORTED = col(MemoryVersionRow.author) == literal_column(f"'{Author.IMPORT}'")
# Generated files have no such hash: an index is not new knowledge. What an undone dream wrote is gone.
_IS_KNOWLEDGE = (
    (col(MemoryRow.id) == col(MemoryVersionRow.memory_id))
    & (col(MemoryRow.tenant_id) == _TENANT)
    & (col(MemoryRow.fold_hash) != literal_column("''"))
    & (col(MemoryRow.state) != literal_column(f"'{MemoryState.REMOVED}'"))
)


def _count_new(*conditions: Any) -> Any:  # noqa: ANN401 - a scalar subquery
    found = (
        select(literal_column("1"))
        .select_from(MemoryVersionRow)
        .join(MemoryRow, _IS_KNOWLEDGE)
        .where(_IS_NEW, *conditions)
        .limit(_LIMIT)
        .subquery()
    )
    return select(func.count()).select_from(found).scalar_subquery()


_COUNT_NEW = select(_count_new(~_IS_IMPORTED).label("written"), _count_new(_IS_IMPORTED).label("imported"))
_TOLD = (*map(col, (MemoryRow.id, MemoryRow.path, MemoryRow.title)), col(StoreRow.name).label("store"))
_IN_STORE = (col(StoreRow.id) == col(MemoryRow.store_id)) & (col(StoreRow.tenant_id) == _TENANT)
_NEW = (
    select(*_TOLD)
    .select_from(MemoryVersionRow)
    .join(MemoryRow, _IS_KNOWLEDGE)
    .join(StoreRow, _IN_STORE)
    .where(_IS_NEW, _IS_LIVE, ~_IS_IMPORTED)
    .order_by(col(MemoryVersionRow.created_at).desc())
    .limit(_LIMIT)
)
#: Changes to knowledge, which can be right or wrong; an index, a clock or a hint cannot.
_JUDGED = [kind for kind, traits in KINDS.items() if traits.needs_approval or traits.waits_for_review]
_FATE = case(
    (col(OperationRow.review) == ReviewState.PENDING, literal_column("'waiting'")),
    (_IS_REJECTED, literal_column("'rejected'")),
    (col(OperationRow.state) == OperationState.UNDONE, literal_column("'taken_back'")),
    (col(OperationRow.review) == ReviewState.APPROVED, literal_column("'approved'")),
    (col(OperationRow.state) == OperationState.APPLIED, literal_column("'unjudged'")),
    else_=literal_column("''"),
)
_COUNT_JUDGED = _planned(_FATE, func.count()).where(_KIND.in_(_JUDGED)).group_by(literal_column("1"))
_SUM_CALLS = select(
    func.count().label("model_calls"),
    func.coalesce(
        func.sum(
            col(LlmCallRow.input_tokens)
            + col(LlmCallRow.output_tokens)
            + col(LlmCallRow.cached_tokens)
            + col(LlmCallRow.cache_write_tokens)
        ),
        0,
    ).label("tokens"),
    func.coalesce(func.sum(col(LlmCallRow.cost_usd)), 0.0).label("cost_usd"),
).where(
    col(LlmCallRow.tenant_id) == _TENANT,
    col(LlmCallRow.created_at) >= _SINCE,
    col(LlmCallRow.created_at) < _UNTIL,
    or_(
        literal_column("''") == _STORE,
        col(LlmCallRow.dream_id).in_(
            select(col(DreamRow.id)).where(col(DreamRow.tenant_id) == _TENANT, col(DreamRow.store_id) == any_(_STORES))
        ),
    ),
)
# As the index of recalled memories says it.
_IS_RECALLED = and_(
    col(MemoryRow.tenant_id) == _TENANT,
    _IS_LIVE,
    col(MemoryRow.access_count) > literal_column("0"),
    is_no_index(col(MemoryRow.path)),
)
_MOST_RECALLED = (
    select(col(MemoryRow.id)).where(_IS_RECALLED).order_by(col(MemoryRow.access_count).desc()).limit(_LIMIT).subquery()
)
_RECALLED = (
    select(*_TOLD, col(MemoryRow.access_count).label("times"))
    .select_from(_MOST_RECALLED)
    .join(MemoryRow, (col(MemoryRow.id) == _MOST_RECALLED.c.id) & (col(MemoryRow.tenant_id) == _TENANT))
    .join(StoreRow, _IN_STORE)
    .order_by(col(MemoryRow.access_count).desc(), col(MemoryRow.path))
)
_COUNT_RECALLED = select(func.count()).select_from(MemoryRow).where(_IS_RECALLED)
_COUNT_LIVE = (
    select(func.count())
    .select_from(StoreRow)
    .join(MemoryRow, (col(MemoryRow.store_id) == col(StoreRow.id)) & (col(MemoryRow.tenant_id) == _TENANT))
    .where(col(StoreRow.tenant_id) == _TENANT, _IS_LIVE, is_no_index(col(MemoryRow.path)))
)
_UTC: ColumnElement[str] = literal_column("'UTC'")
_EARLIER = aliased(DreamRow)
_NTH = (
    select(func.count())
    .select_from(_EARLIER)
    .where(
        col(_EARLIER.store_id) == col(DreamRow.store_id),
        col(_EARLIER.created_at) >= func.date_trunc("day", col(DreamRow.created_at), _UTC),
        tuple_(col(_EARLIER.created_at), col(_EARLIER.id)) <= tuple_(col(DreamRow.created_at), col(DreamRow.id)),
    )
    .scalar_subquery()
)
_NAMES = (
    select(col(DreamRow.id), col(StoreRow.name), cast(func.timezone(_UTC, col(DreamRow.created_at)), Date), _NTH)
    .join(StoreRow, (col(StoreRow.id) == col(DreamRow.store_id)) & (col(StoreRow.tenant_id) == _TENANT))
    .where(col(DreamRow.tenant_id) == _TENANT, col(DreamRow.id) == any_(bindparam("ids", type_=ARRAY(Text))))
)


class PostgresLearnedRepository:
    """Implements `LearnedRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant = {"tenant": tenant_id}

    def _asked(self, since: datetime, until: datetime, store: str, **more: object) -> dict[str, Any]:
        return self._tenant | {"since": since, "until": until, "store": store} | more

    def find_deeds(self, since: datetime, until: datetime, *, examples: int, store: str = "") -> list[OperationsOfKind]:
        """Return the operations of dreams in a period, by kind: applied ones, and flags that no person has rejected."""
        found: dict[str, list[OperationExample]] = defaultdict(list)
        for row in fetch(self._connection, _EXAMPLES, self._asked(since, until, store, limit=examples)):
            found[row["kind"]].append(
                OperationExample(operation_id=row["id"], store=row["store"], path=row["path"], reason=row["reason"])
            )
        return [
            OperationsOfKind(
                kind=OperationKind(kind), number=number, memories=int(memories), examples=tuple(found[kind])
            )
            for kind, number, memories in fetch_tuples(self._connection, _COUNT_DEEDS, self._asked(since, until, store))
        ]

    def count_new(self, since: datetime, until: datetime, *, most: int, store: str = "") -> NewMemories:
        """Return the number of new memories in a period that are still there, each number at most `most`."""
        (row,) = fetch(self._connection, _COUNT_NEW, self._asked(since, until, store, limit=most))
        return NewMemories(**row)

    def find_new(self, since: datetime, until: datetime, *, limit: int, store: str = "") -> list[ToldMemory]:
        """Return the newest new memories that are still live, without those of imports."""
        asked = self._asked(since, until, store, limit=limit)
        return [_told_from(row) for row in fetch(self._connection, _NEW, asked)]

    def count_judged(self, since: datetime, until: datetime, *, store: str = "") -> Judged:
        """Return what became of the changes to knowledge that the dreams of a period made or proposed."""
        found = dict(fetch_tuples(self._connection, _COUNT_JUDGED, self._asked(since, until, store)))
        found.pop("", None)  # refused by the dream itself, and never shown to a person
        return Judged(**found)

    def sum_calls(self, since: datetime, until: datetime, *, store: str = "") -> Spent:
        """Return the sums of the model calls in a period."""
        (row,) = fetch(self._connection, _SUM_CALLS, self._asked(since, until, store))
        return Spent(model_calls=row["model_calls"], tokens=int(row["tokens"]), cost_usd=float(row["cost_usd"]))

    def find_decided(self, *, by: str | None, limit: int, after: str | None = None) -> list[str]:
        """Return the ids of operations with a verdict, of one person or of all, the newest verdict first."""
        place = (col(OperationRow.decided_at), col(OperationRow.id))
        mine = col(OperationRow.tenant_id) == bindparam("tenant", type_=Text)
        is_decided = literal_column("operations.review IN ('approved', 'rejected')", Boolean)  # as the index has it
        query = select(col(OperationRow.id)).where(mine, is_decided)
        if by is not None:
            query = query.where(col(OperationRow.decided_by) == by)
        if after is not None:
            other = aliased(OperationRow)
            at = select(col(other.decided_at)).where(
                col(other.tenant_id) == self._tenant["tenant"], col(other.id) == after
            )
            query = query.where(tuple_(*place) < tuple_(at.scalar_subquery(), after))
        query = query.order_by(*(one.desc() for one in place)).limit(limit)
        return [str(found) for (found,) in fetch_tuples(self._connection, query, self._tenant)]

    def name_dreams(self, dream_ids: Collection[str]) -> dict[str, DreamName]:
        """Return the names of those of these dreams that exist, by id."""
        asked: dict[str, Any] = self._tenant | {"ids": [*dream_ids]}
        found = fetch_tuples(self._connection, _NAMES, asked) if dream_ids else []
        return {dream_id: DreamName(store=store, day=day, nth=nth) for dream_id, store, day, nth in found}

    def find_recalls(self, *, limit: int) -> Recalls:
        """Return the most recalled memories, and the number of memories that were never recalled."""
        live = int(fetch_tuples(self._connection, _COUNT_LIVE, self._tenant)[0][0])
        recalled = int(fetch_tuples(self._connection, _COUNT_RECALLED, self._tenant)[0][0])
        most = tuple(_told_from(row) for row in fetch(self._connection, _RECALLED, self._tenant | {"limit": limit}))
        return Recalls(live=live, never=live - recalled, most=most)


def _told_from(row: Row) -> ToldMemory:
    return ToldMemory(**row)
