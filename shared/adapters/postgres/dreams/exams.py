"""Exams of models, at a tenant's own endpoint or at the installation's, inside one transaction of one tenant."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import ARRAY, Connection, Select, Text, any_, bindparam, func, insert, select
from sqlmodel import col

from shared.adapters.postgres.dreams.calls import TOKENS
from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import LlmCallRow
from shared.adapters.postgres.tables.logs import ExamRow, InstallationExamRow
from shared.core.exam.grading import Grade
from shared.core.exam.model import ExaminedModel, ExamResult

_COST = select(func.sum(TOKENS), func.sum(col(LlmCallRow.cost_usd))).where(
    col(LlmCallRow.tenant_id) == bindparam("tenant", type_=Text),
    col(LlmCallRow.dream_id) == bindparam("dream", type_=Text),
    col(LlmCallRow.phase) == bindparam("of_phase", type_=Text),
    col(LlmCallRow.key) == any_(bindparam("keys", type_=ARRAY(Text))),
)
#: Exams are rare: a model takes one in three months, or when a prompt changes.
_MOST = 200


class PostgresExamRepository:
    """Implements `ExamRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def add(self, result: ExamResult) -> None:
        """Append a result."""
        examined = result.examined
        values: dict[str, object] = {
            "id": result.id,
            "owner": examined.owner,
            "server": examined.server,
            "model": examined.model,
            "fingerprint": result.fingerprint,
            "passed": result.passed,
            "reason": result.reason,
            "grade": asdict(result.grade),
            "set_by": result.set_by,
            "tokens": result.tokens,
            "cost_usd": result.cost_usd,
            "taken_at": result.taken_at,
            "expires_at": result.expires_at,
        }
        if not examined.is_own:
            execute(self._connection, insert(InstallationExamRow).values(values))
        else:
            execute(self._connection, insert(ExamRow).values(values | {"tenant_id": self._tenant_id}))

    def find_all(self, examined: ExaminedModel | None = None) -> list[ExamResult]:
        """Return the results at the installation's endpoint and at the tenant's, or of one model, newest first, at most 200."""
        found: list[ExamResult] = []
        if examined is None or not examined.is_own:
            found += self._find(select(InstallationExamRow), InstallationExamRow, examined)
        if examined is None or examined.is_own:
            own = select(ExamRow).where(col(ExamRow.tenant_id) == self._tenant_id)
            found += self._find(own, ExamRow, examined)
        return sorted(found, key=lambda one: (one.taken_at, one.id), reverse=True)[:_MOST]

    def sum_calls(self, dream_id: str, phase: str, keys: Sequence[str]) -> tuple[int, float]:
        """Return the tokens and dollars of an exam's questions in a dream, failed calls included."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "of_phase": phase, "keys": list(keys)}
        ((tokens, usd),) = fetch_tuples(self._connection, _COST, values)
        return int(tokens or 0), float(usd or 0)

    def _find(
        self, query: Select[Any], of: type[ExamRow | InstallationExamRow], examined: ExaminedModel | None
    ) -> list[ExamResult]:
        if examined is not None:
            query = query.where(
                col(of.owner) == examined.owner, col(of.server) == examined.server, col(of.model) == examined.model
            )
        rows = fetch(self._connection, query.order_by(col(of.taken_at).desc()).limit(_MOST))
        return [_result(row) for row in rows]


def _result(row: Row) -> ExamResult:
    plain = ("id", "fingerprint", "passed", "reason", "taken_at", "expires_at", "set_by", "tokens", "cost_usd")
    return ExamResult(
        examined=ExaminedModel(owner=row["owner"], server=row["server"], model=row["model"]),
        grade=Grade(**row["grade"]),
        **{name: row[name] for name in plain},
    )
