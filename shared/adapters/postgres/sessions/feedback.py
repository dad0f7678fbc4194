"""Feedback and workflow runs of one store in PostgreSQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, any_, bindparam, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlmodel import col
from ulid import ULID

from shared.adapters.postgres.sql.paging import paged
from shared.adapters.postgres.sql.statements import Row, execute, fetch
from shared.adapters.postgres.tables.sessions import FeedbackRow, WorkflowRunRow
from shared.core.learning.feedback import Feedback, FeedbackKind, NewFeedback, NewRun, Rating, RunOutcome, WorkflowRun
from shared.ports.api_lists import Place

_FEEDBACK = ("id", "external_id", "text", "subject", "skill", "session", "occurred_at", "consumed_by")
_RUN = ("id", "external_id", "description", "classification", "error", "session", "occurred_at", "consumed_by")
_Rows = type[FeedbackRow] | type[WorkflowRunRow]


class _Repository:
    """What both kinds of rows have in common: external ids, an order in time, marks of dreams."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str, rows: _Rows, prefix: str) -> None:
        self._connection = connection
        self._rows = rows
        self._prefix = prefix
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}
        self._mine: ColumnElement[bool] = (col(rows.tenant_id) == tenant_id) & (col(rows.store_id) == store_id)

    def _add(self, values: Sequence[dict[str, Any]]) -> int:
        if not values:
            return 0
        statement = insert(self._rows).on_conflict_do_nothing(constraint=f"uq_{self._rows.__tablename__}_external_id")
        added = 0
        for one in values:
            new_id = f"{self._prefix}_{ULID()}"
            full = {**self._keys, **one, "id": new_id, "external_id": one["external_id"] or new_id}
            full["occurred_at"] = one["occurred_at"] or func.now()
            added += execute(self._connection, statement.values(full))
        return added

    def _find(
        self, limit: int, since: datetime | None, behind: Place | None, *, only_unused: bool
    ) -> Select[*tuple[Any, ...]]:
        query: Select[*tuple[Any, ...]] = select(self._rows).where(self._mine)
        if since is not None:
            query = query.where(col(self._rows.occurred_at) >= since)
        if only_unused:
            query = query.where(col(self._rows.consumed_by).is_(None))
        return paged(query, (col(self._rows.occurred_at), col(self._rows.id)), behind, limit)

    def consume(self, ids: Collection[str], dream_id: str) -> None:
        """Mark rows as used by a dream."""
        wanted = bindparam("ids", list(ids), ARRAY(Text))
        free = self._mine & (col(self._rows.id) == any_(wanted)) & col(self._rows.consumed_by).is_(None)
        execute(
            self._connection,
            update(self._rows).where(free).values(consumed_by=dream_id, consumed_at=func.now()),
        )

    def restore(self, dream_id: str) -> list[str]:
        """Take a dream's marks back; return whose."""
        marked = update(self._rows).where(self._mine, col(self._rows.consumed_by) == dream_id)
        freed = marked.values(consumed_by=None, consumed_at=None).returning(col(self._rows.id))
        return sorted(row["id"] for row in fetch(self._connection, freed))


class PostgresFeedbackRepository(_Repository):
    """Implements `FeedbackRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        super().__init__(connection, tenant_id, store_id, FeedbackRow, "fbk")

    def add(self, feedback: Sequence[NewFeedback]) -> int:
        """Record feedback; return how many were new."""
        names = ("text", "subject", "skill", "session", "external_id", "occurred_at")
        return self._add(
            [
                {"kind": one.kind.value, "rating": one.rating.value, **{name: getattr(one, name) for name in names}}
                for one in feedback
            ]
        )

    def find(
        self,
        *,
        limit: int,
        since: datetime | None = None,
        kinds: Collection[FeedbackKind] = (),
        only_unused: bool = False,
        with_words: bool | None = None,
        behind: Place | None = None,
    ) -> list[Feedback]:
        """Return feedback, newest first."""
        query = self._find(limit, since, behind, only_unused=only_unused)
        if kinds:
            query = query.where(col(FeedbackRow.kind).in_([kind.value for kind in kinds]))
        if with_words is not None:
            query = query.where(col(FeedbackRow.text).regexp_match(r"\S").is_(with_words))
        return [_feedback_from(row) for row in fetch(self._connection, query)]


class PostgresWorkflowRepository(_Repository):
    """Implements `WorkflowRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        super().__init__(connection, tenant_id, store_id, WorkflowRunRow, "wfr")

    def add(self, runs: Sequence[NewRun]) -> int:
        """Record runs; return how many were new."""
        names = ("description", "classification", "error", "session", "external_id", "occurred_at")
        return self._add(
            [
                {
                    "outcome": one.outcome.value,
                    "steps": list(one.steps),
                    "skills": list(one.skills),
                    **{name: getattr(one, name) for name in names},
                }
                for one in runs
            ]
        )

    def find(
        self,
        *,
        limit: int,
        since: datetime | None = None,
        only_unused: bool = False,
        behind: Place | None = None,
    ) -> list[WorkflowRun]:
        """Return runs, newest first."""
        query = self._find(limit, since, behind, only_unused=only_unused)
        return [_run_from(row) for row in fetch(self._connection, query)]


def _feedback_from(row: Row) -> Feedback:
    plain: dict[str, Any] = {name: row[name] for name in _FEEDBACK}
    return Feedback(**plain, kind=FeedbackKind(row["kind"]), rating=Rating(row["rating"]))


def _run_from(row: Row) -> WorkflowRun:
    plain: dict[str, Any] = {name: row[name] for name in _RUN}
    plain |= {"steps": tuple(row["steps"]), "skills": tuple(row["skills"])}
    return WorkflowRun(**plain, outcome=RunOutcome(row["outcome"]))
