"""Links between the live memories of one store, from rows that are written with their texts (`writes.py`).

A row is one possible target of a link. The link leads to the likeliest existing one, so nothing has to be written when
a memory gets a path or leaves it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BIGINT,
    INTEGER,
    ColumnElement,
    Connection,
    Select,
    Subquery,
    Text,
    any_,
    bindparam,
    cast,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.memories.rows import IS_LIVE, OF_STORE, select_domain
from shared.adapters.postgres.sql.statements import fetch_tuples
from shared.adapters.postgres.tables.stores import MemoryLinkRow, MemoryRow
from shared.core.memory.links import LinkPlace, name_target
from shared.ports.stores import LINKS_AT_ONCE, DeadLink, DomainLinks, LinkedMemory, WriteMark

_LIVE: ColumnElement[str] = literal_column("'live'")
_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_SOURCE, _BETTER_TARGET = aliased(MemoryRow), aliased(MemoryRow)
_BETTER = aliased(MemoryLinkRow)
_OF_STORE = (col(MemoryLinkRow.tenant_id) == _TENANT) & (col(MemoryLinkRow.store_id) == _STORE)
_LIMIT = bindparam("limit", type_=INTEGER)
_PATH_NAME = literal_column("'/'", Text).concat(func.split_part(col(MemoryRow.path), "/", -1))
#: No likelier target of the link exists.
_IS_LIKELIEST = ~(
    exists()
    .where(
        col(_BETTER.tenant_id) == col(MemoryLinkRow.tenant_id),
        col(_BETTER.memory_id) == col(MemoryLinkRow.memory_id),
        col(_BETTER.place) == col(MemoryLinkRow.place),
        col(_BETTER.rank) < col(MemoryLinkRow.rank),
        col(_BETTER_TARGET.store_id) == col(_BETTER.store_id),
        col(_BETTER_TARGET.path) == col(_BETTER.target),
        col(_BETTER_TARGET.state) == _LIVE,
    )
    .correlate(MemoryLinkRow)
)


def _reached(*only: ColumnElement[bool]) -> Subquery:
    """Return (source id, source domain, target id, target domain) of each link that leads somewhere.

    Paths and names of the store's live memories are read once, from an index; then each link takes the first of its rows
    that names one. A check of each row for a better one that leads somewhere took three times as long.
    """
    path = col(MemoryRow.path)
    live = select(col(MemoryRow.id), path, select_domain(path).label("domain")).where(OF_STORE, IS_LIVE).cte("live")
    name = literal_column("'/'", Text).concat(func.split_part(live.c.path, "/", -1)).label("target")
    by_name = (
        select(name, live.c.id, live.c.domain).ext(distinct_on(name)).order_by(name, live.c.path).subquery("by_name")
    )
    named = union_all(select(live.c.path.label("target"), live.c.id, live.c.domain), select(by_name)).subquery("named")
    link = col(MemoryLinkRow.memory_id), col(MemoryLinkRow.place)
    likeliest = (
        select(col(MemoryLinkRow.memory_id), named.c.id, named.c.domain)
        .ext(distinct_on(*link))
        .where(_OF_STORE, named.c.target == col(MemoryLinkRow.target), *only)
        .order_by(*link, col(MemoryLinkRow.rank))
        .subquery("likeliest")
    )
    ends = (
        live.c.id.label("source_id"),
        live.c.domain.label("source"),
        likeliest.c.id.label("target_id"),
        likeliest.c.domain.label("target"),
    )
    leads = select(*ends).where(live.c.id == likeliest.c.memory_id, likeliest.c.id != live.c.id)
    return leads.subquery("reached")


_EVERY = _reached()
_COUNT_MEMORIES = (
    select(select_domain(col(MemoryRow.path)).label("domain"), func.count().label("memories"))
    .where(OF_STORE, IS_LIVE)
    .group_by(literal_column("domain"))
    .order_by(literal_column("memories").desc(), literal_column("domain"))
    .limit(_LIMIT)
)
_COUNT_BETWEEN = (
    select(_EVERY.c.source, _EVERY.c.target, func.count().label("links"))
    .group_by(_EVERY.c.source, _EVERY.c.target)
    .order_by(literal_column("links").desc(), _EVERY.c.source, _EVERY.c.target)
    .limit(_LIMIT)
)


def _most_linked() -> Select[*tuple[Any, ...]]:
    domain = bindparam("domain", type_=Text)
    one, none = literal_column("1", INTEGER), literal_column("0", INTEGER)
    reached = select(_EVERY).cte("reached")
    outwards = select(reached.c.source_id.label("id"), one.label("way_out"), none.label("way_in"))
    inwards = select(reached.c.target_id, none, one)
    every = union_all(outwards.where(reached.c.source == domain), inwards.where(reached.c.target == domain))
    ways = every.subquery("every")
    out, into = func.sum(ways.c.way_out), func.sum(ways.c.way_in)
    ranked = (
        select(ways.c.id, out.label("links_out"), into.label("links_in"))
        .group_by(ways.c.id)
        .order_by((out + into).desc(), ways.c.id)
        .offset(bindparam("offset", type_=INTEGER))
        .limit(_LIMIT)
        .subquery("ranked")
    )
    shown = (ranked.c.id, col(MemoryRow.path), col(MemoryRow.title), ranked.c.links_out, ranked.c.links_in)
    order = ((ranked.c.links_out + ranked.c.links_in).desc(), ranked.c.id)
    return select(*shown).where(OF_STORE, col(MemoryRow.id) == ranked.c.id).order_by(*order)


_MOST_LINKED = _most_linked()
_IDS = any_(bindparam("ids", type_=ARRAY(Text)))
_AMONG = _reached(col(MemoryLinkRow.memory_id) == _IDS)
_FIND_AMONG = (
    select(_AMONG.c.source_id, _AMONG.c.target_id)
    .where(_AMONG.c.target_id == _IDS)
    .distinct()
    .order_by(_AMONG.c.source_id, _AMONG.c.target_id)
    .limit(_LIMIT)
)
_PATH, _NAME = bindparam("path", type_=Text), bindparam("name", type_=Text)
#: Evaluated once, and only where a link names the file alone.
_IS_FIRST_OF_ITS_NAME = ~exists().where(OF_STORE, IS_LIVE, _PATH_NAME == _NAME, col(MemoryRow.path) < _PATH)
_FIND_INCOMING = (
    select(col(_SOURCE.id), col(_SOURCE.path), col(_SOURCE.title))
    .where(
        _OF_STORE,
        col(MemoryLinkRow.target) == any_(bindparam("targets", type_=ARRAY(Text))),
        col(MemoryLinkRow.memory_id) > bindparam("after_id", type_=Text),
        col(_SOURCE.id) == col(MemoryLinkRow.memory_id),
        col(_SOURCE.tenant_id) == col(MemoryLinkRow.tenant_id),
        col(_SOURCE.state) == _LIVE,
        col(_SOURCE.path) != _PATH,
        _IS_LIKELIEST,
        or_(col(MemoryLinkRow.target) == _PATH, _IS_FIRST_OF_ITS_NAME),
    )
    .distinct()
    .order_by(col(_SOURCE.id))
    .limit(_LIMIT)
)
_AFTER = tuple_(bindparam("after_id", type_=Text), bindparam("after_place", type_=INTEGER))
_AT_COLUMNS = col(MemoryLinkRow.memory_id), col(MemoryLinkRow.place)
#: Each link has a row of rank 0, for the path that it most likely means. How many are looked at is no parameter: a plan for
#: any number of them reads all links of the store.
_LOOKED_AT = (
    select(*_AT_COLUMNS, col(MemoryLinkRow.tenant_id), col(MemoryLinkRow.target))
    .where(_OF_STORE, col(MemoryLinkRow.rank) == literal_column("0", INTEGER), tuple_(*_AT_COLUMNS) > _AFTER)
    .order_by(*_AT_COLUMNS)
    .limit(literal_column(str(LINKS_AT_ONCE), INTEGER))
)
_FIND_LAST = _LOOKED_AT.offset(literal_column(str(LINKS_AT_ONCE - 1), INTEGER))


def _dead() -> Select[*tuple[Any, ...]]:
    link = _LOOKED_AT.cte("link").prefix_with("MATERIALIZED")
    meant, there = aliased(MemoryLinkRow), aliased(MemoryRow)
    of_link = (
        col(meant.tenant_id) == link.c.tenant_id,
        col(meant.memory_id) == link.c.memory_id,
        col(meant.place) == link.c.place,
    )
    # One value for each link, which no planner makes a join of: over a store that was not analyzed yet it took minutes.
    leads: Select[*tuple[Any, ...]] = select(literal_column("1")).where(
        *of_link,
        col(there.store_id) == col(meant.store_id),
        col(there.path) == col(meant.target),
        col(there.state) == _LIVE,
    )
    name = select(col(meant.target)).where(*of_link, col(meant.target).startswith("/")).limit(1)
    shown = (col(_SOURCE.path), col(_SOURCE.title), link.c.target, name.scalar_subquery())
    return (
        select(link.c.memory_id, link.c.place, *shown)
        .where(
            col(_SOURCE.id) == link.c.memory_id,
            col(_SOURCE.tenant_id) == link.c.tenant_id,
            col(_SOURCE.state) == _LIVE,
            leads.limit(1).correlate(link).scalar_subquery().is_(None),
        )
        .order_by(link.c.memory_id, link.c.place)
    )


_FIND_DEAD = _dead()
_NAMES = select(func.unnest(bindparam("names", type_=ARRAY(Text))))
#: As a subquery they are hashed; an array would be searched for each path.
_FIND_NAMES = select(_PATH_NAME).where(OF_STORE, IS_LIVE, _PATH_NAME.in_(_NAMES)).distinct()
_BEYOND: Select[*tuple[Any, ...]] = (
    select(literal_column("1")).where(_OF_STORE).offset(bindparam("offset", type_=INTEGER)).limit(1)
)
#: No earlier transaction is still open.
_FIND_BEGIN = select(cast(cast(func.pg_snapshot_xmin(func.pg_current_snapshot()), Text), BIGINT))
_BY = col(MemoryRow.written_by)
_WRITTEN_SINCE = select(func.count(), func.coalesce(func.sum(_BY), 0)).where(
    OF_STORE, bindparam("since", type_=BIGINT) <= _BY
)


class PostgresLinkRepository:
    """Implements `LinkRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys: Mapping[str, object] = {"tenant": tenant_id, "store": store_id}

    def count_memories(self, limit: int) -> dict[str, int]:
        """Return the number of live memories in each top-level folder."""
        return dict(fetch_tuples(self._connection, _COUNT_MEMORIES, {**self._keys, "limit": limit}))

    def count_between(self, limit: int) -> list[DomainLinks]:
        """Return the numbers of links between top-level folders, the largest first."""
        rows = fetch_tuples(self._connection, _COUNT_BETWEEN, {**self._keys, "limit": limit})
        return [DomainLinks(source=source, target=target, links=links) for source, target, links in rows]

    def find_most_linked(self, domain: str, *, offset: int, limit: int) -> list[LinkedMemory]:
        """Return the memories of a top-level folder with links, those with the most links first."""
        values = {**self._keys, "domain": domain, "offset": offset, "limit": limit}
        rows = fetch_tuples(self._connection, _MOST_LINKED, values)
        return [LinkedMemory(id=row[0], path=row[1], title=row[2], links_out=row[3], links_in=row[4]) for row in rows]

    def find_among(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Return (source id, target id) of the links among these memories."""
        if not ids:
            return []
        rows = fetch_tuples(self._connection, _FIND_AMONG, {**self._keys, "ids": list(ids), "limit": limit})
        return [(source, target) for source, target in rows]

    def find_incoming(self, path: str, *, after_id: str, limit: int) -> list[LinkedMemory]:
        """Return the live memories with a link to the live one at a path, by id."""
        name = name_target(path.rpartition("/")[2])
        values = {
            **self._keys,
            "path": path,
            "name": name,
            "targets": [path, name],
            "after_id": after_id,
            "limit": limit,
        }
        rows = fetch_tuples(self._connection, _FIND_INCOMING, values)
        return [LinkedMemory(id=memory_id, path=source, title=title) for memory_id, source, title in rows]

    def find_dead(self, after: LinkPlace) -> tuple[list[DeadLink], LinkPlace | None]:
        """Look at `LINKS_AT_ONCE` links; return those that lead to no path, and the last place if there may be more."""
        values: dict[str, object] = {**self._keys, "after_id": after.memory_id, "after_place": after.place}
        last = fetch_tuples(self._connection, _FIND_LAST, values)
        rows = fetch_tuples(self._connection, _FIND_DEAD, values)
        found = [
            DeadLink(at=LinkPlace(memory_id, place), path=path, title=title, target=target, name=name)
            for memory_id, place, path, title, target, name in rows
        ]
        return found, LinkPlace(*last[0][:2]) if last else None

    def find_names(self, names: Sequence[str]) -> set[str]:
        """Return the names, each `/name.md`, that belong to a live memory in any folder.

        No index holds names: the paths of the whole store are read, from an index.
        """
        if not names:
            return set()
        return {row[0] for row in fetch_tuples(self._connection, _FIND_NAMES, {**self._keys, "names": list(names)})}

    def has_more_than(self, links: int) -> bool:
        """Tell whether the store's texts hold more links than this."""
        return bool(fetch_tuples(self._connection, _BEYOND, {**self._keys, "offset": links}))

    def find_mark(self, since: int | None = None) -> WriteMark:
        """Return the mark of writes to the store since a transaction, or since the oldest open one."""
        if since is None:
            since = int(fetch_tuples(self._connection, _FIND_BEGIN, {})[0][0])
        written, by = fetch_tuples(self._connection, _WRITTEN_SINCE, {**self._keys, "since": since})[0]
        return WriteMark(since, written, int(by))
