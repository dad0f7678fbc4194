"""The stored steps of each phase, in PostgreSQL."""

from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from shared.adapters.postgres.mapping import PHASES, phase_from
from shared.core.dream import FINISHED_PHASES, PhaseRun, PhaseState
from shared.core.errors import LostLeaseError


class PostgresPhaseBook:
    """Implements `PhaseBook`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def claim(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> PhaseRun | None:
        """Return the phase's record, now worked on by `runner`; None while another runner is alive.

        A message that was delivered twice must not have two workers buy the same answers.
        """
        until = func.now() + timedelta(seconds=lease_seconds)
        values = {"tenant_id": self._tenant_id, "dream_id": dream_id, "phase": phase, "state": PhaseState.RUNNING}
        self._connection.execute(insert(PHASES).values(values).on_conflict_do_nothing())
        is_free = or_(PHASES.c.runner == "", PHASES.c.runner_until.is_(None), PHASES.c.runner_until < func.now())
        is_free = or_(is_free, PHASES.c.runner == runner, PHASES.c.state.in_(FINISHED_PHASES))
        statement = update(PHASES).where(self._this(dream_id, phase), is_free)
        row = self._connection.execute(
            statement.values(runner=runner, runner_until=until).returning(*PHASES.c),
        )
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

    def save_inputs(self, dream_id: str, phase: str, inputs: object) -> None:
        """Store what the phase has read."""
        self._connection.execute(update(PHASES).where(self._this(dream_id, phase)).values(inputs=inputs))

    def save_plan(self, dream_id: str, phase: str, plan: object) -> None:
        """Store what the phase wants."""
        self._connection.execute(update(PHASES).where(self._this(dream_id, phase)).values(plan=plan))

    def finish(self, dream_id: str, phase: str, state: PhaseState, *, reason: str, counts: dict[str, int]) -> None:
        """End a phase."""
        values = {"state": state, "reason": reason, "counts": counts, "finished_at": func.now(), "runner_until": None}
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
