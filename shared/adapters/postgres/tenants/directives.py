"""Directives on PostgreSQL."""

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.access import DirectiveRow
from shared.adapters.postgres.tables.mapping import Row, table
from shared.core.errors import ConflictError
from shared.core.questions.directives import Directive

_ROWS = table(DirectiveRow)
_FIND_CURRENT = Prepared(
    "SELECT DISTINCT ON (name) * FROM directives WHERE tenant_id = %(tenant)s ORDER BY name, version DESC"
)


class PostgresDirectiveRepository:
    """Implements `DirectiveRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find_current(self) -> dict[str, Directive]:
        """Return the newest version of each directive by name."""
        rows = _FIND_CURRENT.find_all(self._connection, {"tenant": self._tenant_id})
        return {row["name"]: _directive(row) for row in rows}

    def find_versions(self, name: str) -> list[Directive]:
        """Return a directive's versions, newest first."""
        query = select(_ROWS).where(_ROWS.c.tenant_id == self._tenant_id, _ROWS.c.name == name)
        rows = self._connection.execute(query.order_by(_ROWS.c.version.desc())).mappings()
        return [_directive(row) for row in rows]

    def add(self, name: str, content: str | None, *, actor: str) -> Directive:
        """Append a version."""
        mine = (_ROWS.c.tenant_id == self._tenant_id) & (_ROWS.c.name == name)
        following = select(func.coalesce(func.max(_ROWS.c.version), 0) + 1).where(mine).scalar_subquery()
        values = {"tenant_id": self._tenant_id, "name": name, "content": content, "actor": actor, "version": following}
        try:
            row = self._connection.execute(insert(_ROWS).values(values).returning(*_ROWS.c)).mappings().one()
        except IntegrityError as error:
            msg = f"{name} was changed by another request just now; look at it and try again"
            raise ConflictError(msg) from error
        return _directive(row)


def _directive(row: Row) -> Directive:
    names = ("name", "version", "content", "actor", "created_at")
    return Directive(**{name: row[name] for name in names})
