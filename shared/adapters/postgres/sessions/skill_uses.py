"""Skill uses of one store in PostgreSQL, and the first words of its sessions."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Integer, Text, bindparam, column, func, select, true
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch
from shared.adapters.postgres.tables.sessions import SessionEventRow, SessionRow, SkillUseRow
from shared.adapters.postgres.tables.stores import Moment
from shared.core.learning.skills import Opening, SkillUse
from shared.core.sessions.model import EventKind, Origin

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_NEW = (
    func.unnest(
        bindparam("skills", type_=ARRAY(Text)),
        bindparam("sessions", type_=ARRAY(Text)),
        bindparam("moments", type_=ARRAY(Moment)),
    )
    .table_valued(column("skill", Text), column("session", Text), column("used_at", Moment))
    .render_derived("new")
)
#: Arrays, because a statement takes 65,535 values and a transcript may name more.
_RECORD = (
    insert(SkillUseRow)
    .from_select(
        ["tenant_id", "store_id", "skill", "session", "used_at"],
        select(_TENANT, _STORE, _NEW.c.skill, _NEW.c.session, _NEW.c.used_at),
        include_defaults=False,
    )
    .on_conflict_do_nothing()
)
_ENDED = (
    select(
        col(SessionRow.id),
        col(SessionRow.started_at),
        col(SessionRow.created_at),
        col(SessionRow.gathered_position),
    )
    .where(col(SessionRow.tenant_id) == _TENANT, col(SessionRow.store_id) == _STORE, ~col(SessionRow.is_current))
    .order_by(col(SessionRow.last_event_at).desc().nulls_last(), col(SessionRow.id))
    .limit(bindparam("limit", type_=Integer))
    .subquery("ended")
)
_FIRST = (
    select(
        col(SessionEventRow.event_id), col(SessionEventRow.text), col(SessionEventRow.at), col(SessionEventRow.position)
    )
    .where(
        col(SessionEventRow.session_id) == _ENDED.c.id,
        col(SessionEventRow.tenant_id) == _TENANT,
        col(SessionEventRow.kind) == EventKind.USER,
        col(SessionEventRow.origin) == Origin.PERSON,
    )
    .order_by(col(SessionEventRow.position))
    .limit(1)
    .lateral("first")
)
_AT = func.coalesce(_FIRST.c.at, _ENDED.c.started_at, _ENDED.c.created_at).label("at")
_OPENINGS = (
    select(
        _ENDED.c.id.label("session_id"),
        _FIRST.c.event_id,
        func.left(_FIRST.c.text, bindparam("max_chars", type_=Integer)).label("text"),
        _AT,
        (_ENDED.c.gathered_position < _FIRST.c.position).label("is_new"),
    )
    .select_from(_ENDED.join(_FIRST, true()))
    .order_by(_AT.desc(), _ENDED.c.id)
)


class PostgresSkillRepository:
    """Implements `SkillRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def record_uses(self, uses: Sequence[SkillUse]) -> int:
        """Record uses; return how many were new."""
        if not uses:
            return 0
        columns = {
            "skills": [use.skill for use in uses],
            "sessions": [use.session for use in uses],
            "moments": [use.used_at for use in uses],
        }
        return execute(self._connection, _RECORD, {**self._keys, **columns})

    def find_uses(self, since: datetime | None, limit: int) -> list[SkillUse]:
        """Return the newest uses since a moment, newest first."""
        mine = (col(SkillUseRow.tenant_id) == self._keys["tenant"]) & (col(SkillUseRow.store_id) == self._keys["store"])
        query = select(col(SkillUseRow.skill), col(SkillUseRow.session), col(SkillUseRow.used_at)).where(mine)
        if since is not None:
            query = query.where(col(SkillUseRow.used_at) >= since)
        query = query.order_by(col(SkillUseRow.used_at).desc(), col(SkillUseRow.session), col(SkillUseRow.skill)).limit(
            limit
        )
        return [SkillUse(**row) for row in fetch(self._connection, query)]

    def find_openings(self, limit: int, *, max_chars: int) -> list[Opening]:
        """Return the first messages of the newest ended sessions, newest first."""
        rows = fetch(self._connection, _OPENINGS, {**self._keys, "limit": limit, "max_chars": max_chars})
        return [Opening(**row) for row in rows]
