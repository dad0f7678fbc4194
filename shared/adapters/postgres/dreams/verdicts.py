"""Verdicts on the operations of a store, for later dreams."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection, Text, and_, bindparam, func, literal_column, or_, select, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import col

from shared.adapters.postgres.dreams.operations import changes_json, comments_json, effects_from, effects_json
from shared.adapters.postgres.dreams.originals import find_original
from shared.adapters.postgres.sql.statements import Fixed, execute, fetch_tuples
from shared.adapters.postgres.tables.dreams import OperationRow
from shared.core.dream.effects import Effect
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.dream.verdicts import BY_DREAM, Comment, Verdict
from shared.ports.dreams import RecordedOperation

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_OF_STORE = (col(OperationRow.tenant_id) == _TENANT) & (col(OperationRow.store_id) == _STORE)
_IS_REFUSED = and_(col(OperationRow.review) == ReviewState.REJECTED, col(OperationRow.decided_by) != BY_DREAM)
_IS_WAITING = and_(col(OperationRow.review) == ReviewState.PENDING, col(OperationRow.state) == OperationState.PROPOSED)
_HAS_FINGERPRINT = col(OperationRow.fingerprint) != literal_column("''")
_DECIDED = (
    *map(col, (OperationRow.id, OperationRow.state, OperationRow.decided_by)),
    *map(col, (OperationRow.decided_at, OperationRow.decided_why)),
)
_OF_DREAM = _OF_STORE & (col(OperationRow.dream_id) == bindparam("dream", type_=Text))
_WAITS = select(1).where(_OF_DREAM, col(OperationRow.review) == literal_column("'pending'")).correlate(None).exists()
_COUNT_OF_DREAM = (
    select(col(OperationRow.review), func.count()).where(_OF_DREAM, ~_WAITS).group_by(col(OperationRow.review))
)
_NEWEST_FIRST = (col(OperationRow.created_at).desc(), col(OperationRow.id).desc())
_FIND = (
    select(*_DECIDED)
    .where(
        _OF_STORE,
        _HAS_FINGERPRINT,
        col(OperationRow.fingerprint) == bindparam("fingerprint"),
        or_(_IS_REFUSED, _IS_WAITING),
    )
    .order_by(*_NEWEST_FIRST)
    .limit(1)
)
_FIND_REFUSED = (
    select(*_DECIDED, col(OperationRow.effects))
    .where(_OF_STORE, _HAS_FINGERPRINT, col(OperationRow.kind) == bindparam("kind"), _IS_REFUSED)
    .order_by(*_NEWEST_FIRST)
    .limit(bindparam("limit"))
)
_SET_WHY = (
    update(OperationRow)
    .where(_OF_STORE, col(OperationRow.id) == bindparam("operation"))
    .values(decided_why=bindparam("why"))
)
_SET_NOTES = (
    update(OperationRow)
    .where(_OF_STORE, col(OperationRow.id) == bindparam("operation"))
    .values(assigned_to=bindparam("assigned"), comments=bindparam("notes", type_=JSONB))
)
_FORGET = (
    update(OperationRow)
    .where(_OF_STORE, _HAS_FINGERPRINT, col(OperationRow.review) == literal_column("'rejected'"))
    .values(fingerprint="")
)
_RETIRED = func.jsonb_path_query_array(col(OperationRow.changes), literal_column("'$[*] ? (@.type == \"retire\")'"))
_COUNT_UNREVIEWED = Fixed(
    "verdicts.count_unreviewed",
    select(func.coalesce(func.sum(func.jsonb_array_length(_RETIRED)), 0)).where(
        _OF_STORE,
        col(OperationRow.review) == literal_column("'pending'"),
        col(OperationRow.state) == OperationState.APPLIED,
        col(OperationRow.created_at) >= bindparam("since"),
        col(OperationRow.dream_id) != bindparam("besides"),
    ),
    reason="5 times a dream: for each phase that may hide memories",
)
_FIND_UNAPPROVED = (
    select(*map(col, (OperationRow.kind, OperationRow.review, OperationRow.effects)))
    .where(
        _OF_STORE,
        col(OperationRow.state) == OperationState.APPLIED,
        col(OperationRow.review) != ReviewState.APPROVED,
    )
    .order_by(*_NEWEST_FIRST)
)


class PostgresVerdictRepository:
    """Implements `VerdictRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    @cached_property
    def _decided_in(self) -> tuple[dict[str, str], ...]:
        """Return where people have decided: in the store, and for a copy of an evaluation also in the store that it was made of."""
        original = find_original(self._connection, self._keys["tenant"], self._keys["store"])
        return (self._keys, *([{**self._keys, "store": original}] if original is not None else []))

    def find(self, fingerprint: str) -> Verdict | None:
        """Return the newest verdict of a person on an operation with this fingerprint, or that one waits for it."""
        for keys in self._decided_in:
            found = fetch_tuples(self._connection, _FIND, keys | {"fingerprint": fingerprint})
            if found:
                return _verdict(*found[0])
        return None

    def find_refused(self, kind: OperationKind, limit: int) -> list[tuple[Verdict, tuple[Effect, ...]]]:
        """Return the operations of a kind that a person has rejected or undone, newest first: the verdict and the effects."""
        wanted = {"kind": kind.value, "limit": limit}
        found = [
            one for keys in self._decided_in for one in fetch_tuples(self._connection, _FIND_REFUSED, keys | wanted)
        ]
        return [(_verdict(*decided), effects_from(effects)) for *decided, effects in found[:limit]]

    def plan_again(self, operation: RecordedOperation) -> None:
        """Store a proposal that was planned again."""
        values = {
            "changes": changes_json(operation.operation.changes),
            "effects": effects_json(operation.effects),
            "fingerprint": operation.fingerprint,
        }
        statement = update(OperationRow).where(_OF_STORE, col(OperationRow.id) == bindparam("operation"))
        execute(self._connection, statement.values(values), self._keys | {"operation": operation.id})

    def set_why(self, operation_id: str, why: str) -> None:
        """Store the reason for a person's decision."""
        execute(self._connection, _SET_WHY, self._keys | {"operation": operation_id, "why": why})

    def set_notes(self, operation_id: str, *, assigned_to: str, comments: Sequence[Comment]) -> None:
        """Store who is asked to decide an operation, and what people wrote about it."""
        values = {"operation": operation_id, "assigned": assigned_to, "notes": comments_json(comments)}
        execute(self._connection, _SET_NOTES, self._keys | values)

    def clear(self) -> int:
        """Clear the verdicts on rejected and undone operations; return their number."""
        return execute(self._connection, _FORGET, self._keys)

    def count_of_dream(self, dream_id: str) -> dict[ReviewState, int]:
        """Return how many of a dream's operations have each verdict; nothing while one of them waits."""
        found = fetch_tuples(self._connection, _COUNT_OF_DREAM, self._keys | {"dream": dream_id})
        return {ReviewState(review): number for review, number in found}

    def count_unreviewed(self, since: datetime, *, besides: str) -> int:
        """Return how many memories other dreams have hidden since then, and no person has reviewed."""
        values = self._keys | {"since": since, "besides": besides}
        return int(fetch_tuples(self._connection, _COUNT_UNREVIEWED, values)[0][0])

    def find_unapproved(self, *, waiting: bool = False) -> list[tuple[Effect, ...]]:
        """Return the effects of each operation in force that no person has approved, newest first.

        Args:
            waiting: only of those that wait for a review, and of the indexes written since, which may list what waits.
        """
        found = fetch_tuples(self._connection, _FIND_UNAPPROVED, self._keys)
        if waiting:
            oldest = max((at for at, (_, review, _) in enumerate(found) if review == ReviewState.PENDING), default=-1)
            found = [
                one for one in found[: oldest + 1] if one[1] == ReviewState.PENDING or one[0] == OperationKind.INDEX
            ]
        return [effects_from(effects) for _, _, effects in found]


def _verdict(operation_id: str, state: str, by: str, at: datetime | None, why: str) -> Verdict:
    return Verdict(operation_id=operation_id, state=OperationState(state), by=by, at=at, why=why)
