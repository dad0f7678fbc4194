"""The stored steps of each phase, in PostgreSQL.

What a phase goes by, in one statement: each phase of each dream asks it.
"""

from collections.abc import Sequence
from typing import Any

from psycopg.types.json import Json, Jsonb
from sqlalchemy import Connection

from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.mapping import STORES, TENANTS, phase_from, store_from, tenant_from
from shared.core.dream.model import FINISHED_PHASES, Dream, PhaseRun, PhaseState
from shared.core.errors import LostLeaseError, NotFoundError
from shared.ports.dreams import PhaseFacts

_CLAIM = Prepared(
    "INSERT INTO phase_runs AS p (tenant_id, dream_id, phase, state, reason, runner, runner_until)"
    " VALUES (%(tenant)s, %(dream)s, %(phase)s, 'running', '', %(runner)s, now() + make_interval(secs => %(seconds)s))"
    " ON CONFLICT (dream_id, phase) DO UPDATE SET runner = excluded.runner, runner_until = excluded.runner_until"
    " WHERE p.runner IN ('', excluded.runner) OR p.runner_until IS NULL OR p.runner_until < now()"
    " OR p.state = ANY(%(finished)s) RETURNING p.*"
)
_FINISHED = [str(state) for state in FINISHED_PHASES]
_THIS = " WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s AND phase = %(phase)s"
_RENEW = Prepared(
    "UPDATE phase_runs SET runner_until = now() + make_interval(secs => %(seconds)s)", _THIS, " AND runner = %(runner)s"
)
_FENCE = Prepared(
    "WITH held AS (UPDATE dreams SET lease_until = now() + make_interval(secs => %(seconds)s)"
    " WHERE tenant_id = %(tenant)s AND id = %(dream)s AND epoch = %(epoch)s AND state = 'running'"
    " RETURNING id, set_config('idle_in_transaction_session_timeout', (%(seconds)s * 1000)::integer::text, true))"
    " UPDATE phase_runs p SET runner_until = now() + make_interval(secs => %(seconds)s) FROM held"
    " WHERE p.dream_id = held.id AND p.phase = %(phase)s AND p.tenant_id = %(tenant)s AND p.runner = %(runner)s"
)
#: Several end in one moment: each stands a microsecond after the one before, and what goes on begins at that moment.
_ADD = Prepared(
    "INSERT INTO phase_runs (tenant_id, dream_id, phase, state, runner, reason, counts, inputs, started_at, finished_at)"
    " SELECT %(tenant)s, %(dream)s, one.phase, one.state, '', one.reason, one.counts, one.inputs, one.at,"
    " CASE WHEN one.state = ANY(%(finished)s) THEN one.at END"
    " FROM (SELECT *, now() - make_interval(secs => (%(number)s - place + (state = ANY(%(finished)s))::int) / 1e6) AS at"
    " FROM ROWS FROM (json_to_recordset(%(runs)s)"
    " AS (phase text, state text, reason text, counts jsonb, inputs json)) WITH ORDINALITY"
    " AS t (phase, state, reason, counts, inputs, place)) AS one"
    " ON CONFLICT (dream_id, phase) DO NOTHING"
)
_SAVE_INPUTS = Prepared("UPDATE phase_runs SET inputs = %(inputs)s", _THIS)
_SAVE_PLAN = Prepared("UPDATE phase_runs SET plan = %(plan)s", _THIS)
_FINISH = Prepared(
    "UPDATE phase_runs SET state = %(state)s, reason = %(reason)s, counts = %(counts)s, finished_at = now(),"
    " runner_until = NULL, plan = coalesce(%(plan)s, plan)",
    _THIS,
)
_RELEASE_CLAIMS = Prepared(
    "UPDATE phase_runs SET runner = '', runner_until = NULL"
    " WHERE tenant_id = %(tenant)s AND dream_id = %(dream)s AND state = 'running'"
)
_FIND_ALL = Prepared(
    "SELECT * FROM phase_runs WHERE dream_id = %(dream)s AND tenant_id = %(tenant)s ORDER BY started_at"
)
_FIND = Prepared("SELECT * FROM phase_runs", _THIS)


class PostgresPhaseRepository:
    """Implements `PhaseRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def claim(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> PhaseRun | None:
        """Return the phase's record, now worked on by `runner`; None while another runner is alive.

        A message that was delivered twice must not have two workers buy the same answers.
        """
        terms = {"runner": runner, "seconds": lease_seconds, "finished": _FINISHED}
        row = _CLAIM.find(self._connection, self._this(dream_id, phase) | terms)
        return phase_from(row) if row else None

    def renew(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Keep the phase, or find out that another runner has it."""
        terms = {"runner": runner, "seconds": lease_seconds}
        if not _RENEW.run(self._connection, self._this(dream_id, phase) | terms):
            msg = f"Phase {phase} of {dream_id} is another worker's by now"
            raise LostLeaseError(msg)

    def fence(self, dream_id: str, epoch: int, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Keep both the dream and the phase, in one round trip, or find out that either is lost."""
        terms = {"epoch": epoch, "runner": runner, "seconds": lease_seconds}
        if not _FENCE.run(self._connection, self._this(dream_id, phase) | terms):
            msg = f"{dream_id} is no longer epoch {epoch}'s, or its phase {phase} is another worker's by now"
            raise LostLeaseError(msg)

    def add(self, dream_id: str, runs: Sequence[PhaseRun]) -> None:
        """Add records of phases that nobody runs."""
        if runs:
            rows = [
                {name: getattr(run, name) for name in ("phase", "state", "reason", "counts", "inputs")} for run in runs
            ]
            terms = {"tenant": self._tenant_id, "dream": dream_id, "finished": _FINISHED, "number": len(runs)}
            _ADD.run(self._connection, terms | {"runs": Json(rows)})

    def save_inputs(self, dream_id: str, phase: str, inputs: object) -> None:
        """Store what the phase has read."""
        _SAVE_INPUTS.run(self._connection, self._this(dream_id, phase) | {"inputs": Json(inputs)})

    def save_plan(self, dream_id: str, phase: str, plan: object) -> None:
        """Store what the phase wants."""
        _SAVE_PLAN.run(self._connection, self._this(dream_id, phase) | {"plan": Json(plan)})

    def finish(
        self,
        dream_id: str,
        phase: str,
        state: PhaseState,
        *,
        reason: str,
        counts: dict[str, int],
        plan: object | None = None,
    ) -> None:
        """End a phase; with `plan`, store that, too."""
        values = {
            "state": state,
            "reason": reason,
            "counts": Jsonb(counts),
            "plan": None if plan is None else Json(plan),
        }
        _FINISH.run(self._connection, self._this(dream_id, phase) | values)

    def release_claims(self, dream_id: str) -> None:
        """Let go of every unfinished phase, because its runner is gone."""
        _RELEASE_CLAIMS.run(self._connection, {"tenant": self._tenant_id, "dream": dream_id})

    def find_all(self, dream_id: str, *, phase: str | None = None) -> list[PhaseRun]:
        """Return the phases of a dream that have begun, in order; or that one of them."""
        query = _FIND_ALL if phase is None else _FIND
        rows = query.find_all(self._connection, {"tenant": self._tenant_id, "dream": dream_id, "phase": phase})
        return [phase_from(row) for row in rows]

    def _this(self, dream_id: str, phase: str) -> dict[str, Any]:
        return {"tenant": self._tenant_id, "dream": dream_id, "phase": phase}


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


class PostgresPhaseFactsRepository:
    """Implements `PhaseFactsRepository`."""

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
