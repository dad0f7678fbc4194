"""Accesses of memories: the arithmetic of `shared.core.memory.importance.accessed`, in one statement for any number."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    INTEGER,
    BigInteger,
    Connection,
    Select,
    Text,
    bindparam,
    case,
    cast,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import col

from shared.adapters.postgres.memories.rows import IS_LIVE
from shared.adapters.postgres.sql.statements import execute, fetch_tuples
from shared.adapters.postgres.tables.stores import MemoryRow
from shared.core.memory import importance as scoring
from shared.core.memory.model import Maturity

_WAIT_MS = 5_000
_MOST_ACCESSES = 2_147_483_647  # of an integer column
_SET_PATIENCE = select(func.set_config("lock_timeout", f"{_WAIT_MS}", True))


def _recording(*, skip_locked: bool) -> Select[*tuple[Any, ...]]:
    """Return the statement that counts accesses and returns the live memories that it could not lock."""
    given = func.unnest(bindparam("ids", type_=ARRAY(Text)), bindparam("times", type_=ARRAY(INTEGER)))
    noted = select(given.table_valued("id", "times", name="given").render_derived()).cte("noted")
    is_counted = (col(MemoryRow.tenant_id) == bindparam("tenant", type_=Text)) & IS_LIVE
    held = (
        select(col(MemoryRow.id), noted.c.times)
        .join(noted, noted.c.id == col(MemoryRow.id))
        .where(is_counted)
        .order_by(col(MemoryRow.id))
        .with_for_update(of=MemoryRow, skip_locked=skip_locked)
        .cte("held")
    )
    raised = func.least(scoring.IMPORTANCE_CAP, col(MemoryRow.importance) + scoring.ACCESS_BONUS * held.c.times)
    counted = (
        update(MemoryRow)
        .where(col(MemoryRow.tenant_id) == bindparam("tenant", type_=Text), col(MemoryRow.id) == held.c.id)
        .values(
            access_count=func.least(cast(col(MemoryRow.access_count), BigInteger) + held.c.times, _MOST_ACCESSES).cast(
                INTEGER
            ),
            importance=raised,
            maturity=case(
                (
                    (col(MemoryRow.maturity) == Maturity.CORE) | (raised >= scoring.CORE_AT),
                    literal(Maturity.CORE.value),
                ),
                (raised >= scoring.VALIDATED_AT, literal(Maturity.VALIDATED.value)),
                else_=col(MemoryRow.maturity),
            ),
            last_seen_at=func.greatest(col(MemoryRow.last_seen_at), func.now()),
        )
        .returning(col(MemoryRow.id))
        .cte("counted")
    )
    left_out = select(col(MemoryRow.id)).join(noted, noted.c.id == col(MemoryRow.id))
    return left_out.where(is_counted, col(MemoryRow.id).not_in(select(counted.c.id)))


_RECORD_FREE, _RECORD_WAITING = _recording(skip_locked=True), _recording(skip_locked=False)


class PostgresRecallRepository:
    """Implements `RecallRepository`. Memories are locked in the order of their ids."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def record(self, times: Mapping[str, int], *, wait: bool) -> list[str]:
        """Count accesses; return the ids of the memories that another transaction holds."""
        is_waiting = wait and len(times) == 1
        if is_waiting:
            execute(self._connection, _SET_PATIENCE)
        values = {"tenant": self._tenant_id, "ids": list(times), "times": list(times.values())}
        rows = fetch_tuples(self._connection, _RECORD_WAITING if is_waiting else _RECORD_FREE, values)
        return [row[0] for row in rows]
