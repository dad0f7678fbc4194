"""Directives on PostgreSQL."""

from sqlalchemy import Connection, Text, bindparam, func, insert, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Row, fetch
from shared.adapters.postgres.tables.access import DirectiveRow
from shared.core.errors import ConflictError
from shared.core.questions.directives import Directive

_FIND_CURRENT = (
    select(DirectiveRow)
    .where(col(DirectiveRow.tenant_id) == bindparam("tenant", type_=Text))
    .ext(distinct_on(col(DirectiveRow.name)))
    .order_by(col(DirectiveRow.name), col(DirectiveRow.version).desc())
)


class PostgresDirectiveRepository:
    """Implements `DirectiveRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find_current(self) -> dict[str, Directive]:
        """Return the newest version of each directive by name."""
        rows = fetch(self._connection, _FIND_CURRENT, {"tenant": self._tenant_id})
        return {row["name"]: _directive(row) for row in rows}

    def find_versions(self, name: str, *, below: int | None = None, limit: int | None = None) -> list[Directive]:
        """Return a directive's versions, newest first, at most `limit` with numbers below one."""
        query = select(DirectiveRow).where(
            col(DirectiveRow.tenant_id) == self._tenant_id, col(DirectiveRow.name) == name
        )
        if below is not None:
            query = query.where(col(DirectiveRow.version) < below)
        rows = fetch(self._connection, query.order_by(col(DirectiveRow.version).desc()).limit(limit))
        return [_directive(row) for row in rows]

    def add(self, name: str, content: str | None, *, actor: str) -> Directive:
        """Append a version."""
        mine = (col(DirectiveRow.tenant_id) == self._tenant_id) & (col(DirectiveRow.name) == name)
        following = select(func.coalesce(func.max(col(DirectiveRow.version)), 0) + 1).where(mine).scalar_subquery()
        values = {"tenant_id": self._tenant_id, "name": name, "content": content, "actor": actor, "version": following}
        try:
            (row,) = fetch(self._connection, insert(DirectiveRow).values(values).returning(DirectiveRow))
        except IntegrityError as error:
            msg = f"{name} was changed by another request just now; look at it and try again"
            raise ConflictError(msg) from error
        return _directive(row)


def _directive(row: Row) -> Directive:
    names = ("name", "version", "content", "actor", "created_at")
    return Directive(**{name: row[name] for name in names})
