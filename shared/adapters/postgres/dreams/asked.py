"""What was asked, in PostgreSQL: rows come and go, and none is ever changed."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, any_, bindparam, delete, exists, select
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on
from sqlalchemy.types import Text

from shared.adapters.postgres.sql.statements import Prepared, Row
from shared.adapters.postgres.tables.dreams import AskedRow
from shared.adapters.postgres.tables.mapping import table
from shared.core.questions.change_gate import Asked

_ROWS = table(AskedRow)
_FIELDS = ("phase", "fingerprint", "dream_id", "asked_at", "times_settled", "reopens_at")


_MINE = (_ROWS.c.tenant_id == bindparam("tenant_id")) & (_ROWS.c.store_id == bindparam("store_id"))
_OF_PHASE = _MINE & (_ROWS.c.phase == bindparam("phase"))
_FIND_LAST = Prepared(
    expression=select(_ROWS)
    .where(_OF_PHASE, _ROWS.c.fingerprint == any_(bindparam("fingerprints", type_=ARRAY(Text))))
    .ext(distinct_on(_ROWS.c.fingerprint))
    .order_by(_ROWS.c.fingerprint, _ROWS.c.asked_at.desc())
)


def _due() -> Select[Any]:
    newer = _ROWS.alias("newer")
    is_superseded = exists().where(
        newer.c.store_id == _ROWS.c.store_id,
        newer.c.phase == _ROWS.c.phase,
        newer.c.fingerprint == _ROWS.c.fingerprint,
        newer.c.asked_at > _ROWS.c.asked_at,
    )
    query = select(_ROWS).where(_OF_PHASE, _ROWS.c.reopens_at <= bindparam("now"), ~is_superseded)
    return query.order_by(_ROWS.c.reopens_at, _ROWS.c.fingerprint).limit(bindparam("limit"))


_FIND_DUE = Prepared(expression=_due())
_RECORD = Prepared(
    "INSERT INTO asked_questions"
    " (tenant_id, store_id, phase, fingerprint, dream_id, asked_at, times_settled, reopens_at, members)"
    " SELECT %(tenant_id)s, %(store_id)s, one.phase, one.fingerprint, one.dream_id, one.asked_at, one.times_settled,"
    " one.reopens_at, ARRAY(SELECT jsonb_array_elements_text(one.members)) FROM unnest(%(phase)s::text[],"
    " %(fingerprint)s::text[], %(dream_id)s::text[], %(asked_at)s::timestamptz[], %(times_settled)s::integer[],"
    " %(reopens_at)s::timestamptz[], %(members)s::jsonb[])"
    " AS one (phase, fingerprint, dream_id, asked_at, times_settled, reopens_at, members)"
)
_FORGET = Prepared(
    "DELETE FROM asked_questions WHERE tenant_id = %(tenant_id)s AND store_id = %(store_id)s"
    " AND (asked_at < %(before)s OR fingerprint = ANY(%(fingerprints)s))"
)


class PostgresAskedRepository:
    """Implements `AskedRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}

    @property
    def _mine(self) -> ColumnElement[bool]:
        is_mine: ColumnElement[bool] = _ROWS.c.tenant_id == self._keys["tenant_id"]
        is_of_store: ColumnElement[bool] = _ROWS.c.store_id == self._keys["store_id"]
        return is_mine & is_of_store

    def find_last(self, phase: str, fingerprints: Collection[str]) -> dict[str, Asked]:
        """Return the newest of each fingerprint that was asked before."""
        if not fingerprints:
            return {}
        values = self._keys | {"phase": phase, "fingerprints": list(fingerprints)}
        return {row["fingerprint"]: _asked(row) for row in _FIND_LAST.find_all(self._connection, values)}

    def find_due(self, phase: str, *, now: datetime, limit: int) -> list[Asked]:
        """Return what was settled and is to be looked at again by now, longest due first."""
        values = self._keys | {"phase": phase, "now": now, "limit": limit}
        return [_asked(row) for row in _FIND_DUE.find_all(self._connection, values)]

    def record(self, asked: Sequence[Asked]) -> None:
        """Append what a dream has asked."""
        if asked:
            plain = {name: [getattr(one, name) for one in asked] for name in _FIELDS}
            members = [json.dumps(one.members) for one in asked]
            _RECORD.run(self._connection, self._keys | plain | {"members": members})

    def restore(self, dream_id: str) -> None:
        """Remove what a dream has asked: what was asked before it counts again."""
        self._connection.execute(delete(_ROWS).where(self._mine, _ROWS.c.dream_id == dream_id))

    def delete(self, *, before: datetime, fingerprints: Collection[str]) -> None:
        """Remove what was asked before a moment, and what has these fingerprints."""
        _FORGET.run(self._connection, self._keys | {"before": before, "fingerprints": list(fingerprints)})

    def delete_all(self) -> None:
        """Remove everything: the next dream asks anew."""
        self._connection.execute(delete(_ROWS).where(self._mine))


def _asked(row: Row) -> Asked:
    return Asked(**{name: row[name] for name in _FIELDS}, members=tuple(row["members"]))
