"""Operations of dreams: each one's changes and effects as JSON, and its review."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    SQLColumnExpression,
    Text,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    tuple_,
    update,
)
from sqlmodel import col

from shared.adapters.postgres.memories.hidden import Hidden
from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, OperationRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.dream.effects import Effect, Undone
from shared.core.dream.model import DreamState, OperationState, ReviewState
from shared.core.dream.operation_filter import ALL_OPERATIONS, BOUNDS, ConfidenceBand, OperationFilter
from shared.core.dream.operations import Change, Operation, OperationKind
from shared.core.dream.verdicts import Comment
from shared.core.errors import NotFoundError
from shared.core.trust.hidden import Shown
from shared.ports.dreams import KindCount, OperationPage, RecordedOperation

_CHANGES: TypeAdapter[tuple[Change, ...]] = TypeAdapter(tuple[Change, ...])
_EFFECTS: TypeAdapter[tuple[Effect, ...]] = TypeAdapter(tuple[Effect, ...])
_COMMENTS: TypeAdapter[tuple[Comment, ...]] = TypeAdapter(tuple[Comment, ...])


def operation_from(row: Row) -> RecordedOperation:
    """Return an operation with its effects."""
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
        undone=_undone_from(row["undone"]),
        note=row["note"],
        created_at=row["created_at"],
        was_proposed=row["was_proposed"],
        decided_by=row["decided_by"],
        decided_at=row["decided_at"],
        decided_why=row["decided_why"],
        assigned_to=row["assigned_to"],
        comments=_COMMENTS.validate_python(row["comments"]),
        store=row["store"],
    )


def changes_json(changes: tuple[Change, ...]) -> list[Any]:
    """Return changes as JSON."""
    dumped: list[Any] = _CHANGES.dump_python(changes, mode="json")
    return dumped


def effects_json(effects: tuple[Effect, ...]) -> list[Any]:
    """Return effects as JSON."""
    dumped: list[Any] = _EFFECTS.dump_python(effects, mode="json")
    return dumped


def effects_from(stored: list[Any]) -> tuple[Effect, ...]:
    """Return effects from JSON."""
    return _EFFECTS.validate_python(stored)


def undone_json(undone: Sequence[Undone]) -> list[Any]:
    """Return reverted effects as one list, each followed by the effect of its undo: a redaction walks it like effects."""
    return effects_json(tuple(effect for one in undone for effect in (one.effect, one.undo)))


def comments_json(comments: Sequence[Comment]) -> list[Any]:
    """Return comments as JSON."""
    dumped: list[Any] = _COMMENTS.dump_python(tuple(comments), mode="json")
    return dumped


def _undone_from(stored: list[Any]) -> tuple[Undone, ...]:
    effects = _EFFECTS.validate_python(stored)
    return tuple(Undone(effect=one, undo=undo) for one, undo in zip(effects[::2], effects[1::2], strict=True))


_TENANT, _STORE, _DREAM = (bindparam(name, type_=Text) for name in ("tenant", "store", "dream"))
_MINE = col(OperationRow.tenant_id) == _TENANT
_OF_DREAM = _MINE & (col(OperationRow.dream_id) == _DREAM)
_OF_STORE = _MINE & (col(OperationRow.store_id) == _STORE)
_THIS = _MINE & (col(OperationRow.id) == bindparam("operation"))
_STORE_NAME = (
    select(col(StoreRow.name))
    .where(col(StoreRow.tenant_id) == col(OperationRow.tenant_id), col(StoreRow.id) == col(OperationRow.store_id))
    .scalar_subquery()
    .label("store")
)
READ = select(OperationRow, _STORE_NAME)
_NEWEST = col(OperationRow.created_at).desc()
_IN_ORDER = (col(OperationRow.created_at), col(OperationRow.id))
_IS_IN_FORCE = (col(DreamRow.state) != DreamState.UNDONE) & col(DreamRow.is_dry_run).is_(False)
#: Stays as it is for the operations of an ended dream until one is reviewed, which then goes to the others of its kind.
_BY_KIND = (col(OperationRow.review) != literal_column("'pending'"), col(OperationRow.kind), *_IN_ORDER)
_FIND_ALL = Fixed("operations.find_all", READ.where(_OF_DREAM).order_by(*_IN_ORDER), reason="4 times a dream")
_IS_WAITING = col(OperationRow.review) == ReviewState.PENDING
_COUNT_KINDS = (
    select(col(OperationRow.kind), func.count(), func.count().filter(_IS_WAITING))
    .where(_OF_DREAM)
    .group_by(col(OperationRow.kind))
    .order_by(func.min(col(OperationRow.id)))
)
_FIND_PUT_BACK = (
    READ.where(
        _OF_STORE,
        col(OperationRow.kind) == literal_column("'PUT_BACK'"),
        col(OperationRow.state) == OperationState.APPLIED,
    )
    .order_by(_NEWEST)
    .limit(bindparam("limit"))
)
_FIND_FLAGS = (
    READ.join(DreamRow, (col(DreamRow.id) == col(OperationRow.dream_id)) & _IS_IN_FORCE)
    .where(_OF_STORE, col(OperationRow.kind) == literal_column("'FLAG'"), col(OperationRow.review) != ReviewState.NONE)
    .order_by(_NEWEST)
    .limit(bindparam("limit"))
)
_FIND_OPEN_FLAGS = Fixed(
    "operations.find_open_flags",
    # Literals, so that the index of flags is used: a tenant may have thousands of other operations that wait.
    READ.where(
        _OF_STORE,
        col(OperationRow.kind) == literal_column("'FLAG'"),
        col(OperationRow.review) == literal_column("'pending'"),
    )
    .order_by(*_IN_ORDER)
    .limit(bindparam("limit")),
    reason="with each change of a memory",
)
_GET = READ.where(_THIS)


class PostgresOperationRepository:
    """Implements `OperationRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, hidden: Hidden | None = None) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._hidden = hidden

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
            "was_proposed": operation.state is OperationState.PROPOSED,
            "fingerprint": operation.fingerprint,
            "changes": changes_json(wanted.changes),
            "effects": effects_json(operation.effects),
            "undone": undone_json(operation.undone),
        }
        execute(self._connection, insert(OperationRow), values)

    def find_all(self, dream_id: str, only: OperationFilter = ALL_OPERATIONS) -> list[RecordedOperation]:
        """Return a dream's operations, or some of them, in the order they were recorded.

        The database's time comes first, because ids contain the clock of their worker; within one transaction all ids
        are of one worker, and grow.
        """
        values = {"tenant": self._tenant_id, "dream": dream_id}
        some = READ.where(_OF_DREAM, *conditions_of(only)).order_by(*_IN_ORDER)
        query = _FIND_ALL if only == ALL_OPERATIONS else some
        return [operation_from(row) for row in fetch(self._connection, query, values)]

    def find_page(
        self,
        dream_id: str,
        *,
        after: str | None,
        limit: int,
        only: OperationFilter = ALL_OPERATIONS,
        by_kind: bool = False,
    ) -> OperationPage:
        """Return a dream's operations after the one with this id; by kind, those that wait for a review come first."""
        order = _BY_KIND if by_kind else _IN_ORDER
        wanted = READ.where(_OF_DREAM, *conditions_of(only))
        query = _start_after(wanted, after, order).order_by(*order).limit(limit)
        values = {"tenant": self._tenant_id, "dream": dream_id}
        found = tuple(operation_from(row) for row in fetch(self._connection, query, values))
        kinds = tuple(
            KindCount(kind=OperationKind(name), number=number, waiting=number_waiting)
            for name, number, number_waiting in fetch_tuples(self._connection, _COUNT_KINDS, values)
        )
        counted = (one for one in kinds if only.kind is None or one.kind is only.kind)
        total = sum(one.waiting if only.is_waiting else one.number for one in counted)
        if only.state is not None or only.confidence is not None:
            number = select(func.count()).select_from(OperationRow).where(_OF_DREAM, *conditions_of(only))
            total = int(fetch_tuples(self._connection, number, values)[0][0])
        note = self._note_hidden(dream_id=dream_id, only=only)
        return OperationPage(operations=found, total=total, kinds=kinds, note=note)

    def find_pending(
        self,
        *,
        store_id: str | None = None,
        dream_id: str | None = None,
        only: OperationFilter = ALL_OPERATIONS,
        limit: int | None,
        after: str | None = None,
    ) -> Shown[RecordedOperation]:
        """Return operations that wait for a review, oldest first."""
        query = READ.where(_MINE, _IS_WAITING, *conditions_of(only), *_of(store_id, dream_id))
        query = _start_after(query, after).order_by(*_IN_ORDER).limit(limit)
        found = fetch(self._connection, query, {"tenant": self._tenant_id})
        note = self._note_hidden(store_id=store_id, dream_id=dream_id, only=replace(only, is_waiting=True))
        return Shown(map(operation_from, found), note)

    def _note_hidden(
        self, *, store_id: str | None = None, dream_id: str | None = None, only: OperationFilter = ALL_OPERATIONS
    ) -> str:
        """Return the sentence about the operations that the transaction does not show; empty for none."""
        if self._hidden is None:
            return ""
        mine = col(OperationRow.tenant_id) == self._tenant_id
        conditions = (mine, *conditions_of(only), *_of(store_id, dream_id))
        return self._hidden.note(OperationRow, conditions, ("operation", "operations"))

    def find_put_back(self, store_id: str, limit: int) -> list[RecordedOperation]:
        """Return the PUT_BACK operations of a store that are in force, newest first."""
        values = {"tenant": self._tenant_id, "store": store_id, "limit": limit}
        return [operation_from(row) for row in fetch(self._connection, _FIND_PUT_BACK, values)]

    def find_flags(self, store_id: str, limit: int, *, only_open: bool = False) -> list[RecordedOperation]:
        """Return the flags of a store that a person was shown, newest first, except those of undone dreams, or all that wait, oldest first."""
        values = {"tenant": self._tenant_id, "store": store_id, "limit": limit}
        query = _FIND_OPEN_FLAGS if only_open else _FIND_FLAGS
        return [operation_from(row) for row in fetch(self._connection, query, values)]

    def find_by_ids(self, operation_ids: Collection[str]) -> dict[str, RecordedOperation]:
        """Return the existing ones of these operations, by id."""
        query = READ.where(_MINE, col(OperationRow.id).in_(list(operation_ids)))
        found = fetch(self._connection, query, {"tenant": self._tenant_id})
        return {row["id"]: operation_from(row) for row in found}

    def get(self, operation_id: str, *, lock: bool = False) -> RecordedOperation:
        """Return one operation; with `lock` its row is held."""
        query = _GET.with_for_update() if lock else _GET
        row = fetch_one(self._connection, query, {"tenant": self._tenant_id, "operation": operation_id})
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
        undone: Sequence[Undone] | None = None,
        note: str | None = None,
    ) -> None:
        """Record a verdict, an undo or a redo; what is None stays as it is."""
        values: dict[str, object] = {"state": state, "review": review, "decided_by": by, "decided_at": func.now()}
        if effects is not None:
            values["effects"] = effects_json(tuple(effects))
        if undone is not None:
            values["undone"] = undone_json(undone)
        if note is not None:
            values["note"] = note
        statement = update(OperationRow).where(_THIS).values(values)
        execute(self._connection, statement, {"tenant": self._tenant_id, "operation": operation_id})


def _of(store_id: str | None, dream_id: str | None) -> list[ColumnElement[bool]]:
    wanted = ((col(OperationRow.store_id), store_id), (col(OperationRow.dream_id), dream_id))
    return [column == value for column, value in wanted if value is not None]


def conditions_of(only: OperationFilter) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter."""
    confidence = col(OperationRow.confidence)
    equal = (
        (OperationRow.kind, only.kind),
        (OperationRow.phase, only.phase),
        (OperationRow.state, only.state),
        (OperationRow.assigned_to, only.assigned_to),
    )
    found: list[ColumnElement[bool]] = [col(column) == wanted for column, wanted in equal if wanted is not None]
    if only.is_waiting:
        found.append(_IS_WAITING)
    if only.memory_id is not None:
        found.append(col(OperationRow.changes).contains([{"memory_id": only.memory_id}]))
    if only.confidence is ConfidenceBand.UNSAID:
        found.append(confidence.is_(None))
    elif only.confidence is not None:
        least, below = BOUNDS[only.confidence]
        found += [confidence >= least, confidence < below]
    return found


def _start_after(
    query: Select[*tuple[Any, ...]], after: str | None, order: Sequence[SQLColumnExpression[Any]] = _IN_ORDER
) -> Select[*tuple[Any, ...]]:
    """Return the query for the operations after one; after one that does not exist, there are none."""
    if after is None:
        return query
    its_place = [select(one).where(_MINE, col(OperationRow.id) == after).scalar_subquery() for one in order]
    return query.where(tuple_(*order) > tuple_(*its_place))
