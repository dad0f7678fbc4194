"""Feedback and workflow runs of one store in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, any_, bindparam, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Row, execute, fetch
from shared.adapters.postgres.tables.sessions import FeedbackRow, WorkflowRunRow
from shared.adapters.postgres.tables.stores import Moment
from shared.adapters.ulid_ids import new_id
from shared.core.learning.feedback import Feedback, FeedbackKind, NewFeedback, NewRun, Rating, RunOutcome, WorkflowRun
from shared.core.memory.writers import Rank
from shared.ports.api_lists import Place

_FEEDBACK = ("id", "external_id", "text", "subject", "skill", "session", "occurred_at", "consumed_by")
_RUN = ("id", "external_id", "description", "classification", "error", "session", "occurred_at", "consumed_by")
_Rows = type[FeedbackRow] | type[WorkflowRunRow]


def _conditions(rows: _Rows) -> dict[str, ColumnElement[bool]]:
    """Return the possible conditions of a list, by name."""
    has_words = col(FeedbackRow.text).regexp_match(r"\S")
    place = tuple_(bindparam("after_at", type_=Moment), bindparam("after_id", type_=Text))
    return {
        "since": col(rows.occurred_at) >= bindparam("since"),
        "only_unused": col(rows.consumed_by).is_(None),
        "kinds": col(FeedbackRow.kind) == any_(bindparam("kinds", type_=ARRAY(Text))),
        "with_words": has_words,
        "without_words": ~has_words,
        "start_after": tuple_(col(rows.occurred_at), col(rows.id)) < place,
    }


@cache
def _newest(rows: _Rows, names: frozenset[str]) -> Select[*tuple[Any, ...]]:
    """Return the query for the newest rows that meet these conditions, kept because a dream sends four."""
    mine = (col(rows.tenant_id) == bindparam("tenant_id")) & (col(rows.store_id) == bindparam("store_id"))
    wanted = (condition for name, condition in _conditions(rows).items() if name in names)
    query: Select[*tuple[Any, ...]] = select(rows).where(mine, *wanted)
    return query.order_by(col(rows.occurred_at).desc(), col(rows.id).desc()).limit(bindparam("limit"))


class _Repository:
    """The common part of the two repositories: external ids, an order in time, marks of dreams."""

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
            row_id = new_id(self._prefix)
            full = {**self._keys, **one, "id": row_id, "external_id": one["external_id"] or row_id}
            full["occurred_at"] = one["occurred_at"] or func.now()
            added += execute(self._connection, statement.values(full))
        return added

    def _find(self, wanted: Mapping[str, Any], limit: int, start_after: Place | None) -> Sequence[Row]:
        """Return the newest rows; a condition of `wanted` that is empty or false is none."""
        given = {name: value for name, value in {**wanted, "start_after": start_after}.items() if value}
        after_at, after_id = start_after or (None, None)
        values = {**self._keys, **given, "after_at": after_at, "after_id": after_id, "limit": limit}
        return fetch(self._connection, _newest(self._rows, frozenset(given)), values)

    def consume(self, ids: Collection[str], dream_id: str) -> None:
        """Mark rows as used by a dream."""
        wanted = bindparam("ids", list(ids), ARRAY(Text))
        free = self._mine & (col(self._rows.id) == any_(wanted)) & col(self._rows.consumed_by).is_(None)
        execute(
            self._connection,
            update(self._rows).where(free).values(consumed_by=dream_id, consumed_at=func.now()),
        )

    def restore(self, dream_id: str) -> list[str]:
        """Remove a dream's marks; return the ids of the rows."""
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
                {
                    "kind": one.kind.value,
                    "rating": one.rating.value,
                    "rank": one.rank.value,
                    **{name: getattr(one, name) for name in names},
                }
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
        start_after: Place | None = None,
    ) -> list[Feedback]:
        """Return feedback, newest first."""
        wanted = {
            "since": since,
            "only_unused": only_unused,
            "kinds": [kind.value for kind in kinds],
            "with_words": with_words is True,
            "without_words": with_words is False,
        }
        return [_feedback_from(row) for row in self._find(wanted, limit, start_after)]


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
        start_after: Place | None = None,
    ) -> list[WorkflowRun]:
        """Return runs, newest first."""
        found = self._find({"since": since, "only_unused": only_unused}, limit, start_after)
        return [_run_from(row) for row in found]


def _feedback_from(row: Row) -> Feedback:
    plain: dict[str, Any] = {name: row[name] for name in _FEEDBACK}
    kind, rating = FeedbackKind(row["kind"]), Rating(row["rating"])
    return Feedback(**plain, kind=kind, rating=rating, rank=Rank(row["rank"]))


def _run_from(row: Row) -> WorkflowRun:
    plain: dict[str, Any] = {name: row[name] for name in _RUN}
    plain |= {"steps": tuple(row["steps"]), "skills": tuple(row["skills"])}
    return WorkflowRun(**plain, outcome=RunOutcome(row["outcome"]))
