"""Skill uses of one store in PostgreSQL, and the first words of its sessions."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, text

from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.mapping import table
from shared.adapters.postgres.tables.sessions import SkillUseRow
from shared.core.learning.skills import Opening, SkillUse

USES = table(SkillUseRow)
#: Arrays, for a statement takes 65,535 values and a transcript may name more.
_RECORD = Prepared("""
    INSERT INTO skill_uses (tenant_id, store_id, skill, session, used_at)
    SELECT %(tenant_id)s, %(store_id)s, skill, session, used_at
    FROM unnest(%(skills)s::text[], %(sessions)s::text[], %(moments)s::timestamptz[]) AS n (skill, session, used_at)
    ON CONFLICT DO NOTHING
""")
_OPENINGS = text("""
    SELECT s.id, e.event_id, left(e.text, :max_chars) AS text,
      coalesce(e.at, s.started_at, s.created_at) AS at, s.gathered_position < e.position AS is_new
    FROM (
      SELECT * FROM sessions WHERE tenant_id = :tenant_id AND store_id = :store_id AND NOT is_current
      ORDER BY last_event_at DESC NULLS LAST, id LIMIT :limit
    ) s CROSS JOIN LATERAL (
      SELECT event_id, text, at, position FROM session_events
      WHERE session_id = s.id AND tenant_id = :tenant_id AND kind = 'user' ORDER BY position LIMIT 1
    ) e ORDER BY at DESC, s.id
""")


class PostgresSkillRepository:
    """Implements `SkillRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}

    def record_uses(self, uses: Sequence[SkillUse]) -> int:
        """Record uses; return how many were new."""
        if not uses:
            return 0
        columns = {
            "skills": [use.skill for use in uses],
            "sessions": [use.session for use in uses],
            "moments": [use.used_at for use in uses],
        }
        return _RECORD.run(self._connection, {**self._keys, **columns})

    def find_uses(self, since: datetime | None, limit: int) -> list[SkillUse]:
        """Return the newest uses since a moment, newest first."""
        mine = (USES.c.tenant_id == self._keys["tenant_id"]) & (USES.c.store_id == self._keys["store_id"])
        query = select(USES.c.skill, USES.c.session, USES.c.used_at).where(mine)
        if since is not None:
            query = query.where(USES.c.used_at >= since)
        query = query.order_by(USES.c.used_at.desc(), USES.c.session, USES.c.skill).limit(limit)
        rows = self._connection.execute(query)
        return [SkillUse(skill=skill, session=session, used_at=used_at) for skill, session, used_at in rows]

    def find_openings(self, limit: int, *, max_chars: int) -> list[Opening]:
        """Return what the newest ended sessions begin with, newest first."""
        rows = self._connection.execute(_OPENINGS, {**self._keys, "limit": limit, "max_chars": max_chars})
        return [
            Opening(session_id=row.id, event_id=row.event_id, text=row.text, at=row.at, is_new=row.is_new)
            for row in rows
        ]
