"""Queries of a store's upkeep, over indexes: they check 100,000 memories without loading one.

A person keeps a memory by rejecting its archiving, until the memory is written again.
"""

from datetime import date, datetime, timedelta
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    and_,
    bindparam,
    func,
    literal_column,
    not_,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.memories.rows import GENERATED_PATHS, HEAD_COLUMNS, IS_LIVE, OF_STORE, head_from
from shared.adapters.postgres.sql.statements import Expression, Row, fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, OperationRow
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow
from shared.core.dream.model import DreamState, OperationState
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.memory.doc_type import BREADCRUMB, DREAMT
from shared.core.memory.model import Author, Maturity, MemoryHead, Tier
from shared.core.memory.paths import original_of
from shared.core.policy.policy import SafetyPolicy
from shared.core.upkeep.decay import EXEMPT_CATEGORIES
from shared.core.upkeep.maintenance import Expired, Subject, Twin
from shared.ports.memories import DecayedRule

_UPKEEP = tuple(kind for kind, traits in KINDS.items() if traits.is_bulk)
_ARCHIVING = tuple(kind for kind, traits in KINDS.items() if traits.is_archiving)


def _select_changed(*further: Any) -> Select[Any]:  # noqa: ANN401 - columns
    """Return the query for the ids of the memories that operations of a store change, with further columns."""
    change = func.jsonb_array_elements(col(OperationRow.changes), type_=JSONB).table_valued("value").lateral()
    return (
        select(change.c.value.op("->>")("memory_id").label("memory_id"), *further)
        .select_from(OperationRow)
        .join(change, true())
        .where(
            col(OperationRow.tenant_id) == bindparam("tenant", type_=Text),
            col(OperationRow.store_id) == bindparam("store", type_=Text),
        )
    )


def select_kept() -> Select[str]:
    """Return the query for the ids of memories whose archiving a person has rejected.

    An undone dream rejects its own proposals, which does not count.
    """
    rejected = (
        _select_changed(col(OperationRow.created_at))
        .join(DreamRow, col(DreamRow.id) == col(OperationRow.dream_id))
        .where(
            col(OperationRow.review) == "rejected",
            col(OperationRow.state) == OperationState.REJECTED,
            col(OperationRow.kind).in_(_ARCHIVING),
            col(DreamRow.state) != DreamState.UNDONE,
        )
        .subquery()
    )
    kept = aliased(MemoryRow, name="kept")
    is_unwritten = col(kept.updated_at) <= rejected.c.created_at
    return (
        select(col(kept.id))
        .join(rejected, rejected.c.memory_id == col(kept.id))
        .where(col(kept.tenant_id) == bindparam("tenant", type_=Text), is_unwritten)
    )


#: The condition of `is_log`.
_LOG_PATHS = r"(^|/)logs/|(^|/)[0-9]{4}-[0-9]{2}-[0-9]{2}\.md$"
_FOUND = (col(MemoryRow.id), col(MemoryRow.version), col(MemoryRow.path))
_EXEMPT = or_(col(MemoryRow.category).in_(EXEMPT_CATEGORIES), col(MemoryRow.doc_type).in_(EXEMPT_CATEGORIES))
_KEEP_FIRST = (
    col(MemoryRow.fold_hash),
    or_(col(MemoryRow.by_person), col(MemoryRow.pinned), col(MemoryRow.maturity) == Maturity.CORE).desc(),
    func.length(col(MemoryRow.path)),  # the file itself, to which others link: a copy's name is longer
    col(MemoryRow.id),
)


