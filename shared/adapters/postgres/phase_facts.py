"""What a phase goes by, in one statement: each phase of each dream asks it."""

from typing import Any

from sqlalchemy import Connection

from shared.adapters.postgres.mapping import STORES, TENANTS, store_from, tenant_from
from shared.adapters.postgres.prepared import Prepared
from shared.core.dream import Dream, PhaseState
from shared.core.errors import NotFoundError
from shared.ports.phase_facts import PhaseFacts

_TOKENS = "(SELECT coalesce(sum(input_tokens + output_tokens + cached_tokens + cache_write_tokens), 0) FROM llm_calls"
_COLUMNS = [
    f"{letter}.{c.name} AS {letter}_{c.name}" for letter, table in (("t", TENANTS), ("s", STORES)) for c in table.c
]
_GET = Prepared(
    "SELECT ",
    ", ".join(_COLUMNS),
    ", (o.inputs ->> 'changed_topics')::int AS changed_topics, (o.inputs ->> 'live_memories')::int AS live_memories,"
    " w.instructions AS wish,"
    " EXISTS (SELECT FROM operations WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s) AS has_operations,"
    " CASE WHEN %(with_tokens)s THEN ",
    _TOKENS,
    " WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s) END AS spent, CASE WHEN %(with_tokens)s THEN ",
    _TOKENS,
    " WHERE tenant_id = %(tenant)s AND created_at >= date_trunc('day', now(), 'UTC')) END AS today,"
    " %(with_tokens)s AND EXISTS (SELECT FROM llm_calls WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s"
    " AND phase = %(phase)s AND outcome = 'ok') AS has_answers,"
    " (SELECT json_object_agg(phase, state) FROM phase_runs WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s)"
    " AS states"
    " FROM stores s JOIN tenants t ON t.id = s.tenant_id"
    " LEFT JOIN phase_runs o ON o.tenant_id = s.tenant_id AND o.dream_id = %(dream)s AND o.phase = 'orient'"
    " LEFT JOIN dream_orders w ON w.tenant_id = s.tenant_id AND w.dream_id = %(dream)s"
    " WHERE s.tenant_id = %(tenant)s AND s.id = %(store)s",
)


class PostgresPhaseFacts:
    """Implements `PhaseFactsBook`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def get(self, dream: Dream, phase: str, *, with_tokens: bool) -> PhaseFacts:
        """Return the facts of a dream's phase."""
        values = {"tenant": self._tenant_id, "dream": dream.id, "store": dream.store_id, "phase": phase}
        row = _GET.find(self._connection, values | {"with_tokens": with_tokens})
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no store {dream.store!r}"
            raise NotFoundError(msg)
        return PhaseFacts(
            tenant=tenant_from(_part(row, "t_")),
            store=store_from(_part(row, "s_")),
            changed_topics=row["changed_topics"] or 0,
            live_memories=row["live_memories"] or 0,
            has_operations=row["has_operations"],
            wish=row["wish"] or "",
            tokens_spent=int(row["spent"] or 0),
            tokens_today=int(row["today"] or 0),
            has_answers=row["has_answers"],
            states={name: PhaseState(state) for name, state in (row["states"] or {}).items()},
        )


def _part(row: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}
