"""Operations as rows and back: what was wanted, and what it did, as JSON."""

from typing import Any

from pydantic import TypeAdapter

from shared.adapters.postgres.mapping import Row
from shared.core.dream import OperationState, ReviewState
from shared.core.effect import Effect
from shared.core.operation import Change, Operation, OperationKind
from shared.ports.dream_book import RecordedOperation

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
