"""The questions and settled clusters that dreams have asked about a store, and the answers that copies of it have bought."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    INTEGER,
    ColumnElement,
    Connection,
    Float,
    Select,
    Text,
    any_,
    bindparam,
    column,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, distinct_on
from sqlalchemy.dialects.postgresql import insert as insert_or_update
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.tables.logs import EvaluationAnswerRow, EvaluationRow
from shared.adapters.postgres.tables.steps import AskedRow
from shared.adapters.postgres.tables.stores import Moment, StoreRow
from shared.core.questions.change_gate import Asked
from shared.ports.llm import KeptAnswer

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
_ANSWERS_LAST: ColumnElement[timedelta] = literal_column("interval '24 hours'")
_NEW_ANSWER = insert_or_update(EvaluationAnswerRow).from_select(
    ["store_id", "question_hash", "tenant_id", "evaluation_id", "answer", "cost_usd"],
    select(
        col(EvaluationRow.store_id),
        bindparam("hash", type_=Text),
        col(EvaluationRow.tenant_id),
        col(EvaluationRow.id),
        bindparam("answer", type_=JSONB),
        bindparam("usd", type_=Float),
    ).where(col(EvaluationRow.tenant_id) == _TENANT, col(EvaluationRow.id) == bindparam("id", type_=Text)),
)
_KEEP_ANSWER = _NEW_ANSWER.on_conflict_do_update(
    index_elements=["store_id", "question_hash"],
    set_={name: _NEW_ANSWER.excluded[name] for name in ("evaluation_id", "answer", "cost_usd", "created_at")},
)
_FIND_ANSWERS = (
    select(
        *map(col, (EvaluationAnswerRow.question_hash, EvaluationAnswerRow.answer, EvaluationAnswerRow.cost_usd)),
    )
    .join(StoreRow, (col(StoreRow.tenant_id) == _TENANT) & (col(StoreRow.id) == col(EvaluationAnswerRow.store_id)))
    .where(
        col(EvaluationAnswerRow.tenant_id) == _TENANT,
        col(StoreRow.name) == bindparam("name", type_=Text),
        col(EvaluationAnswerRow.question_hash) == any_(bindparam("hashes", type_=ARRAY(Text))),
        col(EvaluationAnswerRow.created_at) > func.now() - _ANSWERS_LAST,
    )
)
_DELETE_ANSWERS = delete(EvaluationAnswerRow).where(
    col(EvaluationAnswerRow.tenant_id) == _TENANT,
    col(EvaluationAnswerRow.evaluation_id) == bindparam("which", type_=Text),
    col(EvaluationAnswerRow.created_at) <= func.now() - _ANSWERS_LAST,
)


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


class PostgresAnswerRepository:
    """Implements `AnswerRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def keep(self, evaluation_id: str, question_hash: str, kept: KeptAnswer) -> None:
        """Keep an answer instead of an older one to the same question; none of an evaluation that is gone."""
        values = {"tenant": self._tenant_id, "id": evaluation_id, "hash": question_hash}
        execute(self._connection, _KEEP_ANSWER, values | {"answer": kept.answer, "usd": kept.cost_usd})

    def find(self, store_name: str, hashes: Collection[str]) -> dict[str, KeptAnswer]:
        """Return the answers to these questions about a store, by their hashes."""
        values = {"tenant": self._tenant_id, "name": store_name, "hashes": list(hashes)}
        rows = fetch_tuples(self._connection, _FIND_ANSWERS, values)
        return {one: KeptAnswer(answer=answer, cost_usd=usd) for one, answer, usd in rows}

    def delete_old(self, evaluation_id: str) -> None:
        """Delete the answers of an evaluation that are too old to be taken."""
        execute(self._connection, _DELETE_ANSWERS, {"tenant": self._tenant_id, "which": evaluation_id})
