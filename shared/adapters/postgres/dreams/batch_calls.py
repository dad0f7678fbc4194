"""Questions that go out in Message Batches: rows that are deleted once their answers are stored as calls."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import INTEGER, Connection, Engine, Text, any_, bindparam, delete, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.dreams import DreamRow
from shared.adapters.postgres.tables.steps import BatchCallRow
from shared.adapters.ulid_ids import new_id
from shared.ports.batches import BatchCall, BatchedDream, BatchEntry, BatchState

_MINE = col(BatchCallRow.tenant_id) == bindparam("tenant", type_=Text)
_OF_DREAM = _MINE & (col(BatchCallRow.dream_id) == bindparam("dream", type_=Text))
_OF_STATE = col(BatchCallRow.state) == bindparam("of_state", type_=Text)
_NAMED = _MINE & (col(BatchCallRow.id) == any_(bindparam("ids", type_=ARRAY(Text))))
_IS_SENDING = col(BatchCallRow.state) == BatchState.SENDING
_READ = select(
    *map(col, (BatchCallRow.id, BatchCallRow.dream_id, BatchCallRow.phase, BatchCallRow.key, BatchCallRow.model)),
    *map(col, (BatchCallRow.state, BatchCallRow.created_at, BatchCallRow.result)),
)
_FIND = _READ.where(_OF_DREAM, col(BatchCallRow.phase) == bindparam("of_phase", type_=Text))
_FIND_IN = _READ.where(_OF_DREAM, _OF_STATE, col(BatchCallRow.batch_id) == bindparam("batch", type_=Text))
_COUNT_OPEN = (
    select(func.count()).select_from(BatchCallRow).where(_OF_DREAM, col(BatchCallRow.state) != BatchState.ENDED)
)
_WAITING = (
    select(col(BatchCallRow.id))
    .where(_OF_DREAM, _OF_STATE)
    .order_by(col(BatchCallRow.id))
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    update(BatchCallRow)
    .where(_MINE, col(BatchCallRow.id).in_(_WAITING))
    .values(state=BatchState.SENDING, sent_at=func.now())
    .returning(col(BatchCallRow.id), col(BatchCallRow.request))
)
_SET_SENT = (
    update(BatchCallRow)
    .where(_NAMED, _IS_SENDING)
    .values(state=BatchState.SENT, batch_id=bindparam("batch"), request=None)
)
_RELEASE = update(BatchCallRow).where(_NAMED, _IS_SENDING).values(state=BatchState.WAITING, sent_at=None)
_END = (
    update(BatchCallRow)
    .where(_MINE, col(BatchCallRow.id) == bindparam("of_id"), col(BatchCallRow.state) != BatchState.ENDED)
    .values(state=BatchState.ENDED, result=bindparam("found"), request=None)
)
_DELETE = delete(BatchCallRow).where(_NAMED)
_SET_BATCHED = (
    update(DreamRow)
    .where(col(DreamRow.tenant_id) == bindparam("tenant"), col(DreamRow.id) == bindparam("dream"))
    .values(is_batched=True)
)
_FIND_WAITING_DREAMS = select(
    func.slowwave_find_batched_dreams(bindparam("limit", type_=INTEGER)).table_valued(
        "tenant_id", "dream_id", "state", "batch_id", "since"
    )
)


class PostgresBatchQueue:
    """Implements `BatchQueue`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, limit: int) -> list[BatchedDream]:
        """Return the dreams that wait for batches, by state and batch, the longest waiting first."""
        with open_transaction(self._engine) as connection:
            rows = fetch(connection, _FIND_WAITING_DREAMS, {"limit": limit})
        return [BatchedDream(**{**row, "state": BatchState(row["state"])}) for row in rows]


class PostgresBatchCallRepository:
    """Implements `BatchCallRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find(self, dream_id: str, phase: str) -> dict[str, BatchCall]:
        """Return the questions of a phase by their keys."""
        rows = fetch(self._connection, _FIND, self._of(dream_id, of_phase=phase))
        return {row["key"]: _call(row) for row in rows}

    def add(
        self,
        dream_id: str,
        phase: str,
        model: str,
        requests: Mapping[str, Mapping[str, Any]],
        reserved: Mapping[str, float] | None = None,
    ) -> None:
        """Add questions to send, by key, with the reservation for each; from now on the dream asks in batches."""
        rows = [
            {
                "id": new_id("bat"),
                "tenant_id": self._tenant_id,
                "dream_id": dream_id,
                "phase": phase,
                "key": key,
                "model": model,
                "state": BatchState.WAITING,
                "request": request,
                "reserved_usd": (reserved or {}).get(key, 0.0),
            }
            for key, request in requests.items()
        ]
        if rows:
            statement = insert(BatchCallRow).values(rows)
            execute(self._connection, statement.on_conflict_do_nothing(constraint="uq_batch_calls_question"))
            execute(self._connection, _SET_BATCHED, self._of(dream_id))

    def claim(self, dream_id: str, limit: int) -> list[BatchEntry]:
        """Take questions that wait, and mark them as being sent."""
        rows = fetch(self._connection, _CLAIM, self._of(dream_id, of_state=BatchState.WAITING, limit=limit))
        return [BatchEntry(id=row["id"], request=row["request"]) for row in rows]

    def record_sent(self, ids: Collection[str], batch_id: str) -> None:
        """Record the batch of the questions being sent, and delete their texts."""
        execute(self._connection, _SET_SENT, self._named(ids) | {"batch": batch_id})

    def release(self, ids: Collection[str]) -> None:
        """Put questions that were being sent back to waiting."""
        execute(self._connection, _RELEASE, self._named(ids))

    def find_in(self, dream_id: str, state: BatchState, batch_id: str = "") -> list[BatchCall]:
        """Return the questions of a dream that are in a state, and in this batch."""
        rows = fetch(self._connection, _FIND_IN, self._of(dream_id, of_state=state, batch=batch_id))
        return [_call(row) for row in rows]

    def count_open(self, dream_id: str) -> int:
        """Return how many questions of a dream have not ended."""
        return int(fetch_tuples(self._connection, _COUNT_OPEN, self._of(dream_id))[0][0])

    def end(self, results: Mapping[str, Mapping[str, Any]]) -> None:
        """Store results by the ids of their questions."""
        for one, result in results.items():
            execute(self._connection, _END, {"tenant": self._tenant_id, "of_id": one, "found": dict(result)})

    def delete(self, ids: Collection[str]) -> None:
        """Delete questions whose cost has been recorded."""
        if ids:
            execute(self._connection, _DELETE, self._named(ids))

    def _of(self, dream_id: str, **values: object) -> dict[str, Any]:
        return {"tenant": self._tenant_id, "dream": dream_id, **values}

    def _named(self, ids: Collection[str]) -> dict[str, Any]:
        return {"tenant": self._tenant_id, "ids": list(ids)}


def _call(row: Row) -> BatchCall:
    return BatchCall(**{**row, "state": BatchState(row["state"])})