# Written out and not bound, so that a plan for any value may go through the indexes of these.
_LIVE = OF_STORE & IS_LIVE
_WORKING = col(MemoryRow.tier) == literal_column("'working'")
_SUBJECT = and_(_LIVE, not_(_EXEMPT), col(MemoryRow.path).op("!~")(GENERATED_PATHS))
_KEPT = select_kept()
#: What upkeep has proposed waits for a person: it is neither proposed again nor a reason for a dream.
_IS_WAITING = col(MemoryRow.id).in_(
    _select_changed().where(
        col(OperationRow.review) == literal_column("'pending'"),
        col(OperationRow.state) == OperationState.PROPOSED,
        col(OperationRow.kind).in_(_UPKEEP),
    )
)
_IS_UNSEEN = or_(col(MemoryRow.last_seen_at).is_(None), col(MemoryRow.last_seen_at) < bindparam("before"))
_STALEST = (col(MemoryRow.touched_at), col(MemoryRow.path))


def _duplicates() -> Select[*tuple[Any, ...]]:
    hashed = and_(_LIVE, col(MemoryRow.fold_hash) != literal_column("''"), not_(_IS_WAITING))
    twice = select(col(MemoryRow.fold_hash)).where(hashed).group_by(col(MemoryRow.fold_hash)).having(func.count() > 1)
    # As an array, so that the few there are get looked up instead of every memory being read in their order.
    found = func.array(twice.order_by(col(MemoryRow.fold_hash)).limit(bindparam("limit")).scalar_subquery())
    columns = (
        *_FOUND, col(MemoryRow.fold_hash), col(MemoryRow.access_count), col(MemoryRow.reinforcement_count),
        and_(col(MemoryRow.tier) == Tier.WORKING, not_(_EXEMPT)).label("may_promote"),
    )  # fmt: skip
    query = select(*columns).where(hashed, col(MemoryRow.fold_hash) == func.any(found)).order_by(*_KEEP_FIRST)
    return query.limit(bindparam("rows"))


