"""Model calls: the cost of each, and the answers, so that none is bought twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Connection, Text, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, execute, fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.ulid_ids import new_id
from shared.core.errors import NotFoundError
from shared.core.questions.prompt import Prompt
from shared.ports.dreams import CallTrace, ModelCall

if TYPE_CHECKING:
    from shared.adapters.postgres.dreams.asked import PostgresAnswerRepository
    from shared.core.questions.estimate import PastCall
    from shared.ports.llm import CallTotals, LlmReply, ModelTotals

#: The outcome of an answer that came after another worker's answer to the same question.
_DUPLICATE = "duplicate"
_COLUMNS = (
    "id", "tenant_id", "dream_id", "phase", "key", "model", "outcome", "detail", "answer", "prompt", "input_tokens",
    "output_tokens", "cached_tokens", "cache_write_tokens", "cost_usd", "latency_ms", "saved_usd",
)  # fmt: skip
_OF_TENANT = col(LlmCallRow.tenant_id) == bindparam("tenant", type_=Text)
_OF_DREAM = _OF_TENANT & (col(LlmCallRow.dream_id) == bindparam("dream", type_=Text))
_READ = col(LlmCallRow.input_tokens) + col(LlmCallRow.cached_tokens) + col(LlmCallRow.cache_write_tokens)
TOKENS = _READ + col(LlmCallRow.output_tokens)

_FIND_ANSWERS = select(col(LlmCallRow.key), col(LlmCallRow.answer)).where(
    _OF_DREAM, col(LlmCallRow.phase) == bindparam("of_phase"), col(LlmCallRow.outcome) == "ok"
)
_RECORD = Fixed(
    "calls.record",
    insert(LlmCallRow).on_conflict_do_nothing(),
    columns=_COLUMNS,
    reason="once for each question: 13 times a dream",
)
_LAST_PROBLEM = (
    select(col(LlmCallRow.detail))
    .where(_OF_DREAM, col(LlmCallRow.outcome).not_in(["ok", _DUPLICATE]), col(LlmCallRow.detail) != "")
    .order_by(col(LlmCallRow.created_at).desc(), col(LlmCallRow.id).desc())
    .limit(1)
)
_CALL = (
    *map(col, (LlmCallRow.id, LlmCallRow.phase, LlmCallRow.model, LlmCallRow.outcome, LlmCallRow.detail)),
    _READ,
    *map(col, (LlmCallRow.cached_tokens, LlmCallRow.output_tokens, LlmCallRow.cost_usd)),
    *map(col, (LlmCallRow.latency_ms, LlmCallRow.created_at)),
)
_MADE = (
    select(*_CALL).where(_OF_DREAM).order_by(col(LlmCallRow.created_at), col(LlmCallRow.id)).limit(bindparam("limit"))
)
_TRACE = select(*_CALL, *map(col, (LlmCallRow.key, LlmCallRow.prompt, LlmCallRow.answer))).where(
    _OF_DREAM, col(LlmCallRow.id) == bindparam("call", type_=Text)
)
_MADE_FIELDS = tuple(field.name for field in fields(ModelCall))
_TOTALS = (
    select(
        *map(col, (LlmCallRow.model, LlmCallRow.phase, LlmCallRow.outcome)),
        func.count(),
        func.sum(TOKENS),
        func.sum(_READ),
        func.sum(col(LlmCallRow.cached_tokens)),
        func.sum(col(LlmCallRow.cost_usd)),
        func.sum(col(LlmCallRow.latency_ms)),
        func.count(col(LlmCallRow.saved_usd)),
        func.coalesce(func.sum(col(LlmCallRow.saved_usd)), 0.0),
    )
    .where(_OF_DREAM)
    .group_by(*map(col, (LlmCallRow.model, LlmCallRow.phase, LlmCallRow.outcome)))
    .order_by(col(LlmCallRow.model), col(LlmCallRow.phase), col(LlmCallRow.outcome))
)
_COUNT_TODAY = Fixed(
    "calls.count_today",
    select(func.coalesce(func.sum(TOKENS, type_=BigInteger), 0)).where(
        _OF_TENANT, col(LlmCallRow.created_at) >= func.date_trunc("day", func.now(), "UTC")
    ),
    reason="twice a dream, and with each check of a store",
)


_LAST_DREAMS = (
    select(col(DreamRow.id))
    .where(col(DreamRow.tenant_id) == bindparam("tenant", type_=Text), col(DreamRow.store_id) == bindparam("store"))
    .order_by(col(DreamRow.created_at).desc(), col(DreamRow.id).desc())
    .limit(bindparam("dreams"))
)
_FIND_PAST = select(
    *map(col, (LlmCallRow.phase, LlmCallRow.key)), _READ.label("prompt_tokens"), col(LlmCallRow.output_tokens)
).where(
    _OF_TENANT,
    col(LlmCallRow.dream_id).in_(_LAST_DREAMS.scalar_subquery()),
    col(LlmCallRow.outcome) == "ok",
    col(LlmCallRow.output_tokens) > 0,
)


class PostgresCallRepository:
    """Implements `CallRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    @cached_property
    def bought(self) -> PostgresAnswerRepository:
        """Return the answers that copies have bought."""
        from shared.adapters.postgres.dreams.asked import PostgresAnswerRepository  # noqa: PLC0415 - dreams that ask a model alone need it

        return PostgresAnswerRepository(self._connection, self._tenant_id)

    def find_answers(self, dream_id: str, phase: str) -> dict[str, dict[str, Any]]:
        """Return the stored answers of a phase by question key."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "of_phase": phase}
        return dict(fetch_tuples(self._connection, _FIND_ANSWERS, values))

    def record(
        self,
        dream_id: str,
        phase: str,
        key: str,
        reply: LlmReply,
        *,
        latency_ms: int,
        call_id: str = "",
        prompt: Prompt | None = None,
    ) -> None:
        """Append one call. A second good answer to a question is counted, because it was paid for, but not stored."""
        usage = reply.usage
        values = {
            "id": call_id or new_id("call"),
            "tenant_id": self._tenant_id,
            "dream_id": dream_id,
            "phase": phase,
            "key": key,
            "model": reply.model,
            "outcome": reply.outcome,
            "detail": reply.detail[:500].replace("\x00", ""),
            "answer": reply.answer.model_dump(mode="json", by_alias=True) if reply.answer else None,
            "prompt": _storable(prompt) if prompt else None,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
            "cost_usd": usage.cost_usd,
            "latency_ms": latency_ms,
            "saved_usd": usage.saved_usd,
        }
        if not execute(self._connection, _RECORD, values):
            execute(self._connection, _RECORD, values | {"outcome": _DUPLICATE, "answer": None})

    def find_past(self, store_id: str, *, dreams: int) -> list[PastCall]:
        """Return the answered calls of a store's last dreams that had tokens."""
        from shared.core.questions.estimate import PastCall  # noqa: PLC0415 - estimates alone need it

        values = {"tenant": self._tenant_id, "store": store_id, "dreams": dreams}
        return [PastCall(**row) for row in fetch(self._connection, _FIND_PAST, values)]

    def get_totals(self, dream_id: str) -> CallTotals:
        """Return the sums over all calls of a dream."""
        from shared.ports.llm import CallTotals  # noqa: PLC0415 - `slowwave status` counts tokens without it

        rows = fetch_tuples(self._connection, _TOTALS, {"tenant": self._tenant_id, "dream": dream_id})
        outcomes: Counter[str] = Counter()
        for row in rows:
            outcomes[row[2]] += row[3]
        return CallTotals(
            calls=sum(row[3] for row in rows),
            tokens=int(sum(row[4] for row in rows)),
            input_tokens=int(sum(row[5] for row in rows)),
            cached_tokens=int(sum(row[6] for row in rows)),
            cost_usd=float(sum(row[7] for row in rows)),
            reused=sum(row[9] for row in rows),
            saved_usd=float(sum(row[10] for row in rows)),
            outcomes=dict(outcomes),
            models=_sum_by_model(rows),
        )

    def find_of_dream(self, dream_id: str, *, limit: int) -> list[ModelCall]:
        """Return the calls of a dream, oldest first."""
        rows = fetch_tuples(self._connection, _MADE, {"tenant": self._tenant_id, "dream": dream_id, "limit": limit})
        return [_call_from(row) for row in rows]

    def get_trace(self, dream_id: str, call_id: str) -> CallTrace:
        """Return one call of a dream with its prompt and its answer. Raises NotFoundError."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "call": call_id}
        rows = fetch_tuples(self._connection, _TRACE, values)
        if not rows:
            raise NotFoundError(f"The dream has no call {call_id}")
        *call, key, prompt, answer = rows[0]
        kept = Prompt(**{part: tuple(texts) for part, texts in prompt.items()}) if prompt else None
        return CallTrace(call=_call_from(call), key=key, prompt=kept, answer=answer)

    def find_last_problem(self, dream_id: str) -> str:
        """Return the server's message for a dream's newest call without an answer; empty if there is none."""
        rows = fetch_tuples(self._connection, _LAST_PROBLEM, {"tenant": self._tenant_id, "dream": dream_id})
        return str(rows[0][0]) if rows else ""

    def count_tokens_today(self) -> int:
        """Return the tenant's tokens since midnight UTC."""
        rows = fetch_tuples(self._connection, _COUNT_TODAY, {"tenant": self._tenant_id})
        return int(rows[0][0])


def _call_from(row: Sequence[Any]) -> ModelCall:
    return ModelCall(**dict(zip(_MADE_FIELDS, row, strict=True)))


def _storable(prompt: Prompt) -> dict[str, list[str]]:
    """Return a prompt as JSON, without the characters that JSON can carry and PostgreSQL cannot store."""
    parts = {"system": prompt.system, "question": prompt.question}
    return {
        name: [text.replace("\x00", "").encode("utf-8", "ignore").decode() for text in texts]
        for name, texts in parts.items()
    }


def _sum_by_model(rows: Sequence[tuple[Any, ...]]) -> tuple[ModelTotals, ...]:
    from shared.ports.llm import ModelTotals  # noqa: PLC0415 - `slowwave status` counts tokens without it

    found = [
        ModelTotals(
            model=model,
            phase=phase,
            calls=sum(row[3] for row in some),
            answers=sum(row[3] for row in some if row[2] == "ok"),
            tokens=int(sum(row[4] for row in some)),
            cost_usd=float(sum(row[7] for row in some)),
            latency_ms=int(sum(row[8] for row in some)),
        )
        for (model, phase), group in groupby(rows, key=lambda row: (row[0], row[1]))
        for some in [list(group)]
    ]
    return tuple(sorted(found, key=lambda one: (-one.cost_usd, -one.tokens)))
