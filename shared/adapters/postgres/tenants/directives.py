"""Directives on PostgreSQL."""

from sqlalchemy import Connection, Text, bindparam, func, insert, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, Row, fetch
from shared.adapters.postgres.tables.access import DirectiveRow
from shared.core.errors import ConflictError
from shared.core.questions.directives import Directive

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_OF_STORE = (col(DirectiveRow.tenant_id) == _TENANT) & (col(DirectiveRow.store) == _STORE)
_NEWEST = (col(DirectiveRow.store), col(DirectiveRow.name), col(DirectiveRow.version).desc())
_EACH = distinct_on(col(DirectiveRow.store), col(DirectiveRow.name))
_FIND_CURRENT = select(DirectiveRow).where(_OF_STORE).ext(_EACH).order_by(*_NEWEST)
#: The tenant's come first: the empty name of their store sorts before every other.
_FIND_BOTH = Fixed(
    "directives.find_in_force",
    select(DirectiveRow)
    .where(col(DirectiveRow.tenant_id) == _TENANT, col(DirectiveRow.store).in_(["", _STORE]))
    .ext(_EACH)
    .order_by(*_NEWEST),
    reason="once for each phase that asks: 3 times a dream",
)


class PostgresDirectiveRepository:
    """Implements `DirectiveRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find_current(self, store: str = "") -> dict[str, Directive]:
        """Return the newest version of each directive of the tenant, or of one of its stores, by name."""
        rows = fetch(self._connection, _FIND_CURRENT, {"tenant": self._tenant_id, "store": store})
        return {row["name"]: _directive(row) for row in rows}

    def find_in_force(self, store: str) -> dict[str, Directive]:
        """Return the directives that hold for a store: its own, and the tenant's where it has none."""
        rows = fetch(self._connection, _FIND_BOTH, {"tenant": self._tenant_id, "store": store})
        return {row["name"]: _directive(row) for row in rows if row["content"] is not None}

    def find_versions(
        self, name: str, *, store: str = "", below: int | None = None, limit: int | None = None
    ) -> list[Directive]:
        """Return a directive's versions, newest first, at most `limit` with numbers below one."""
        query = select(DirectiveRow).where(_OF_STORE, col(DirectiveRow.name) == name)
        if below is not None:
            query = query.where(col(DirectiveRow.version) < below)
        query = query.order_by(col(DirectiveRow.version).desc()).limit(limit)
        rows = fetch(self._connection, query, {"tenant": self._tenant_id, "store": store})
        return [_directive(row) for row in rows]

    def add(self, name: str, content: str | None, *, actor: str, store: str = "") -> Directive:
        """Append a version."""
        mine = (col(DirectiveRow.tenant_id) == self._tenant_id) & (col(DirectiveRow.store) == store)
        mine &= col(DirectiveRow.name) == name
        following = select(func.coalesce(func.max(col(DirectiveRow.version)), 0) + 1).where(mine).scalar_subquery()
        values: dict[str, object] = {"tenant_id": self._tenant_id, "store": store, "name": name, "version": following}
        values |= {"content": content, "actor": actor}
        try:
            (row,) = fetch(self._connection, insert(DirectiveRow).values(values).returning(DirectiveRow))
        except IntegrityError as error:
            msg = f"Another request changed {name} just now; read it again and retry"
            raise ConflictError(msg) from error
        return _directive(row)


def _directive(row: Row) -> Directive:
    names = ("store", "name", "version", "content", "actor", "created_at")
    return Directive(**{name: row[name] for name in names})
