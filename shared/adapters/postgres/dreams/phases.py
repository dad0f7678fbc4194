"""The stored steps of each phase of a dream, and the facts for its decisions."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    INTEGER,
    Boolean,
    ColumnElement,
    Connection,
    Interval,
    Select,
    Text,
    bindparam,
    case,
    column,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import JSON, JSONB, insert
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch, fetch_one
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow, OperationRow
from shared.adapters.postgres.tables.mapping import STORE_COLUMNS, TENANT_COLUMNS, phase_from, store_from, tenant_from
from shared.adapters.postgres.tables.steps import DreamOrderRow, PhaseRunRow
from shared.adapters.postgres.tables.stores import StoreRow, TenantRow
from shared.core.dream.model import (
    FINISHED_PHASES,
    Dream,
    DreamState,
    OperationState,
    PhaseRun,
    PhaseState,
    ReviewState,
    Survey,
)
from shared.core.dream.operation_filter import OperationTally
from shared.core.dream.operations import OperationKind
from shared.core.errors import LostLeaseError, NotFoundError
from shared.ports.dreams import PhaseFacts

_TENANT, _DREAM, _PHASE = (bindparam(name, type_=Text) for name in ("tenant", "dream", "of_phase"))
_LEASE_END = func.now() + bindparam("lease", type_=Interval)
_OF_DREAM = (col(PhaseRunRow.tenant_id) == _TENANT) & (col(PhaseRunRow.dream_id) == _DREAM)
_THIS = _OF_DREAM & (col(PhaseRunRow.phase) == _PHASE)
_IS_MINE = col(PhaseRunRow.runner) == bindparam("of_runner")
#: Phases begin and end by the clock, not by the start of their transaction: one that waited for a fence would otherwise
#: come before earlier phases in the log.
_CLOCK = func.clock_timestamp()
_NEW = insert(PhaseRunRow).values(
    tenant_id=_TENANT,
    dream_id=_DREAM,
    phase=_PHASE,
    state=PhaseState.RUNNING,
    reason="",
    counts={},
    runner=bindparam("of_runner"),
    runner_until=_LEASE_END,
    started_at=_CLOCK,
)
_CLAIM = Fixed(
    "phases.claim",
    _NEW.on_conflict_do_update(
        index_elements=[PhaseRunRow.dream_id, PhaseRunRow.phase],
        set_={"runner": _NEW.excluded.runner, "runner_until": _NEW.excluded.runner_until},
        where=or_(
            col(PhaseRunRow.runner).in_(["", _NEW.excluded.runner]),
            col(PhaseRunRow.runner_until).is_(None),
            col(PhaseRunRow.runner_until) < func.now(),
            col(PhaseRunRow.state).in_(sorted(FINISHED_PHASES)),
        ),
    ).returning(PhaseRunRow),
    reason="14 times a dream",
)
_RENEW = update(PhaseRunRow).where(_THIS, _IS_MINE).values(runner_until=_LEASE_END)
#: A worker that hangs in a fenced transaction holds the dream's row no longer than its lease.
_HELD = (
    update(DreamRow)
    .where(
        col(DreamRow.tenant_id) == _TENANT,
        col(DreamRow.id) == _DREAM,
        col(DreamRow.epoch) == bindparam("of_epoch"),
        col(DreamRow.state) == DreamState.RUNNING,
    )
    .values(lease_until=_LEASE_END)
    .returning(
        col(DreamRow.id), func.set_config("idle_in_transaction_session_timeout", bindparam("idle"), True).label("idle")
    )
    .cte("held")
)
_FENCE = Fixed(
    "phases.fence",
    update(PhaseRunRow).where(col(PhaseRunRow.dream_id) == _HELD.c.id, _THIS, _IS_MINE).values(runner_until=_LEASE_END),
    reason="16 times a dream: the fence before each write of a phase",
)


def _adding() -> Any:  # noqa: ANN401 - the postgres `insert` that follows is typed by what it is given
    """Return the insert of many records; each begins some microseconds before now, so that they keep their order."""
    run = (
        func.json_to_recordset(bindparam("runs", type_=JSON))
        .table_valued(
            column("phase", Text),
            column("state", Text),
            column("reason", Text),
            column("counts", JSONB),
            column("inputs", JSON),
            column("is_over", Boolean),
            column("microseconds_ago", INTEGER),
        )
        .render_derived(name="run", with_types=True)
    )
    at: ColumnElement[Any] = _CLOCK - run.c.microseconds_ago * literal_column("interval '1 microsecond'")
    given = select(
        _TENANT, _DREAM, run.c.phase, run.c.state, literal_column("''"), run.c.reason, run.c.counts, run.c.inputs, at,
        case((run.c.is_over, at)),
    )  # fmt: skip
    names = (
        "tenant_id", "dream_id", "phase", "state", "runner", "reason", "counts", "inputs", "started_at", "finished_at",
    )  # fmt: skip
    return insert(PhaseRunRow).from_select(names, given, include_defaults=False).on_conflict_do_nothing()


_ADD = Fixed("phases.add", _adding(), reason="5 times a dream: the phases after one that has ended")
_SAVE_INPUTS = Fixed(
    "phases.save_inputs",
    update(PhaseRunRow).where(_THIS).values(inputs=bindparam("read", type_=JSON)),
    reason="4 times a dream",
)
_SURVEYED = (
    update(DreamRow)
    .where(col(DreamRow.tenant_id) == _TENANT, col(DreamRow.id) == _DREAM)
    .values(
        live_memories=bindparam("live"),
        changed_topics=bindparam("changed"),
        domains=bindparam("inside", type_=JSONB),
    )
    .cte("surveyed")
)
_SAVE_SURVEY = update(PhaseRunRow).where(_THIS).values(inputs=bindparam("read", type_=JSON)).add_cte(_SURVEYED)
_SAVE_PLAN = update(PhaseRunRow).where(_THIS).values(plan=bindparam("wanted", type_=JSON))
_FINISH = Fixed(
    "phases.finish",
    update(PhaseRunRow)
    .where(_THIS)
    .values(
        state=bindparam("ended"),
        reason=bindparam("why"),
        counts=bindparam("counted", type_=JSONB),
        finished_at=_CLOCK,
        runner_until=None,
        plan=func.coalesce(bindparam("wanted", type_=JSON(none_as_null=True)), col(PhaseRunRow.plan)),
    ),
    reason="14 times a dream",
)
_RELEASE_CLAIMS = (
    update(PhaseRunRow)
    .where(_OF_DREAM, col(PhaseRunRow.state) == PhaseState.RUNNING)
    .values(runner="", runner_until=None)
)
_FIND_ALL = Fixed(
    "phases.find_all",
    select(PhaseRunRow).where(_OF_DREAM).order_by(col(PhaseRunRow.started_at)),
    reason="once a dream, with the inputs and plans of all its phases",
)
_FIND = Fixed("phases.find", select(PhaseRunRow).where(_THIS), reason="twice a dream, with the inputs of a whole phase")


class PostgresPhaseRepository:
    """Implements `PhaseRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def claim(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> PhaseRun | None:
        """Claim a phase for `runner` and return its record; None while another runner is alive.

        Thus two workers with the same message do not buy the same answers.
        """
        terms = {"of_runner": runner, "lease": timedelta(seconds=lease_seconds)}
        row = fetch_one(self._connection, _CLAIM, self._this(dream_id, phase) | terms)
        return phase_from(row) if row else None

    def renew(self, dream_id: str, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Renew the lease of a phase. Raises LostLeaseError when another runner has it."""
        terms = {"of_runner": runner, "lease": timedelta(seconds=lease_seconds)}
        if not execute(self._connection, _RENEW, self._this(dream_id, phase) | terms):
            msg = f"Another worker has taken over phase {phase} of {dream_id}"
            raise LostLeaseError(msg)

    def fence(self, dream_id: str, epoch: int, phase: str, *, runner: str, lease_seconds: float) -> None:
        """Renew the leases of the dream and the phase in one round trip. Raises LostLeaseError when either is lost."""
        terms = {
            "of_epoch": epoch,
            "of_runner": runner,
            "lease": timedelta(seconds=lease_seconds),
            "idle": f"{lease_seconds * 1000:.0f}",
        }
        if not execute(self._connection, _FENCE, self._this(dream_id, phase) | terms):
            msg = f"Epoch {epoch} no longer owns {dream_id}, or another worker has taken over its phase {phase}"
            raise LostLeaseError(msg)

    def add(self, dream_id: str, runs: Sequence[PhaseRun]) -> None:
        """Add records of phases that no worker runs; those that exist stay as they are."""
        if runs:
            rows = [_added(run, behind=len(runs) - place) for place, run in enumerate(runs, 1)]
            execute(self._connection, _ADD, {"tenant": self._tenant_id, "dream": dream_id, "runs": rows})

    def save_inputs(self, dream_id: str, phase: str, inputs: object, *, survey: Survey | None = None) -> None:
        """Store the inputs of a phase, and in the same statement the survey of the dream."""
        read = self._this(dream_id, phase) | {"read": inputs}
        if survey is None:
            execute(self._connection, _SAVE_INPUTS, read)
        else:
            counted = {
                "live": survey.live_memories,
                "changed": survey.changed_topics,
                "inside": dict(survey.domains),
            }
            execute(self._connection, _SAVE_SURVEY, read | counted)

    def save_plan(self, dream_id: str, phase: str, plan: object) -> None:
        """Store the plan of a phase."""
        execute(self._connection, _SAVE_PLAN, self._this(dream_id, phase) | {"wanted": plan})

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
        ending = {"ended": state, "why": reason, "counted": counts, "wanted": plan}
        execute(self._connection, _FINISH, self._this(dream_id, phase) | ending)

    def release_claims(self, dream_id: str) -> None:
        """Release every unfinished phase of a dream, because its runner is gone."""
        execute(self._connection, _RELEASE_CLAIMS, {"tenant": self._tenant_id, "dream": dream_id})

    def find_all(self, dream_id: str, *, phase: str | None = None) -> list[PhaseRun]:
        """Return the phases of a dream that have begun, in order, or only the one of that name."""
        if phase is None:
            rows = fetch(self._connection, _FIND_ALL, {"tenant": self._tenant_id, "dream": dream_id})
        else:
            rows = fetch(self._connection, _FIND, self._this(dream_id, phase))
        return [phase_from(row) for row in rows]

    def _this(self, dream_id: str, phase: str) -> dict[str, Any]:
        return {"tenant": self._tenant_id, "dream": dream_id, "of_phase": phase}


def _added(run: PhaseRun, *, behind: int) -> dict[str, Any]:
    """Return a record as JSON: an ended phase begins one microsecond before a phase that this transaction claims."""
    is_over = run.state in FINISHED_PHASES
    kept = {name: getattr(run, name) for name in ("phase", "state", "reason", "counts", "inputs")}
    return kept | {"is_over": is_over, "microseconds_ago": behind + is_over}


_IS_ASKING = bindparam("with_tokens", type_=Boolean)


def _asked() -> list[ColumnElement[Any]]:
    """Return the columns about model calls, which are empty for a phase that asks no model."""
    of_tenant = col(LlmCallRow.tenant_id) == _TENANT
    of_dream = of_tenant & (col(LlmCallRow.dream_id) == _DREAM)
    is_today = col(LlmCallRow.created_at) >= func.date_trunc("day", func.now(), "UTC")
    tokens = select(
        func.coalesce(
            func.sum(
                col(LlmCallRow.input_tokens)
                + col(LlmCallRow.output_tokens)
                + col(LlmCallRow.cached_tokens)
                + col(LlmCallRow.cache_write_tokens)
            ),
            0,
        )
    )
    answers = select(col(LlmCallRow.id)).where(
        of_dream, col(LlmCallRow.phase) == _PHASE, col(LlmCallRow.outcome) == "ok"
    )
    return [
        case((_IS_ASKING, tokens.where(of_dream).scalar_subquery())).label("spent"),
        case((_IS_ASKING, tokens.where(of_tenant, is_today).scalar_subquery())).label("today"),
        (_IS_ASKING & answers.exists()).label("has_answers"),
    ]


def _facts() -> Select[Any]:
    """Return the query for all fields of `PhaseFacts`, in one row."""
    operations = select(OperationRow).where(
        col(OperationRow.tenant_id) == _TENANT, col(OperationRow.dream_id) == _DREAM
    )
    states = select(func.json_object_agg(col(PhaseRunRow.phase), col(PhaseRunRow.state))).where(_OF_DREAM)
    of_dream = col(DreamRow.id) == _DREAM
    order = aliased(DreamOrderRow, name="o")  # psycopg keeps no statement of more than 4,096 bytes
    of_order = col(order.dream_id) == _DREAM
    return (
        select(
            *(getattr(TenantRow, name).label(f"t_{name}") for name in TENANT_COLUMNS),
            *(getattr(StoreRow, name).label(f"s_{name}") for name in STORE_COLUMNS),
            col(DreamRow.live_memories),
            col(DreamRow.changed_topics),
            col(DreamRow.domains),
            col(order.instructions).label("wish"),
            operations.exists().label("has_ops"),
            states.scalar_subquery().label("states"),
            *_asked(),
        )
        .select_from(StoreRow)
        .join(TenantRow, col(TenantRow.id) == col(StoreRow.tenant_id))
        .outerjoin(DreamRow, (col(DreamRow.tenant_id) == col(StoreRow.tenant_id)) & of_dream)
        .outerjoin(order, (col(order.tenant_id) == col(StoreRow.tenant_id)) & of_order)
        .where(col(StoreRow.tenant_id) == _TENANT, col(StoreRow.id) == bindparam("store"))
    )


_FACTS = Fixed("phases.facts", _facts(), reason="14 times a dream, with 70 columns and five subqueries")

_EFFECTS, _CHANGES = col(OperationRow.effects), col(OperationRow.changes)
_HIDDEN = func.jsonb_path_query_array(_EFFECTS, literal_column("'$[*] ? (@.after.state != \"live\")'::jsonpath"))
_PUT_BACK = func.jsonb_path_query_array(_CHANGES, literal_column("'$[*] ? (@.type == \"put_back\").kind'::jsonpath"))
_TALLY = Fixed(
    "phases.tally",
    select(
        *map(col, (OperationRow.kind, OperationRow.state, OperationRow.review)),
        func.jsonb_array_length(_EFFECTS).label("changed"),
        func.jsonb_array_length(_HIDDEN).label("hidden"),
        _PUT_BACK.label("put_back"),
    ).where(
        col(OperationRow.tenant_id) == _TENANT, col(OperationRow.dream_id) == _DREAM, col(OperationRow.phase) == _PHASE
    ),
    reason="with the end of each phase that wants a change",
)


class PostgresPhaseFactsRepository:
    """Implements `PhaseFactsRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def get(self, dream: Dream, phase: str, *, with_tokens: bool) -> PhaseFacts:
        """Return the facts of a dream's phase."""
        values = {"tenant": self._tenant_id, "dream": dream.id, "store": dream.store_id, "of_phase": phase}
        row = fetch_one(self._connection, _FACTS, values | {"with_tokens": with_tokens})
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no store {dream.store!r}"
            raise NotFoundError(msg)
        return PhaseFacts(
            tenant=tenant_from(_part(row, "t_")),
            store=store_from(_part(row, "s_")),
            survey=Survey(
                live_memories=row["live_memories"] or 0,
                changed_topics=row["changed_topics"] or 0,
                domains=row["domains"] or {},
            ),
            has_operations=row["has_ops"],
            wish=row["wish"] or "",
            tokens_spent=int(row["spent"] or 0),
            tokens_today=int(row["today"] or 0),
            has_answers=row["has_answers"],
            states={name: PhaseState(state) for name, state in (row["states"] or {}).items()},
        )

    def tally(self, dream_id: str, phase: str) -> list[OperationTally]:
        """Return what the operations of one phase of a dream count for, without reading what they changed."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "of_phase": phase}
        return [
            OperationTally(
                kind=OperationKind(row["kind"]),
                state=OperationState(row["state"]),
                review=ReviewState(row["review"]),
                changed=row["changed"],
                hidden=row["hidden"],
                put_back=tuple(map(OperationKind, row["put_back"])),
            )
            for row in fetch(self._connection, _TALLY, values)
        ]


def _part(row: Row, prefix: str) -> Mapping[str, Any]:
    return {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}
