"""Model calls in PostgreSQL."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy.dialects.postgresql import insert
from ulid import ULID

from shared.adapters.postgres.mapping import CALLS
from shared.ports.dream_book import CallTotals
from shared.ports.llm import LlmReply

_BILLED = CALLS.c.input_tokens + CALLS.c.output_tokens + CALLS.c.cached_tokens + CALLS.c.cache_write_tokens

#: The outcome of an answer that came after another worker's to the same question.
_DUPLICATE = "duplicate"


class PostgresCallLedger:
    """Implements `CallLedger`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine: ColumnElement[bool] = CALLS.c.tenant_id == tenant_id

    def find_answers(self, dream_id: str, phase: str) -> dict[str, dict[str, Any]]:
        """Return the stored answers of a phase by question key."""
        query = select(CALLS.c.key, CALLS.c.answer).where(
            self._mine, CALLS.c.dream_id == dream_id, CALLS.c.phase == phase, CALLS.c.outcome == "ok"
        )
        return {row[0]: row[1] for row in self._connection.execute(query)}

    def record(self, dream_id: str, phase: str, key: str, reply: LlmReply, *, latency_ms: int) -> None:
        """Append one call. A second good answer to a question is counted, because it was paid for, and not kept."""
        usage = reply.usage
        values = {
            "id": f"call_{ULID()}",
            "tenant_id": self._tenant_id,
            "dream_id": dream_id,
            "phase": phase,
            "key": key,
            "model": reply.model,
            "outcome": reply.outcome,
            "detail": reply.detail[:500].replace("\x00", ""),
            "answer": reply.answer.model_dump(mode="json", by_alias=True) if reply.answer else None,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
            "cost_usd": usage.cost_usd,
            "latency_ms": latency_ms,
        }
        statement = insert(CALLS).values(values).on_conflict_do_nothing().returning(CALLS.c.id)
        if self._connection.execute(statement).first() is None:
            self._connection.execute(insert(CALLS).values(values | {"outcome": _DUPLICATE, "answer": None}))

    def get_totals(self, dream_id: str) -> CallTotals:
        """Return what a dream's calls came to."""
        prompt = CALLS.c.input_tokens + CALLS.c.cached_tokens + CALLS.c.cache_write_tokens
        query = (
            select(
                CALLS.c.outcome,
                func.count(),
                func.sum(_BILLED),
                func.sum(prompt),
                func.sum(CALLS.c.cached_tokens),
                func.sum(CALLS.c.cost_usd),
            )
            .where(self._mine, CALLS.c.dream_id == dream_id)
            .group_by(CALLS.c.outcome)
        )
        rows = self._connection.execute(query).all()
        return CallTotals(
            calls=sum(row[1] for row in rows),
            tokens=int(sum(row[2] for row in rows)),
            input_tokens=int(sum(row[3] for row in rows)),
            cached_tokens=int(sum(row[4] for row in rows)),
            cost_usd=float(sum(row[5] for row in rows)),
            outcomes={row[0]: row[1] for row in rows},
        )

    def count_tokens_today(self) -> int:
        """Return the tenant's tokens since midnight UTC."""
        midnight = func.date_trunc("day", func.now(), "UTC")
        query = select(func.coalesce(func.sum(_BILLED), 0)).where(self._mine, CALLS.c.created_at >= midnight)
        return int(self._connection.execute(query).scalar_one())
