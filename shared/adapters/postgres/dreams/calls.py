"""Model calls in PostgreSQL."""

from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection
from ulid import ULID

from shared.adapters.postgres.sql.statements import Prepared
from shared.ports.dreams import CallTotals
from shared.ports.llm import LlmReply

_DREAMS = "tenant_id = %(tenant)s AND dream_id = %(dream)s"

#: The outcome of an answer that came after another worker's to the same question.
_DUPLICATE = "duplicate"

_ANSWERS = Prepared("SELECT key, answer FROM llm_calls WHERE phase = %(phase)s AND outcome = 'ok' AND ", _DREAMS)
_RECORD = Prepared(
    "INSERT INTO llm_calls (id, tenant_id, dream_id, phase, key, model, outcome, detail, answer, input_tokens,"
    " output_tokens, cached_tokens, cache_write_tokens, cost_usd, latency_ms) VALUES (%(id)s, %(tenant)s, %(dream)s,"
    " %(phase)s, %(key)s, %(model)s, %(outcome)s, %(detail)s, %(answer)s, %(input_tokens)s, %(output_tokens)s,"
    " %(cached_tokens)s, %(cache_write_tokens)s, %(cost_usd)s, %(latency_ms)s) ON CONFLICT DO NOTHING"
)
_TOTALS = Prepared(
    "SELECT outcome, count(*), sum(input_tokens + output_tokens + cached_tokens + cache_write_tokens),"
    " sum(input_tokens + cached_tokens + cache_write_tokens), sum(cached_tokens), sum(cost_usd) FROM llm_calls WHERE ",
    _DREAMS,
    " GROUP BY outcome",
)
_SPENT_TODAY = Prepared(
    "SELECT coalesce(sum(input_tokens + output_tokens + cached_tokens + cache_write_tokens), 0) AS tokens"
    " FROM llm_calls WHERE tenant_id = %(tenant)s AND created_at >= date_trunc('day', now(), 'UTC')"
)


class PostgresCallRepository:
    """Implements `CallRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find_answers(self, dream_id: str, phase: str) -> dict[str, dict[str, Any]]:
        """Return the stored answers of a phase by question key."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "phase": phase}
        return dict(_ANSWERS.find_tuples(self._connection, values))

    def record(
        self, dream_id: str, phase: str, key: str, reply: LlmReply, *, latency_ms: int, call_id: str = ""
    ) -> None:
        """Append one call. A second good answer to a question is counted, because it was paid for, and not kept."""
        usage = reply.usage
        values = {
            "id": call_id or f"call_{ULID()}",
            "tenant": self._tenant_id,
            "dream": dream_id,
            "phase": phase,
            "key": key,
            "model": reply.model,
            "outcome": reply.outcome,
            "detail": reply.detail[:500].replace("\x00", ""),
            "answer": Jsonb(reply.answer.model_dump(mode="json", by_alias=True)) if reply.answer else None,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
            "cost_usd": usage.cost_usd,
            "latency_ms": latency_ms,
        }
        if not _RECORD.run(self._connection, values):
            _RECORD.run(self._connection, values | {"outcome": _DUPLICATE, "answer": None})

    def get_totals(self, dream_id: str) -> CallTotals:
        """Return what a dream's calls came to."""
        rows = _TOTALS.find_tuples(self._connection, {"tenant": self._tenant_id, "dream": dream_id})
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
        row = _SPENT_TODAY.find(self._connection, {"tenant": self._tenant_id})
        return int(row["tokens"]) if row else 0
