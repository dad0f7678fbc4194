"""What was asked, in PostgreSQL: rows come and go, and none is ever changed."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, or_, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.engine import RowMapping

from shared.adapters.postgres.asked_tables import AskedRow
from shared.adapters.postgres.mapping import table
from shared.core.change_gate import Asked

_ROWS = table(AskedRow)
_FIELDS = ("phase", "fingerprint", "dream_id", "asked_at", "times_settled", "reopens_at")


class PostgresAskedBook:
    """Implements `AskedBook`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}
        self._mine: ColumnElement[bool] = (_ROWS.c.tenant_id == tenant_id) & (_ROWS.c.store_id == store_id)

    def find_last(self, phase: str, fingerprints: Collection[str]) -> dict[str, Asked]:
        """Return the newest of each fingerprint that was asked before."""
        if not fingerprints:
            return {}
        wanted = _ROWS.c.fingerprint.in_(list(fingerprints))
        query = select(_ROWS).where(self._mine, _ROWS.c.phase == phase, wanted).ext(distinct_on(_ROWS.c.fingerprint))
        rows = self._connection.execute(query.order_by(_ROWS.c.fingerprint, _ROWS.c.asked_at.desc())).mappings()
        return {row["fingerprint"]: _asked(row) for row in rows}

    def find_due(self, phase: str, *, now: datetime, limit: int) -> list[Asked]:
        """Return what was settled and is to be looked at again by now, longest due first."""
        newer = _ROWS.alias("newer")
        is_superseded = exists().where(
            newer.c.store_id == _ROWS.c.store_id,
            newer.c.phase == _ROWS.c.phase,
            newer.c.fingerprint == _ROWS.c.fingerprint,
            newer.c.asked_at > _ROWS.c.asked_at,
        )
        query = select(_ROWS).where(self._mine, _ROWS.c.phase == phase, _ROWS.c.reopens_at <= now, ~is_superseded)
        rows = self._connection.execute(query.order_by(_ROWS.c.reopens_at, _ROWS.c.fingerprint).limit(limit))
        return [_asked(row) for row in rows.mappings()]

    def record(self, asked: Sequence[Asked]) -> None:
        """Append what a dream has asked."""
        if asked:
            rows = [self._keys | asdict(one) | {"members": list(one.members)} for one in asked]
            self._connection.execute(insert(_ROWS), rows)

    def give_back(self, dream_id: str) -> None:
        """Remove what a dream has asked: what was asked before it counts again."""
        self._connection.execute(delete(_ROWS).where(self._mine, _ROWS.c.dream_id == dream_id))

    def forget(self, *, before: datetime, fingerprints: Collection[str]) -> None:
        """Remove what was asked before a moment, and what has these fingerprints."""
        is_named = _ROWS.c.fingerprint.in_(list(fingerprints))
        self._connection.execute(delete(_ROWS).where(self._mine, or_(_ROWS.c.asked_at < before, is_named)))

    def forget_all(self) -> None:
        """Remove everything: the next dream asks anew."""
        self._connection.execute(delete(_ROWS).where(self._mine))


def _asked(row: RowMapping) -> Asked:
    return Asked(**{name: row[name] for name in _FIELDS}, members=tuple(row["members"]))
