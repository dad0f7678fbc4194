"""Accesses in PostgreSQL: `scoring.accessed` as one statement over any number of memories."""

from collections.abc import Mapping

from sqlalchemy import Connection, text

from shared.core.memory import importance as scoring
from shared.core.memory.model import Maturity, MemoryState

_WAIT_MS = 5_000
_RECORD = """
    WITH noted AS (
      SELECT * FROM unnest(CAST(:ids AS text[]), CAST(:times AS integer[])) AS n (id, times)
    ), held AS (
      SELECT m.id, n.times FROM memories m JOIN noted n ON n.id = m.id
      WHERE m.tenant_id = :tenant AND m.state = :live ORDER BY m.id FOR UPDATE OF m {skip}
    ), counted AS (
      UPDATE memories m SET
        access_count = least(m.access_count::bigint + h.times, 2147483647)::integer,
        importance = least(:cap, m.importance + :bonus * h.times),
        maturity = CASE
          WHEN m.maturity = :core OR least(:cap, m.importance + :bonus * h.times) >= :core_at THEN :core
          WHEN least(:cap, m.importance + :bonus * h.times) >= :validated_at THEN :validated
          ELSE m.maturity END,
        last_seen_at = greatest(m.last_seen_at, now())
      FROM held h WHERE m.tenant_id = :tenant AND m.id = h.id RETURNING m.id
    )
    SELECT m.id FROM memories m JOIN noted n ON n.id = m.id
    WHERE m.tenant_id = :tenant AND m.state = :live AND m.id NOT IN (SELECT id FROM counted)"""
_PASSING_OVER, _WAITING = text(_RECORD.format(skip="SKIP LOCKED")), text(_RECORD.format(skip=""))
_NUMBERS = {
    "cap": scoring.IMPORTANCE_CAP,
    "bonus": scoring.ACCESS_BONUS,
    "core_at": scoring.CORE_AT,
    "validated_at": scoring.VALIDATED_AT,
    "core": Maturity.CORE.value,
    "validated": Maturity.VALIDATED.value,
    "live": MemoryState.LIVE.value,
}


class PostgresRecallRepository:
    """Implements `RecallRepository`. Memories are locked in the order of their ids."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def record(self, times: Mapping[str, int], *, wait: bool) -> list[str]:
        """Count accesses; return whom another transaction holds."""
        is_waiting = wait and len(times) == 1
        if is_waiting:
            self._connection.execute(text(f"SET LOCAL lock_timeout = {_WAIT_MS}"))
        values = _NUMBERS | {"tenant": self._tenant_id, "ids": list(times), "times": list(times.values())}
        return list(self._connection.execute(_WAITING if is_waiting else _PASSING_OVER, values).scalars())
