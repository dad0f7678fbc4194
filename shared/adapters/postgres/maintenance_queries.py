"""What a store's upkeep asks, in SQL over indexes: 100,000 memories are looked at without one being loaded."""

from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, not_, or_, select, text

from shared.adapters.postgres.mapping import MEMORIES, Row
from shared.adapters.postgres.memory_rows import HEAD_COLUMNS, head_from
from shared.adapters.postgres.rejected import select_kept
from shared.core.decay import EXEMPT_CATEGORIES
from shared.core.doc_type import BREADCRUMB, DREAMT
from shared.core.memory import Author, Maturity, MemoryHead, Tier
from shared.core.plan_maintain import Subject, Twin
from shared.core.policy import SafetyPolicy
from shared.ports.maintenance import Fading

#: What `kind_of` calls anything but a topic. A contract test compares the two.
_GENERATED_PATHS = r"^MEMORY\.md$|(^|/)_index\.md$|\.(abstract|overview|stub|full)\.md$|^_archived/|^skills/[^/]*/"
_FOUND = (MEMORIES.c.id, MEMORIES.c.version, MEMORIES.c.path)
_EXEMPT = or_(MEMORIES.c.category.in_(EXEMPT_CATEGORIES), MEMORIES.c.doc_type.in_(EXEMPT_CATEGORIES))
_KEEP_FIRST = (
    MEMORIES.c.fold_hash,
    (MEMORIES.c.author == Author.USER).desc(),
    MEMORIES.c.reinforcement_count.desc(),
    MEMORIES.c.importance.desc(),
    MEMORIES.c.created_at,
    MEMORIES.c.id,
)


