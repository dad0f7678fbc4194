"""The audit log in PostgreSQL: of one tenant, and for operators of all of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import orjson
from sqlalchemy import Connection, Integer, Text, bindparam, cast, column, func, insert, select
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import col

from shared.adapters.postgres.sql.paging import paged
from shared.adapters.postgres.sql.statements import Row, execute, fetch
from shared.adapters.postgres.tables.logs import AuditRow
from shared.adapters.postgres.tables.stores import Moment
from shared.adapters.ulid_ids import new_id
from shared.core.tenants.audit import AuditEntry
from shared.ports.api_lists import Place
from shared.ports.tenants import AuditFilter

_ACTOR, _ACTION = (bindparam(name, type_=Text) for name in ("by", "done"))
_NEW = (
    func.unnest(bindparam("ids", type_=ARRAY(Text)), bindparam("details", type_=ARRAY(Text)))
    .table_valued(column("id", Text), column("detail", Text))
    .render_derived("new")
)
_APPEND_ALL = insert(AuditRow).from_select(
    ["id", "tenant_id", "actor", "action", "detail"],
    select(_NEW.c.id, bindparam("tenant", type_=Text), _ACTOR, _ACTION, cast(_NEW.c.detail, JSONB)),
    include_defaults=False,
)
_OF_ALL = select(
    func.slowwave_read_audit(
        bindparam("at", type_=Moment), bindparam("id", type_=Text), bindparam("limit", type_=Integer), _ACTOR, _ACTION
    ).table_valued("id", "tenant_id", "created_at", "actor", "action", "detail")
)


class PostgresAuditRepository:
    """Implements `AuditRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = col(AuditRow.tenant_id) == tenant_id

    def append(self, actor: str, action: str, detail: Mapping[str, object]) -> None:
        """Append an entry, unless the actor is slowwave itself."""
        if not actor:
            return
        values = {"id": new_id("aud"), "tenant_id": self._tenant_id, "actor": actor, "action": action}
        execute(self._connection, insert(AuditRow).values(values | {"detail": dict(detail)}))

    def append_all(self, actor: str, action: str, details: Sequence[Mapping[str, object]]) -> None:
        """Append an entry for each of these, in one statement, unless the actor is slowwave itself."""
        if not actor or not details:
            return
        values = {"tenant": self._tenant_id, "by": actor, "done": action}
        ids = [new_id("aud") for _ in details]
        texts = [orjson.dumps(detail).decode() for detail in details]
        execute(self._connection, _APPEND_ALL, {**values, "ids": ids, "details": texts})

    def find_page(self, wanted: AuditFilter, *, start_after: Place | None, limit: int) -> list[AuditEntry]:
        """Return entries, newest first."""
        query = select(AuditRow).where(self._mine)
        if wanted.actor is not None:
            query = query.where(col(AuditRow.actor) == wanted.actor)
        if wanted.action is not None:
            is_group = wanted.action.endswith(".")
            named = col(AuditRow.action).startswith(wanted.action, autoescape=True) if is_group else None
            query = query.where(col(AuditRow.action) == wanted.action if named is None else named)
        if wanted.day is not None:
            begins, ends = _bounds(wanted.day)
            query = query.where(col(AuditRow.created_at) >= begins, col(AuditRow.created_at) < ends)
        page = paged(query, (col(AuditRow.created_at), col(AuditRow.id)), start_after, limit)
        return [entry_from(row) for row in fetch(self._connection, page)]


def read_audit_of_all(
    connection: Connection, wanted: AuditFilter, *, start_after: Place | None, limit: int
) -> list[AuditEntry]:
    """Return the entries of all tenants and of the installation, newest first."""
    begins, ends = _bounds(wanted.day) if wanted.day is not None else (None, None)
    if ends is not None and (start_after is None or start_after[0] > ends):
        start_after = ends, ""
    at, entry_id = start_after or (None, None)
    values: dict[str, Any] = {
        "at": at, "id": entry_id, "limit": limit, "by": wanted.actor, "done": wanted.action,
    }  # fmt: skip
    found = [entry_from(row) for row in fetch(connection, _OF_ALL, values)]
    return [entry for entry in found if begins is None or entry.at >= begins]


def _bounds(day: date) -> tuple[datetime, datetime]:
    """Return when a day (UTC) begins and ends."""
    begins = datetime.combine(day, time(), tzinfo=UTC)
    return begins, begins + timedelta(days=1)


def entry_from(row: Row) -> AuditEntry:
    """Return an entry from its row."""
    return AuditEntry(
        id=row["id"],
        tenant_id=row["tenant_id"],
        at=row["created_at"],
        actor=row["actor"],
        action=row["action"],
        detail=row["detail"],
    )
