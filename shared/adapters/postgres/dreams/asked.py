"""The questions and settled clusters that dreams have asked about a store. Rows are added and deleted, never changed."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import INTEGER, Connection, Select, Text, any_, bindparam, column, delete, exists, func, insert, select
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, distinct_on
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch
from shared.adapters.postgres.tables.steps import AskedRow
from shared.adapters.postgres.tables.stores import Moment
from shared.core.questions.change_gate import Asked

_FIELDS = ("phase", "fingerprint", "dream_id", "asked_at", "times_settled", "reopens_at")
_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_MINE = (col(AskedRow.tenant_id) == _TENANT) & (col(AskedRow.store_id) == _STORE)
_OF_PHASE = _MINE & (col(AskedRow.phase) == bindparam("of_phase"))
_IS_NAMED = col(AskedRow.fingerprint) == any_(bindparam("fingerprints", type_=ARRAY(Text)))
_FIND_LAST = Fixed(
    "asked.find_last",
    select(AskedRow)
    .where(_OF_PHASE, _IS_NAMED)
    .ext(distinct_on(col(AskedRow.fingerprint)))
    .order_by(col(AskedRow.fingerprint), col(AskedRow.asked_at).desc()),
    reason="once for each phase that asks: 3 times a dream",
)


def _due() -> Select[*tuple[Any, ...]]:
    newer = aliased(AskedRow, name="newer")
    is_superseded = exists().where(
        col(newer.store_id) == col(AskedRow.store_id),
        col(newer.phase) == col(AskedRow.phase),
        col(newer.fingerprint) == col(AskedRow.fingerprint),
        col(newer.asked_at) > col(AskedRow.asked_at),
    )
    query = select(AskedRow).where(_OF_PHASE, col(AskedRow.reopens_at) <= bindparam("now"), ~is_superseded)
    return query.order_by(col(AskedRow.reopens_at), col(AskedRow.fingerprint)).limit(bindparam("limit"))


def _recording() -> Any:  # noqa: ANN401 - what `from_select` returns has no public name
    asked = (
        func.jsonb_to_recordset(bindparam("asked", type_=JSONB))
        .table_valued(
            column("phase", Text),
            column("fingerprint", Text),
            column("dream_id", Text),
            column("asked_at", Moment),
            column("times_settled", INTEGER),
            column("reopens_at", Moment),
            column("members", ARRAY(Text)),
        )
        .render_derived(name="asked", with_types=True)
    )
    names = ("tenant_id", "store_id", *_FIELDS, "members")
    return insert(AskedRow).from_select(names, select(_TENANT, _STORE, *asked.c), include_defaults=False)


_FIND_DUE = _due()
_RECORD = _recording()
_DELETE = delete(AskedRow).where(_MINE, (col(AskedRow.asked_at) < bindparam("before")) | _IS_NAMED)
_RESTORE = delete(AskedRow).where(_MINE, col(AskedRow.dream_id) == bindparam("dream"))
_DELETE_ALL = delete(AskedRow).where(_MINE)


class PostgresAskedRepository:
    """Implements `AskedRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_last(self, phase: str, fingerprints: Collection[str]) -> dict[str, Asked]:
        """Return the newest record of each known fingerprint."""
        if not fingerprints:
            return {}
        values = self._keys | {"of_phase": phase, "fingerprints": list(fingerprints)}
        return {row["fingerprint"]: _asked(row) for row in fetch(self._connection, _FIND_LAST, values)}

    def find_due(self, phase: str, *, now: datetime, limit: int) -> list[Asked]:
        """Return the settled clusters that are due to be examined again by now, longest due first."""
        values = self._keys | {"of_phase": phase, "now": now, "limit": limit}
        return [_asked(row) for row in fetch(self._connection, _FIND_DUE, values)]

    def record(self, asked: Sequence[Asked]) -> None:
        """Append the questions of a dream."""
        if asked:
            execute(self._connection, _RECORD, self._keys | {"asked": [_values(one) for one in asked]})

    def restore(self, dream_id: str) -> None:
        """Delete the records of a dream, so that earlier records count again."""
        execute(self._connection, _RESTORE, self._keys | {"dream": dream_id})

    def delete(self, *, before: datetime, fingerprints: Collection[str]) -> None:
        """Delete records before a moment, and those with one of these fingerprints."""
        execute(self._connection, _DELETE, self._keys | {"before": before, "fingerprints": list(fingerprints)})

    def delete_all(self) -> None:
        """Delete everything: the next dream asks all questions again."""
        execute(self._connection, _DELETE_ALL, self._keys)


def _asked(row: Row) -> Asked:
    return Asked(**{name: row[name] for name in _FIELDS}, members=tuple(row["members"]))


def _values(asked: Asked) -> dict[str, Any]:
    """Return one question as JSON."""
    plain: dict[str, Any] = {name: getattr(asked, name) for name in _FIELDS}
    times = {"asked_at": asked.asked_at.isoformat(), "reopens_at": asked.reopens_at and asked.reopens_at.isoformat()}
    return plain | times | {"members": asked.members}