class PostgresMaintenanceQueries:
    """Implements `MaintenanceQueries` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        mine = (MEMORIES.c.tenant_id == tenant_id) & (MEMORIES.c.store_id == store_id)
        self._live = mine & text("memories.state = 'live'")
        self._subject = and_(self._live, not_(_EXEMPT), MEMORIES.c.path.op("!~")(_GENERATED_PATHS))
        self._working = text("memories.tier = 'working'")
        self._kept = select_kept(tenant_id, store_id)

    def find_duplicates(self, limit: int) -> list[tuple[Twin, ...]]:
        """Return groups of exact duplicates, the one to keep first."""
        hashed = and_(self._live, text("memories.fold_hash <> ''"))
        twice = select(MEMORIES.c.fold_hash).where(hashed).group_by(MEMORIES.c.fold_hash).having(func.count() > 1)
        # As an array, so that the few there are get looked up instead of every memory being read in their order.
        found = func.array(twice.order_by(MEMORIES.c.fold_hash).limit(limit).scalar_subquery())
        columns = (
            *_FOUND, MEMORIES.c.fold_hash, MEMORIES.c.access_count, MEMORIES.c.reinforcement_count,
            and_(MEMORIES.c.tier == Tier.WORKING, not_(_EXEMPT)).label("may_promote"),
        )  # fmt: skip
        query = select(*columns).where(hashed, MEMORIES.c.fold_hash == func.any(found)).order_by(*_KEEP_FIRST)
        rows = self._connection.execute(query.limit(2 * limit)).mappings().all()
        groups = [tuple(map(_twin, group)) for _, group in groupby(rows, key=lambda row: row["fold_hash"])]
        return [group for group in groups if len(group) > 1]

    def find_promotable(self, *, accesses: int, reinforcements: int, limit: int) -> list[Subject]:
        """Return memories of the working tier with at least so many of both."""
        query = select(*_FOUND).where(
            self._subject,
            self._working,
            MEMORIES.c.reinforcement_count >= reinforcements,
            MEMORIES.c.access_count >= accesses,
        )
        return self._find(query.order_by(MEMORIES.c.path).limit(limit))

    def find_stale_working(self, *, before: datetime, protected_importance: float, limit: int) -> list[Subject]:
        """Return memories of the working tier that nobody wrote, saw or used since then, the stalest first."""
        query = select(*_FOUND).where(
            self._subject,
            self._working,
            MEMORIES.c.reinforcement_count == 0,
            MEMORIES.c.touched_at < before,
            MEMORIES.c.access_count == 0,
            or_(MEMORIES.c.last_seen_at.is_(None), MEMORIES.c.last_seen_at < before),
            MEMORIES.c.maturity != Maturity.CORE,
            not_(MEMORIES.c.pinned),
            MEMORIES.c.author != Author.USER,
            MEMORIES.c.importance < protected_importance,
            MEMORIES.c.id.not_in(self._kept),
        )
        return self._find(query.order_by(MEMORIES.c.touched_at, MEMORIES.c.path).limit(limit))

    def find_fresh(self, since: datetime) -> list[MemoryHead]:
        """Return memories that are new since then, or that somebody but a dream has written, ordered by path."""
        is_own = or_(MEMORIES.c.doc_type.in_(DREAMT), MEMORIES.c.category.in_({*DREAMT, BREADCRUMB}))
        is_rewritten = and_(MEMORIES.c.author != Author.DREAM, MEMORIES.c.updated_at >= since)
        query = select(*HEAD_COLUMNS).where(
            self._live,
            not_(is_own),
            MEMORIES.c.path.op("!~")(_GENERATED_PATHS),
            or_(MEMORIES.c.created_at >= since, is_rewritten),
        )
        return [head_from(row) for row in self._connection.execute(query.order_by(MEMORIES.c.path))]

    def find_unused_durable(self, *, before: datetime, protected: SafetyPolicy, limit: int) -> list[Subject]:
        """Return memories of the durable tier without an access that nobody wrote or saw since then, stalest first."""
        query = select(*_FOUND).where(self._unused_durable(protected), MEMORIES.c.touched_at < before)
        query = query.where(or_(MEMORIES.c.last_seen_at.is_(None), MEMORIES.c.last_seen_at < before))
        return self._find(query.order_by(MEMORIES.c.touched_at, MEMORIES.c.path).limit(limit))

    def find_next_unused(self, *, after: datetime, protected: SafetyPolicy) -> datetime | None:
        """Return when the stalest of those was written or seen that are not yet of that age."""
        clock = func.greatest(MEMORIES.c.touched_at, MEMORIES.c.last_seen_at)
        query = select(func.min(clock)).where(self._unused_durable(protected), clock >= after)
        found: datetime | None = self._connection.execute(query).scalar_one()
        return found

    def _unused_durable(self, protected: SafetyPolicy) -> ColumnElement[bool]:
        return and_(
            self._subject,
            text("memories.tier = 'durable'"),
            MEMORIES.c.access_count == 0,
            MEMORIES.c.maturity != Maturity.CORE,
            not_(MEMORIES.c.pinned),
            MEMORIES.c.author != Author.USER,
            MEMORIES.c.importance < protected.protected_importance,
            MEMORIES.c.reinforcement_count < protected.protected_reinforcements,
            MEMORIES.c.id.not_in(self._kept),
        )

    def find_kept(self) -> frozenset[str]:
        """Return the ids of memories whose archiving a person has rejected, and that nobody has written since."""
        return frozenset(self._connection.scalars(self._kept))

    def count_decayed(self, fading: Fading) -> int:
        """Return how many memories began to fade."""
        grace = timedelta(days=fading.grace_days)
        clock = func.coalesce(MEMORIES.c.last_seen_at, MEMORIES.c.touched_at)
        clock = clock if fading.by_last_seen else MEMORIES.c.touched_at
        query = select(func.count()).where(self._subject, clock <= fading.now - grace)
        query = query.where(MEMORIES.c.importance > fading.floor_importance)
        if fading.since is not None:
            query = query.where(clock > fading.since - grace)
        if fading.only_unused:
            query = query.where(MEMORIES.c.access_count == 0, MEMORIES.c.reinforcement_count == 0)
        return int(self._connection.execute(query).scalar_one())

    def _find(self, query: Select[Any]) -> list[Subject]:
        rows = self._connection.execute(query).all()
        return [Subject(id=row[0], version=row[1], path=row[2]) for row in rows]


def _twin(row: Row) -> Twin:
    return Twin(
        subject=Subject(id=row["id"], version=row["version"], path=row["path"]),
        access_count=row["access_count"],
        reinforcement_count=row["reinforcement_count"],
        may_promote=row["may_promote"],
    )
