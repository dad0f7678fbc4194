"""The stored steps of each phase, in PostgreSQL."""

from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, func, select, text, update

from shared.adapters.postgres.mapping import PHASES, phase_from
from shared.core.dream import FINISHED_PHASES, PhaseRun, PhaseState
from shared.core.errors import LostLeaseError

#: Sent with every step of every phase: SQLAlchemy would build a statement of expressions anew each time.
_CLAIM = text(
    "INSERT INTO phase_runs AS p (tenant_id, dream_id, phase, state, reason, runner, runner_until)"
    " VALUES (:tenant, :dream, :phase, 'running', '', :runner, now() + make_interval(secs => :seconds))"
    " ON CONFLICT (dream_id, phase) DO UPDATE SET runner = excluded.runner, runner_until = excluded.runner_until"
    " WHERE p.runner IN ('', excluded.runner) OR p.runner_until IS NULL OR p.runner_until < now()"
    " OR p.state = ANY(:finished) RETURNING p.*"
).bindparams(finished=[str(state) for state in FINISHED_PHASES])
_HOLD = text(
    "WITH held AS (UPDATE dreams SET lease_until = now() + make_interval(secs => :seconds)"
    " WHERE tenant_id = :tenant AND id = :dream AND epoch = :epoch AND state = 'running' RETURNING id)"
    " UPDATE phase_runs p SET runner_until = now() + make_interval(secs => :seconds) FROM held"
    " WHERE p.dream_id = held.id AND p.phase = :phase AND p.tenant_id = :tenant AND p.runner = :runner RETURNING 1"
)


class PostgresPhaseBook:
    """Implements `PhaseBook`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def claim(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> PhaseRun | None:
        """Return the phase's record, now worked on by `runner`; None while another runner is alive.

        A message that was delivered twice must not have two workers buy the same answers.
        """
        values = {"tenant": self._tenant_id, "dream": dream_id, "phase": phase, "runner": runner}
        row = self._connection.execute(_CLAIM, values | {"seconds": lease_seconds})
        found = row.mappings().first()
        return phase_from(found) if found else None

    def renew(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Keep the phase, or find out that another runner has it."""
        statement = update(PHASES).where(self._this(dream_id, phase), PHASES.c.runner == runner)
        done = self._connection.execute(
            statement.values(runner_until=func.now() + timedelta(seconds=lease_seconds)),
        )
        if not done.rowcount:
            msg = f"Phase {phase} of {dream_id} is another worker's by now"
            raise LostLeaseError(msg)

    def hold(self, dream_id: str, epoch: int, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Keep both the dream and the phase, in one round trip, or find out that either is lost."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "epoch": epoch, "phase": phase, "runner": runner}
        if self._connection.execute(_HOLD, values | {"seconds": lease_seconds}).first() is None:
            msg = f"{dream_id} is no longer epoch {epoch}'s, or its phase {phase} is another worker's by now"
            raise LostLeaseError(msg)

    def get_inputs(self, dream_id: str, phase: str) -> object | None:
        """Return what a phase has read, without the rest of its record; None while there is nothing."""
        query = select(PHASES.c.inputs).where(self._this(dream_id, phase))
        inputs: object | None = self._connection.execute(query).scalar()
        return inputs

    def save_inputs(self, dream_id: str, phase: str, inputs: object) -> None:
        """Store what the phase has read."""
        self._connection.execute(update(PHASES).where(self._this(dream_id, phase)).values(inputs=inputs))

    def save_plan(self, dream_id: str, phase: str, plan: object) -> None:
        """Store what the phase wants."""
        self._connection.execute(update(PHASES).where(self._this(dream_id, phase)).values(plan=plan))

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
        values = {"state": state, "reason": reason, "counts": counts, "finished_at": func.now(), "runner_until": None}
        if plan is not None:
            values["plan"] = plan
        self._connection.execute(update(PHASES).where(self._this(dream_id, phase)).values(values))

    def free(self, dream_id: str) -> None:
        """Let go of every unfinished phase, because its runner is gone."""
        unfinished = PHASES.c.state == PhaseState.RUNNING
        statement = update(PHASES).where(PHASES.c.dream_id == dream_id, unfinished)
        self._connection.execute(statement.values(runner="", runner_until=None))

    def find_all(self, dream_id: str) -> list[PhaseRun]:
        """Return the phases of a dream that have begun, in order."""
        query = select(PHASES).where(PHASES.c.dream_id == dream_id).order_by(PHASES.c.started_at)
        return [phase_from(row) for row in self._connection.execute(query).mappings()]

    def _this(self, dream_id: str, phase: str) -> ColumnElement[bool]:
        is_this: ColumnElement[bool] = (PHASES.c.dream_id == dream_id) & (PHASES.c.phase == phase)
        is_mine: ColumnElement[bool] = PHASES.c.tenant_id == self._tenant_id
        return is_this & is_mine