def _may_go(*further: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a memory was never used and is not protected."""
    return and_(
        _SUBJECT,
        col(MemoryRow.access_count) == 0,
        col(MemoryRow.maturity) != Maturity.CORE,
        not_(col(MemoryRow.pinned)),
        not_(col(MemoryRow.by_person)),
        col(MemoryRow.importance) < bindparam("protected_importance"),
        col(MemoryRow.id).not_in(_KEPT),
        not_(_IS_WAITING),
        col(MemoryRow.path).op("!~")(_LOG_PATHS),
        *further,
    )


_UNUSED_DURABLE = _may_go(
    col(MemoryRow.tier) == literal_column("'durable'"),
    col(MemoryRow.reinforcement_count) < bindparam("protected_reinforcements"),
)
_FIND_DUPLICATES = _duplicates()
_FIND_PROMOTABLE = (
    select(*_FOUND)
    .where(
        _SUBJECT,
        _WORKING,
        not_(_IS_WAITING),
        col(MemoryRow.reinforcement_count) >= bindparam("reinforcements"),
        col(MemoryRow.access_count) >= bindparam("accesses"),
    )
    .order_by(col(MemoryRow.path))
    .limit(bindparam("limit"))
)
#: An import brings the dates of its files. A recent import is not stale here, however old its file is.
_IS_IMPORT = and_(
    col(MemoryRow.author) == Author.IMPORT,
    col(MemoryVersionRow.memory_id) == col(MemoryRow.id),
    col(MemoryVersionRow.version) == col(MemoryRow.version),
)
_IMPORTED_AT = select(col(MemoryVersionRow.created_at)).where(_IS_IMPORT).scalar_subquery()
# Looked up by the version's key. As an EXISTS it went through the versions of that time for each memory where statistics were
# older than a large import: 25 s among 100,000.
_WAS_THERE_BEFORE = func.coalesce(bindparam("before") > _IMPORTED_AT, true())
_FIND_STALE_WORKING = (
    select(*_FOUND)
    .where(
        _may_go(_WORKING, col(MemoryRow.reinforcement_count) == 0, _WAS_THERE_BEFORE),
        col(MemoryRow.touched_at) < bindparam("before"),
        _IS_UNSEEN,
    )
    .order_by(*_STALEST)
    .limit(bindparam("limit"))
)
_FIND_UNUSED_DURABLE = (
    select(*_FOUND)
    .where(_UNUSED_DURABLE, _WAS_THERE_BEFORE, col(MemoryRow.touched_at) < bindparam("before"), _IS_UNSEEN)
    .order_by(*_STALEST)
    .limit(bindparam("limit"))
)
_TOUCHED_OR_SEEN = func.greatest(col(MemoryRow.touched_at), col(MemoryRow.last_seen_at), _IMPORTED_AT)
_CAME_BACK = aliased(MemoryRow, name="came_back")
_TAKEN_BACK = (
    _select_changed(col(OperationRow.created_at))
    .where(
        col(OperationRow.kind) == OperationKind.EXPIRE,
        col(OperationRow.state).in_((OperationState.UNDONE, OperationState.REJECTED)),
    )
    .subquery()
)
_FIND_EXPIRED = (
    select(*_FOUND, col(MemoryRow.expires))
    .where(
        _LIVE,
        col(MemoryRow.expires).is_not(None),
        col(MemoryRow.expires) < bindparam("today"),
        not_(col(MemoryRow.pinned)),
        not_(_IS_WAITING),
        col(MemoryRow.path).op("!~")(GENERATED_PATHS),
        col(MemoryRow.id).not_in(
            select(col(_CAME_BACK.id))
            .join(_TAKEN_BACK, _TAKEN_BACK.c.memory_id == col(_CAME_BACK.id))
            .where(col(_CAME_BACK.updated_at) <= _TAKEN_BACK.c.created_at)
        ),
    )
    .order_by(col(MemoryRow.expires), col(MemoryRow.path))
    .limit(bindparam("limit"))
)
_FIND_NEXT_UNUSED = select(func.min(_TOUCHED_OR_SEEN)).where(
    _UNUSED_DURABLE, _TOUCHED_OR_SEEN.op(">=")(bindparam("after"))
)
_FIND_KEPT = _KEPT
_IS_OWN = or_(col(MemoryRow.doc_type).in_(DREAMT), col(MemoryRow.category).in_(sorted({*DREAMT, BREADCRUMB})))
_IS_REWRITTEN = and_(col(MemoryRow.author) != Author.DREAM, col(MemoryRow.updated_at) >= bindparam("since"))
_FIND_FRESH = (
    select(*HEAD_COLUMNS)
    .where(
        _LIVE,
        not_(_IS_OWN),
        col(MemoryRow.path).op("!~")(GENERATED_PATHS),
        # Follows from the next line, and has an index: a day's memories are looked up, not a store read through.
        func.greatest(col(MemoryRow.created_at), col(MemoryRow.updated_at)).op(">=")(bindparam("since")),
        or_(col(MemoryRow.created_at) >= bindparam("since"), _IS_REWRITTEN),
    )
    .order_by(col(MemoryRow.path))
)


@cache
def _count_decayed(*, by_last_seen: bool, has_since: bool, only_unused: bool) -> Expression:
    clock = (
        func.coalesce(col(MemoryRow.last_seen_at), col(MemoryRow.touched_at))
        if by_last_seen
        else col(MemoryRow.touched_at)
    )
    query = select(func.count()).where(_SUBJECT, clock <= bindparam("upto"))
    query = query.where(col(MemoryRow.importance) > bindparam("floor_importance"))
    if has_since:
        query = query.where(clock > bindparam("since"))
    if only_unused:
        query = query.where(col(MemoryRow.access_count) == 0, col(MemoryRow.reinforcement_count) == 0)
    return query


class PostgresMaintenanceRepository:
    """Implements `MaintenanceRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_duplicates(self, limit: int) -> list[tuple[Twin, ...]]:
        """Return groups of exact duplicates, the one to keep first."""
        rows = fetch(self._connection, _FIND_DUPLICATES, self._keys | {"limit": limit, "rows": 2 * limit})
        groups = [tuple(map(_twin, group)) for _, group in groupby(rows, key=lambda row: row["fold_hash"])]
        return [group for group in groups if len(group) > 1 and any(map(_is_original, group))]

    def find_promotable(self, *, accesses: int, reinforcements: int, limit: int) -> list[Subject]:
        """Return memories of the working tier with at least these numbers of accesses and reinforcements."""
        return self._find(
            _FIND_PROMOTABLE, {"accesses": accesses, "reinforcements": reinforcements, "limit": limit}
        )  # fmt: skip

    def find_stale_working(self, *, before: datetime, protected_importance: float, limit: int) -> list[Subject]:
        """Return memories of the working tier that were not written, seen or used since then, stalest first."""
        values = {"before": before, "protected_importance": protected_importance, "limit": limit}
        return self._find(_FIND_STALE_WORKING, values)

    def find_expired(self, *, today: date, limit: int) -> list[Expired]:
        """Return memories whose last day is before today, the earliest first."""
        rows = fetch_tuples(self._connection, _FIND_EXPIRED, self._keys | {"today": today, "limit": limit})
        return [Expired(subject=Subject(id=row[0], version=row[1], path=row[2]), on=row[3]) for row in rows]

    def find_fresh(self, since: datetime) -> list[MemoryHead]:
        """Return memories that are new since then, or that a person, an agent or an import has written, ordered by path."""
        return [head_from(row) for row in fetch_tuples(self._connection, _FIND_FRESH, self._keys | {"since": since})]

    def find_unused_durable(self, *, before: datetime, protected: SafetyPolicy, limit: int) -> list[Subject]:
        """Return memories of the durable tier without an access that were not written or seen since then, stalest first."""
        return self._find(_FIND_UNUSED_DURABLE, _limits(protected) | {"before": before, "limit": limit})

    def find_next_unused(self, *, after: datetime, protected: SafetyPolicy) -> datetime | None:
        """Return when the stalest of those was written or seen that are not yet of that age."""
        rows = fetch_tuples(self._connection, _FIND_NEXT_UNUSED, self._keys | _limits(protected) | {"after": after})
        found: datetime | None = rows[0][0]
        return found

    def find_kept(self) -> frozenset[str]:
        """Return the ids of memories whose archiving a person has rejected, and that were not written since."""
        return frozenset(row[0] for row in fetch_tuples(self._connection, _FIND_KEPT, self._keys))

    def count_decayed(self, fading: DecayedRule) -> int:
        """Return how many memories began to decay."""
        grace = timedelta(days=fading.grace_days)
        query = _count_decayed(
            by_last_seen=fading.by_last_seen, has_since=fading.since is not None, only_unused=fading.only_unused
        )
        values = {"upto": fading.now - grace, "floor_importance": fading.floor_importance}
        since = {} if fading.since is None else {"since": fading.since - grace}
        return int(fetch_tuples(self._connection, query, self._keys | values | since)[0][0])

    def _find(self, query: Expression, values: dict[str, Any]) -> list[Subject]:
        rows = fetch_tuples(self._connection, query, self._keys | values)
        return [Subject(id=row[0], version=row[1], path=row[2]) for row in rows]


def _limits(protected: SafetyPolicy) -> dict[str, Any]:
    return {
        "protected_importance": protected.protected_importance,
        "protected_reinforcements": protected.protected_reinforcements,
    }


def _is_original(twin: Twin) -> bool:
    """Tell whether a file is no copy: without it, `room (1)` and `room (2)` are two of a series."""
    return original_of(twin.subject.path) == twin.subject.path


def _twin(row: Row) -> Twin:
    return Twin(
        subject=Subject(id=row["id"], version=row["version"], path=row["path"]),
        access_count=row["access_count"],
        reinforcement_count=row["reinforcement_count"],
        may_promote=row["may_promote"],
    )
