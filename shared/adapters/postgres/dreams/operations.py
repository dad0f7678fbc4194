"""Operations and reviews in PostgreSQL.

Operations as rows and back: what was wanted, and what it did, as JSON.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, insert, select, tuple_, update

from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.mapping import DREAMS, OPERATIONS, Row
from shared.core.dream.effects import Effect
from shared.core.dream.model import DreamState, OperationState, ReviewState
from shared.core.dream.operations import Change, Operation, OperationKind
from shared.core.errors import NotFoundError
from shared.ports.dreams import OperationPage, RecordedOperation

_CHANGES: TypeAdapter[tuple[Change, ...]] = TypeAdapter(tuple[Change, ...])
_EFFECTS: TypeAdapter[tuple[Effect, ...]] = TypeAdapter(tuple[Effect, ...])


def operation_from(row: Row) -> RecordedOperation:
    """Return an operation with what it did."""
    return RecordedOperation(
        id=row["id"],
        dream_id=row["dream_id"],
        store_id=row["store_id"],
        position=row["position"],
        operation=Operation(
            kind=OperationKind(row["kind"]),
            phase=row["phase"],
            reason=row["reason"],
            confidence=row["confidence"],
            changes=_CHANGES.validate_python(row["changes"]),
        ),
        state=OperationState(row["state"]),
        review=ReviewState(row["review"]),
        effects=_EFFECTS.validate_python(row["effects"]),
        note=row["note"],
        created_at=row["created_at"],
    )


def changes_json(changes: tuple[Change, ...]) -> list[Any]:
    """Return changes as JSON."""
    dumped: list[Any] = _CHANGES.dump_python(changes, mode="json")
    return dumped


def effects_json(effects: tuple[Effect, ...]) -> list[Any]:
    """Return effects as JSON."""
    dumped: list[Any] = _EFFECTS.dump_python(effects, mode="json")
    return dumped


_FIND_ALL = Prepared(
    "SELECT * FROM operations WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s ORDER BY created_at, id"
)
_OF_STORE = (OPERATIONS.c.tenant_id == bindparam("tenant")) & (OPERATIONS.c.store_id == bindparam("store"))
_FIND_PUT_BACK = Prepared(
    expression=select(OPERATIONS)
    .where(
        _OF_STORE, OPERATIONS.c.kind == OperationKind.PUT_BACK.value, OPERATIONS.c.state == OperationState.APPLIED.value
    )
    .order_by(OPERATIONS.c.created_at.desc())
    .limit(bindparam("limit"))
)
_IS_IN_FORCE = (DREAMS.c.state != DreamState.UNDONE.value) & ~DREAMS.c.is_dry_run
_FIND_FLAGS = Prepared(
    expression=select(OPERATIONS)
    .join(DREAMS, (DREAMS.c.id == OPERATIONS.c.dream_id) & _IS_IN_FORCE)
    .where(_OF_STORE, OPERATIONS.c.kind == OperationKind.FLAG.value, OPERATIONS.c.review != ReviewState.NONE.value)
    .order_by(OPERATIONS.c.created_at.desc())
    .limit(bindparam("limit"))
)


class PostgresOperationRepository:
    """Implements `OperationRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    @property
    def _mine(self) -> ColumnElement[bool]:
        return OPERATIONS.c.tenant_id == self._tenant_id  # type: ignore[no-any-return] # `table` gives Any

    def record(self, operation: RecordedOperation) -> None:
        """Append one operation."""
        wanted = operation.operation
        values = {
            "id": operation.id,
            "tenant_id": self._tenant_id,
            "store_id": operation.store_id,
            "dream_id": operation.dream_id,
            "phase": wanted.phase,
            "position": operation.position,
            "kind": wanted.kind,
            "state": operation.state,
            "review": operation.review,
            "reason": wanted.reason,
            "confidence": wanted.confidence,
            "note": operation.note,
            "changes": changes_json(wanted.changes),
            "effects": effects_json(operation.effects),
        }
        self._connection.execute(insert(OPERATIONS).values(values))

    def find_all(self, dream_id: str) -> list[RecordedOperation]:
        """Return a dream's operations in the order they were recorded.

        The database's time goes first, because ids carry the clock of the worker that made them; within one
        transaction all are of one worker, whose ids grow.
        """
        rows = _FIND_ALL.find_all(self._connection, {"tenant": self._tenant_id, "dream": dream_id})
        return [operation_from(row) for row in rows]

    def find_page(self, dream_id: str, *, after: str | None, limit: int) -> OperationPage:
        """Return a dream's operations behind the one of this id."""
        whole = self._mine & (OPERATIONS.c.dream_id == dream_id)
        query = self._behind(select(OPERATIONS).where(whole), after)
        rows = self._connection.execute(query.order_by(OPERATIONS.c.created_at, OPERATIONS.c.id).limit(limit))
        found = tuple(operation_from(row) for row in rows.mappings())
        is_all = after is None and len(found) < limit
        counting = select(func.count()).select_from(OPERATIONS).where(whole)
        return OperationPage(
            operations=found, total=len(found) if is_all else self._connection.execute(counting).scalar_one()
        )

    def find_pending(
        self, *, store_id: str | None = None, limit: int, after: str | None = None
    ) -> list[RecordedOperation]:
        """Return operations that wait for a review, oldest first."""
        query = select(OPERATIONS).where(self._mine, OPERATIONS.c.review == ReviewState.PENDING)
        if store_id is not None:
            query = query.where(OPERATIONS.c.store_id == store_id)
        query = self._behind(query, after).order_by(OPERATIONS.c.created_at, OPERATIONS.c.id).limit(limit)
        return [operation_from(row) for row in self._connection.execute(query).mappings()]

    def find_put_back(self, store_id: str, limit: int) -> list[RecordedOperation]:
        """Return what put back other operations of a store and is in force, newest first."""
        values = {"tenant": self._tenant_id, "store": store_id, "limit": limit}
        return [operation_from(row) for row in _FIND_PUT_BACK.find_all(self._connection, values)]

    def find_flags(self, store_id: str, limit: int) -> list[RecordedOperation]:
        """Return the flags of a store that a person was shown, newest first; not those of dreams that were undone."""
        values = {"tenant": self._tenant_id, "store": store_id, "limit": limit}
        return [operation_from(row) for row in _FIND_FLAGS.find_all(self._connection, values)]

    def get(self, operation_id: str, *, lock: bool = False) -> RecordedOperation:
        """Return one operation; with `lock` its row is held."""
        query = select(OPERATIONS).where(self._mine, OPERATIONS.c.id == operation_id)
        row = self._connection.execute(query.with_for_update() if lock else query).mappings().first()
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no operation {operation_id!r}"
            raise NotFoundError(msg)
        return operation_from(row)

    def decide(
        self,
        operation_id: str,
        *,
        state: OperationState,
        review: ReviewState,
        by: str,
        effects: Sequence[Effect] | None = None,
        note: str | None = None,
    ) -> None:
        """Record a verdict or an undo."""
        values: dict[str, object] = {"state": state, "review": review, "decided_by": by, "decided_at": func.now()}
        if effects is not None:
            values["effects"] = effects_json(tuple(effects))
        if note is not None:
            values["note"] = note
        self._connection.execute(update(OPERATIONS).where(self._mine, OPERATIONS.c.id == operation_id).values(values))

    def _behind(self, query: Select[Any], after: str | None) -> Select[Any]:
        """Return a query for what comes behind an operation; behind one that is not there comes nothing."""
        if after is None:
            return query
        at = select(OPERATIONS.c.created_at).where(self._mine, OPERATIONS.c.id == after).scalar_subquery()
        return query.where(tuple_(OPERATIONS.c.created_at, OPERATIONS.c.id) > tuple_(at, after))
