"""The audit log in PostgreSQL: of one tenant, and for operators of all of them."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

import orjson
from sqlalchemy import Connection, RowMapping, insert, select, text
from ulid import ULID

from shared.adapters.postgres.sql.paging import paged
from shared.adapters.postgres.sql.statements import tell
from shared.adapters.postgres.tables.dreams import AuditRow
from shared.adapters.postgres.tables.mapping import table
from shared.core.tenants.audit import AuditEntry
from shared.ports.api_lists import Place
from shared.ports.tenants import AuditFilter

AUDIT = table(AuditRow)
_APPEND_ALL: LiteralString = """
    INSERT INTO audit_log (id, tenant_id, actor, action, detail)
    SELECT id, %(tenant_id)s, %(actor)s, %(action)s, detail::jsonb
    FROM unnest(%(ids)s::text[], %(details)s::text[]) AS n (id, detail)"""
_OF_ALL = text("SELECT * FROM slowwave_read_audit(:at, :id, :limit, :actor, :action)")


class PostgresAuditRepository:
    """Implements `AuditRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = AUDIT.c.tenant_id == tenant_id

    def append(self, actor: str, action: str, detail: Mapping[str, object]) -> None:
        """Append an entry, unless the actor is slowwave itself."""
        if not actor:
            return
        values = {"id": f"aud_{ULID()}", "tenant_id": self._tenant_id, "actor": actor, "action": action}
        self._connection.execute(insert(AUDIT).values(values | {"detail": dict(detail)}))

    def append_all(self, actor: str, action: str, details: Sequence[Mapping[str, object]]) -> None:
        """Append an entry for each of these, in one statement, unless the actor is slowwave itself."""
        if not actor or not details:
            return
        values = {"tenant_id": self._tenant_id, "actor": actor, "action": action}
        ids = [f"aud_{ULID()}" for _ in details]
        texts = [orjson.dumps(detail).decode() for detail in details]
        tell(self._connection, _APPEND_ALL, {**values, "ids": ids, "details": texts})

    def find_page(self, wanted: AuditFilter, *, behind: Place | None, limit: int) -> list[AuditEntry]:
        """Return entries, newest first."""
        query = select(AUDIT).where(self._mine)
        if wanted.actor is not None:
            query = query.where(AUDIT.c.actor == wanted.actor)
        if wanted.action is not None:
            is_group = wanted.action.endswith(".")
            named = AUDIT.c.action.startswith(wanted.action, autoescape=True) if is_group else None
            query = query.where(AUDIT.c.action == wanted.action if named is None else named)
        rows = self._connection.execute(paged(query, (AUDIT.c.created_at, AUDIT.c.id), behind, limit))
        return [entry_from(row) for row in rows.mappings()]


def read_audit_of_all(
    connection: Connection, wanted: AuditFilter, *, behind: Place | None, limit: int
) -> list[AuditEntry]:
    """Return the entries of all tenants and of the installation, newest first."""
    at, entry_id = behind or (None, None)
    values: dict[str, Any] = {
        "at": at, "id": entry_id, "limit": limit, "actor": wanted.actor, "action": wanted.action,
    }  # fmt: skip
    return [entry_from(row) for row in connection.execute(_OF_ALL, values).mappings()]


def entry_from(row: RowMapping) -> AuditEntry:
    """Return an entry from its row."""
    return AuditEntry(
        id=row["id"],
        tenant_id=row["tenant_id"],
        at=row["created_at"],
        actor=row["actor"],
        action=row["action"],
        detail=row["detail"],
    )
