"""Evaluations and people's own questions in PostgreSQL, of one tenant, inside one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, Select, Text, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from shared.adapters.postgres.dreams.arms import find_arms
from shared.adapters.postgres.dreams.calls import TOKENS
from shared.adapters.postgres.dreams.shadows import PostgresShadowRepository
from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_one
from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.postgres.tables.logs import EvaluationRow, ProbeRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.errors import ConflictError, NotFoundError
from shared.core.evaluation.arms import ArmStore
from shared.core.evaluation.model import ACTIVE, Evaluation, EvaluationOrder, EvaluationState
from shared.ports.evaluation.evaluations import WaitingEvaluation

_TENANT, _ID, _STORE = (bindparam(name, type_=Text) for name in ("tenant", "id", "store"))
_COLUMNS = [getattr(EvaluationRow, name) for name in EvaluationRow.model_fields if name not in {"work", "tenant_id"}]
_FIND = (
    select(*_COLUMNS, col(StoreRow.name).label("store"))
    .join(StoreRow, (col(StoreRow.tenant_id) == _TENANT) & (col(StoreRow.id) == col(EvaluationRow.store_id)))
    .where(col(EvaluationRow.tenant_id) == _TENANT)
)
_IS_ACTIVE = col(EvaluationRow.state).in_(sorted(ACTIVE))
_GET = _FIND.add_columns(col(EvaluationRow.work)).where(col(EvaluationRow.id) == _ID)
_LOCK = _GET.with_for_update(of=EvaluationRow)
_FIND_ACTIVE = _FIND.where(col(EvaluationRow.store_id) == _STORE, _IS_ACTIVE)
_FIND_WAITING = select(
    func.slowwave_find_evaluations(bindparam("silent"), bindparam("limit")).table_valued("tenant_id", "evaluation_id")
)
_THIS = (col(EvaluationRow.tenant_id) == _TENANT) & (col(EvaluationRow.id) == bindparam("which", type_=Text))
#: What a copy's calls have cost stays when it goes, and nothing that they said.
_DETACH = (
    update(LlmCallRow)
    .where(
        col(LlmCallRow.tenant_id) == _TENANT,
        col(LlmCallRow.dream_id).in_(select(col(DreamRow.id)).where(col(DreamRow.store_id) == bindparam("copy"))),
        TOKENS > 0,
        col(StoreRow.tenant_id) == col(LlmCallRow.tenant_id),
        col(StoreRow.name) == bindparam("name", type_=Text),
    )
    .values(dream_id=None, paid_for=col(StoreRow.id), key="", detail="", answer=None, prompt=None)
)
_OWN = (col(ProbeRow.tenant_id) == _TENANT) & (col(ProbeRow.store_id) == _STORE)
_FIND_OWN = select(ProbeRow).where(_OWN).order_by(col(ProbeRow.position))
_DELETE_OWN = delete(ProbeRow).where(_OWN)


class PostgresEvaluationRepository:
    """Implements `EvaluationRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self.shadows = PostgresShadowRepository(connection, tenant_id)

    def add(self, evaluation_id: str, store_id: str, order: EvaluationOrder) -> Evaluation:
        """Insert a queued evaluation. Raises ConflictError when the store has an active one."""
        values = {
            "id": evaluation_id,
            "tenant_id": self._tenant_id,
            "store_id": store_id,
            "state": EvaluationState.QUEUED,
            "request": order.to_json(),
        }
        try:
            with self._connection.begin_nested():
                execute(self._connection, insert(EvaluationRow), values)
        except IntegrityError as error:
            active = self.find_active(store_id)
            raise ConflictError(
                f"{order.store} is being evaluated already ({active.id if active else 'just now'}):"
                " wait for its end, or cancel it"
            ) from error
        return self.get(evaluation_id)

    def get(self, evaluation_id: str, *, lock: bool = False) -> Evaluation:
        """Return an evaluation; with `lock` its row is held. Raises NotFoundError."""
        row = fetch_one(self._connection, _LOCK if lock else _GET, {"tenant": self._tenant_id, "id": evaluation_id})
        if row is None:
            raise NotFoundError(f"Tenant {self._tenant_id!r} has no evaluation {evaluation_id!r}")
        return _evaluation(row, row["work"])

    def find_all(self, *, store_id: str | None = None, limit: int, before: str | None = None) -> list[Evaluation]:
        """Return evaluations, newest first, without their work; with `before` those that came before that one."""
        query: Select[*tuple[Any, ...]] = _FIND
        if store_id is not None:
            query = query.where(col(EvaluationRow.store_id) == store_id)
        if before is not None:
            query = query.where(col(EvaluationRow.id) < before)
        query = query.order_by(col(EvaluationRow.id).desc()).limit(limit)
        return [_evaluation(row) for row in fetch(self._connection, query, {"tenant": self._tenant_id})]

    def find_arms(self, arm: str | None = None) -> list[ArmStore]:
        """Return stores with what their dreams did since they were put into their arm; with a name only those of that arm."""
        return find_arms(self._connection, self._tenant_id, arm)

    def find_active(self, store_id: str) -> Evaluation | None:
        """Return the evaluation of a store that is queued or running."""
        row = fetch_one(self._connection, _FIND_ACTIVE, {"tenant": self._tenant_id, "store": store_id})
        return None if row is None else _evaluation(row)

    def keep(self, evaluation: Evaluation) -> None:
        """Write the state, terms, progress, reason, report and work of an evaluation; a final state is dated now."""
        values = {
            "state": evaluation.state,
            "terms": evaluation.terms,
            "progress": evaluation.progress,
            "reason": evaluation.reason,
            "report": evaluation.report,
            "work": dict(evaluation.work),
            "stepped_at": func.now(),
            "finished_at": None if evaluation.is_active else func.now(),
        }
        statement = update(EvaluationRow).where(_THIS).values(values)
        execute(self._connection, statement, {"tenant": self._tenant_id, "which": evaluation.id})

    def keep_calls(self, copy_id: str, store_name: str) -> None:
        """Leave what the calls of a copy have cost to the store with this name, if it is there, without their texts."""
        execute(self._connection, _DETACH, {"tenant": self._tenant_id, "copy": copy_id, "name": store_name})

    def add_cost(self, evaluation_id: str, usd: float) -> None:
        """Add what dreams over a copy have cost, as the copy is deleted."""
        statement = update(EvaluationRow).where(_THIS).values(cost_usd=col(EvaluationRow.cost_usd) + usd)
        execute(self._connection, statement, {"tenant": self._tenant_id, "which": evaluation_id})


class PostgresProbeRepository:
    """Implements `ProbeRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_all(self) -> list[dict[str, object]]:
        """Return the rows in their order: `question`, `evidence` as a list of quotes, and `group` where there is one."""
        return [
            {"question": row["question"], "evidence": row["evidence"]}
            | ({"group": row["group_name"]} if row["group_name"] else {})
            for row in fetch(self._connection, _FIND_OWN, self._keys)
        ]

    def replace(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Keep these rows instead of all others."""
        execute(self._connection, _DELETE_OWN, self._keys)
        mine = {"tenant_id": self._keys["tenant"], "store_id": self._keys["store"]}
        values = [
            mine
            | {"position": position, "question": row["question"], "group_name": row.get("group") or ""}
            | {"evidence": [row["evidence"]] if isinstance(row["evidence"], str) else row["evidence"]}
            for position, row in enumerate(rows)
        ]
        if values:
            execute(self._connection, insert(ProbeRow).values(values))


class PostgresEvaluationQueue:
    """Implements `EvaluationQueue`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find_waiting(self, *, silent_seconds: float, limit: int) -> list[WaitingEvaluation]:
        """Return the evaluations to take further, or to clean up after."""
        with open_transaction(self._engine) as connection:
            rows = fetch(connection, _FIND_WAITING, {"silent": silent_seconds, "limit": limit})
        return [WaitingEvaluation(**row) for row in rows]


def _evaluation(row: Row, work: dict[str, Any] | None = None) -> Evaluation:
    plain = (
        "id",
        "store_id",
        "store",
        "terms",
        "progress",
        "report",
        "reason",
        "cost_usd",
        "created_at",
        "finished_at",
    )
    return Evaluation(
        state=EvaluationState(row["state"]),
        order=EvaluationOrder.from_json(row["request"]),
        work=work or {},
        **{name: row[name] for name in plain},
    )
