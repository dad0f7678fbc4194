"""Links between the live memories of one store, from rows that are written with their texts (`writes.py`).

A row says one thing that a link may mean. The link leads to the likeliest one that is there now, so that nothing has to be
written when a memory comes to a path or leaves it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    INTEGER,
    ColumnElement,
    Connection,
    Select,
    SQLColumnExpression,
    Text,
    any_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.memories.rows import IS_LIVE, OF_STORE
from shared.adapters.postgres.sql.statements import fetch_tuples
from shared.adapters.postgres.tables.stores import MemoryLinkRow, MemoryRow
from shared.core.memory.links import name_target
from shared.ports.stores import DomainLinks, LinkedMemory

_LIVE: ColumnElement[str] = literal_column("'live'")
_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_SOURCE, _TARGET, _BETTER_TARGET = aliased(MemoryRow), aliased(MemoryRow), aliased(MemoryRow)
_BETTER = aliased(MemoryLinkRow)
_OF_STORE = (col(MemoryLinkRow.tenant_id) == _TENANT) & (col(MemoryLinkRow.store_id) == _STORE)
_LIMIT = bindparam("limit", type_=INTEGER)
_PATH_NAME = literal_column("'/'", Text).concat(func.split_part(col(MemoryRow.path), "/", -1))
#: Nothing that the link may mean before this is there.
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
_IS_NAME = func.left(col(MemoryLinkRow.target), 1) == literal_column("'/'")


def _domain(path: SQLColumnExpression[str]) -> ColumnElement[str]:
    """Return the first folder of a path, as `domain_of` does."""
    return case((func.strpos(path, "/") > 0, func.split_part(path, "/", 1)), else_=literal_column("''"))


def _reached() -> tuple[Select[*tuple[Any, ...]], Select[*tuple[Any, ...]]]:
    """Return (source id, source path, target id, target path) of each link by a path, and of each by a name alone."""
    columns = [col(_SOURCE.id), col(_SOURCE.path), col(_TARGET.id), col(_TARGET.path)]
    labels = ("source_id", "source", "target_id", "target")
    wanted: Select[*tuple[Any, ...]] = select(
        *(column.label(label) for column, label in zip(columns, labels, strict=True))
    ).where(
        _OF_STORE,
        col(_SOURCE.id) == col(MemoryLinkRow.memory_id),
        col(_SOURCE.tenant_id) == col(MemoryLinkRow.tenant_id),
        col(_SOURCE.state) == _LIVE,
        col(_TARGET.tenant_id) == col(MemoryLinkRow.tenant_id),
        col(_TARGET.store_id) == col(MemoryLinkRow.store_id),
        col(_TARGET.state) == _LIVE,
        col(_TARGET.id) != col(_SOURCE.id),
        _IS_LIKELIEST,
    )
    asked = select(col(MemoryLinkRow.target)).where(_OF_STORE, _IS_NAME)
    named = (
        select(_PATH_NAME.label("name"), func.min(col(MemoryRow.path)).label("path"))
        .where(OF_STORE, IS_LIVE, _PATH_NAME.in_(asked))
        .group_by(_PATH_NAME)
        .subquery("named")
    )
    by_path = wanted.where(col(_TARGET.path) == col(MemoryLinkRow.target))
    by_name = wanted.where(_IS_NAME, named.c.name == col(MemoryLinkRow.target), col(_TARGET.path) == named.c.path)
    return by_path, by_name


_BY_PATH, _BY_NAME = _reached()
_BOTH = union_all(_BY_PATH, _BY_NAME).subquery("reached")
_COUNT_MEMORIES = (
    select(_domain(col(MemoryRow.path)).label("domain"), func.count().label("memories"))
    .where(OF_STORE, IS_LIVE)
    .group_by(literal_column("domain"))
    .order_by(literal_column("memories").desc(), literal_column("domain"))
    .limit(_LIMIT)
)
_COUNT_BETWEEN = (
    select(
        _domain(_BOTH.c.source).label("from_domain"),
        _domain(_BOTH.c.target).label("to_domain"),
        func.count().label("links"),
    )
    .group_by(literal_column("from_domain"), literal_column("to_domain"))
    .order_by(literal_column("links").desc(), literal_column("from_domain"), literal_column("to_domain"))
    .limit(_LIMIT)
)


def _most_linked() -> Select[*tuple[Any, ...]]:
    domain = bindparam("domain", type_=Text)
    one, none = literal_column("1", INTEGER), literal_column("0", INTEGER)
    ways = [
        *(select(each.c.source_id.label("id"), one.label("way_out"), none.label("way_in")) for each in _within(_SOURCE, domain)),
        *(select(each.c.target_id.label("id"), none.label("way_out"), one.label("way_in")) for each in _within(_TARGET, domain)),
    ]  # fmt: skip
    every = union_all(*ways).subquery("every")
    out, into = func.sum(every.c.way_out), func.sum(every.c.way_in)
    ranked = (
        select(every.c.id, out.label("links_out"), into.label("links_in"))
        .group_by(every.c.id)
        .order_by((out + into).desc(), every.c.id)
        .offset(bindparam("offset", type_=INTEGER))
        .limit(_LIMIT)
        .subquery("ranked")
    )
    shown = (ranked.c.id, col(MemoryRow.path), col(MemoryRow.title), ranked.c.links_out, ranked.c.links_in)
    order = ((ranked.c.links_out + ranked.c.links_in).desc(), ranked.c.id)
    return select(*shown).where(OF_STORE, col(MemoryRow.id) == ranked.c.id).order_by(*order)


def _within(end: Any, domain: ColumnElement[str]) -> list[Any]:  # noqa: ANN401 - an alias of a table, and subqueries
    return [each.where(_domain(col(end.path)) == domain).subquery() for each in (_BY_PATH, _BY_NAME)]


_MOST_LINKED = _most_linked()
_IDS = any_(bindparam("ids", type_=ARRAY(Text)))
_AMONG = (
    union_all(*(each.where(col(_SOURCE.id) == _IDS, col(_TARGET.id) == _IDS) for each in (_BY_PATH, _BY_NAME)))
    .subquery("among")
)  # fmt: skip
_FIND_AMONG = (
    select(_AMONG.c.source_id, _AMONG.c.target_id)
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
_BEYOND: Select[*tuple[Any, ...]] = (
    select(literal_column("1")).where(_OF_STORE).offset(bindparam("offset", type_=INTEGER)).limit(1)
)
_MARK = select(func.coalesce(func.max(col(MemoryRow.written_by)), 0)).where(OF_STORE)


class PostgresLinkRepository:
    """Implements `LinkRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys: Mapping[str, object] = {"tenant": tenant_id, "store": store_id}

    def count_memories(self, limit: int) -> dict[str, int]:
        """Return how many live memories stand in each folder at the top."""
        return dict(fetch_tuples(self._connection, _COUNT_MEMORIES, {**self._keys, "limit": limit}))

    def count_between(self, limit: int) -> list[DomainLinks]:
        """Return the links between folders at the top, those with most of them first."""
        rows = fetch_tuples(self._connection, _COUNT_BETWEEN, {**self._keys, "limit": limit})
        return [DomainLinks(source=source, target=target, links=links) for source, target, links in rows]

    def find_most_linked(self, domain: str, *, offset: int, limit: int) -> list[LinkedMemory]:
        """Return the memories of a folder at the top that have links, those with most of them first."""
        values = {**self._keys, "domain": domain, "offset": offset, "limit": limit}
        rows = fetch_tuples(self._connection, _MOST_LINKED, values)
        return [LinkedMemory(id=row[0], path=row[1], title=row[2], links_out=row[3], links_in=row[4]) for row in rows]

    def find_among(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Return (id of the source, id of the target) of the memories among these that a link joins."""
        if not ids:
            return []
        rows = fetch_tuples(self._connection, _FIND_AMONG, {**self._keys, "ids": list(ids), "limit": limit})
        return [(source, target) for source, target in rows]

    def find_incoming(self, path: str, *, after_id: str, limit: int) -> list[LinkedMemory]:
        """Return the live memories that lead to the live one at a path, by id."""
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

    def has_more_than(self, links: int) -> bool:
        """Tell whether the store's texts hold more links than this."""
        return bool(fetch_tuples(self._connection, _BEYOND, {**self._keys, "offset": links}))

    def find_mark(self) -> int:
        """Return a number that grows with each write of a memory of the store."""
        return int(fetch_tuples(self._connection, _MARK, self._keys)[0][0])
