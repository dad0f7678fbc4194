"""Run the phases of a dream: claim one, run its steps, and continue in-process until a phase needs a model call.

A redelivered or resumed phase continues after its last stored step. Every write is fenced: a worker that lost its lease
writes nothing; it logs a warning and increments `slowwave_lost_leases_total`.

After a phase has ended, one transaction reads for one phase after another until one has work. Phases without work are
recorded with their reason, as their own tasks would do, and need no message. The first phase with questions stores its
inputs for its own task, which the chain sends next; a phase with work that needs no model is planned and applied here. On an
error that transaction is rolled back, and the phases get their own messages.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from shared.all_ports import Ports
from shared.core.dream.model import FINISHED_PHASES, PhaseRun, PhaseState
from shared.core.errors import DatabaseRefusesError, LostLeaseError, RetryableError, StatementCutError
from shared.core.gates.snooze import decide_busy_wait
from shared.counting import count, counting_together
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.telemetry import where_of
from shared.tracing import traced
from workers.phase.heartbeat import Heartbeat
from workers.phase.planned import Planned
from workers.phase.shape import NothingToDo, Phase, ask_nothing, inputs_adapter
from workers.phase.work import (
    NO_PROGRESS,
    DatabaseClock,
    PhaseKey,
    PhaseWork,
    claim_phase,
    count_busy_seconds,
    count_unreviewed,
    read_progress,
)
from workers.process.hand_over import release_dream, wait_for_database
from workers.process.running import RUNNING, DrainingError
from workers.process.turns import TURNS
from workers.runner.apply import apply_plan, count_recorded, find_reason_to_skip
from workers.runner.cues import wants_cues
from workers.runner.snooze import AGENT_BUSY, Snooze, SnoozeWantedError, snooze_dream, wait_until_idle, want_snooze
from workers.runner.steps import do_steps, keep_read, plan_without_model, read_inputs
from workers.runner.vectors import wants_vectors

_log = get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedPhase:
    """A claimed phase. If it has a plan (`planned`), only applying is left."""

    work: PhaseWork
    planned: Planned | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipResult:
    """The number of phases that ended without a message, and the next phase if it is claimed and planned."""

    number: int = 0
    claimed: ClaimedPhase | None = None


def run_phase(ports: Ports, phase: Phase, key: PhaseKey) -> bool:
    """Run one phase as far as possible; return whether the chain should continue."""
    return run_phases(ports, (phase,), key).ended > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The number of phases of a chain that have ended, the names of those that failed, and what was cut short, with reasons.

    The next phase has questions, and a message of its own. `ended` is 0 when another worker has the dream or the phase, so
    that the message is a leftover and its chain ends here.
    """

    ended: int = 0
    failed: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


def run_phases(ports: Ports, phases: Sequence[Phase], key: PhaseKey) -> RunResult:
    """Run the first of a chain's phases, and the following ones that need no model."""
    trace = traced(f"task {key.phase}", {"slowwave.tenant": key.tenant_id}, dream_id=key.dream_id)
    with trace, TURNS.take(rank=len(phases)):
        return _run_phases(ports, phases, key)


def _run_phases(ports: Ports, phases: Sequence[Phase], key: PhaseKey) -> RunResult:
    phase = phases[0]
    log = _log.bind(tenant_id=key.tenant_id, dream_id=key.dream_id, phase=key.phase, epoch=key.epoch)
    try:
        work = claim_phase(ports, phase, key, ports.ids.new("run"))
    except (LostLeaseError, RetryableError) as error:
        if isinstance(error, LostLeaseError):
            count("slowwave_lost_leases_total", where="claim")
        log.warning("phase_not_claimed", reason=str(error))
        _wait_if_refused(ports, key, error)
        return RunResult()
    if work is None:
        count("slowwave_duplicate_deliveries_total", task="phase")
        log.info("phase_claimed_elsewhere")
        return RunResult()
    if work.record.state in FINISHED_PHASES:
        return RunResult(ended=1)
    ended = 0
    claimed: ClaimedPhase | None = ClaimedPhase(work=work)
    while claimed is not None:
        with traced("phase", {"slowwave.phase": claimed.work.key.phase}):
            skipped = _run_claimed(claimed, phases[ended + 1 :])
        if skipped is None:
            return RunResult()
        ended, claimed = ended + 1 + skipped.number, skipped.claimed
    return RunResult(ended=ended, failed=tuple(work.failed), cut=tuple(work.cut))


def _run_claimed(claimed: ClaimedPhase, following: Sequence[Phase]) -> SkipResult | None:
    """Run a claimed phase; return how far the dream got, or None if the chain ends here."""
    work = claimed.work
    log = _log.bind(**asdict(work.key), store=work.store.name)
    try:
        with (
            Heartbeat(work.ports, work.key, work.runner, work.store.name) as heartbeat,
            RUNNING.watching(work, heartbeat),
        ):
            _run(claimed, heartbeat)
            log.info("phase_ended")
            return skip_idle_phases(work, following)
    except DrainingError:
        release_dream(work.ports, work.key, work.store.name, planned=True)
    except SnoozeWantedError as error:
        _snooze(work, error.snooze, log)
    except LostLeaseError as error:
        count("slowwave_lost_leases_total", where="write")
        log.warning("lost_lease", reason=str(error))
    except StatementCutError as error:
        # The next worker's attempt would take as long.
        log.warning("phase_failed", error="StatementCutError")
        return _end(work, PhaseState.FAILED, str(error), "errors")
    except RetryableError as error:
        # The stored steps stay; the lease lapses, and the reconciler goes on from here when the server is back.
        log.warning("phase_interrupted", reason=str(error))
        _wait_if_refused(work.ports, work.key, error)
    except SoftTimeLimitExceeded:
        log.warning("soft_time_limit")
        return _end(work, PhaseState.PARTIAL, "The phase ran into the worker's time limit", "missing_time_budget")
    except Exception as error:  # noqa: BLE001 - one phase that raises must not stop the later ones
        # The error's own words may hold memory text: the dream keeps them, the log does not.
        log.error("phase_failed", error=type(error).__name__, where=where_of(error))  # noqa: TRY400 - said above
        first_line = next(iter(str(error).splitlines()), "")  # what follows may be a statement with its values
        return _end(work, PhaseState.FAILED, f"{type(error).__name__}: {first_line}"[:500], "errors")
    return None


def _wait_if_refused(ports: Ports, key: PhaseKey, error: Exception) -> None:
    if isinstance(error, DatabaseRefusesError):
        wait_for_database(ports, key, error)


def _run(claimed: ClaimedPhase, heartbeat: Heartbeat) -> None:
    if claimed.planned is not None:
        apply_plan(claimed.work, claimed.planned)
    elif not _ends_early(claimed.work):
        do_steps(claimed.work, heartbeat)


def _ends_early(work: PhaseWork) -> bool:
    """End a phase that can be skipped; raise SnoozeWantedError if its dream should sleep first."""
    if (skipped := find_reason_to_skip(work)) is not None:
        work.finish(PhaseState.SKIPPED, skipped[0], Counter(skipped[1]))
    elif work.phase.ask is not ask_nothing and work.record.plan is None and not wait_until_idle(work):
        want_snooze(work, Snooze(why=AGENT_BUSY, seconds=decide_busy_wait(snoozes=work.dream.snooze_count)))
        reason = f"The agent stayed busy through {work.dream.snooze_count} snoozes"
        work.finish(PhaseState.FAILED, reason, Counter(missing_agent_busy=1))
    else:
        return False
    return True


def _snooze(work: PhaseWork, snooze: Snooze, log: structlog.typing.FilteringBoundLogger) -> None:
    """Snooze the dream; this chain ends here in any case."""
    try:
        snooze_dream(work, snooze)
    except (LostLeaseError, RetryableError) as error:
        log.warning("dream_not_snoozed", reason=str(error))
        _wait_if_refused(work.ports, work.key, error)
        return
    log.info("dream_snoozed", why=snooze.why, seconds=snooze.seconds)


def _end(work: PhaseWork, state: PhaseState, reason: str, count: str) -> SkipResult | None:
    """End a phase that cannot continue; the next phase gets its message."""
    try:
        with work.fenced() as uow:
            counts = count_recorded(uow, work) + Counter({count: 1})
            uow.phases.finish(work.key.dream_id, work.key.phase, state, reason=reason, counts=dict(counts))
    except (LostLeaseError, RetryableError) as error:
        _wait_if_refused(work.ports, work.key, error)
        return None
    work.count_end(state, reason)
    return SkipResult()


def skip_idle_phases(work: PhaseWork, following: Sequence[Phase]) -> SkipResult:
    """End the following phases that have nothing to do, and claim the next one if it needs no model.

    Args:
        work: the phase that has just ended; its lease is kept.
        following: the phases after it, the next one first.
    """
    log = _log.bind(tenant_id=work.key.tenant_id, dream_id=work.key.dream_id, epoch=work.key.epoch)
    number = 0
    try:
        while number < len(following) and not RUNNING.draining.is_set():
            step = _take_step(work, following[number:], log.bind(store=work.store.name))
            number += step.number
            if step.claimed is not None or not step.goes_on:
                return SkipResult(number=number, claimed=step.claimed)
    except Exception as error:  # noqa: BLE001 - the phase meets the error again in its own task, which records it
        log.warning("idle_phase_skip_failed", error=type(error).__name__, where=where_of(error))
    return SkipResult(number=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    number: int = 0
    claimed: ClaimedPhase | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The next phases: the number without work, their records, and the inputs of the first phase with work."""

    number: int
    ended: tuple[PhaseRun, ...]
    work: PhaseWork | None = None
    inputs: Any = None


def _take_step(work: PhaseWork, following: Sequence[Phase], log: structlog.typing.FilteringBoundLogger) -> _Step:
    ended: PhaseState | None = None
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        found = _look_ahead(uow, work, following)
        dream = uow.dreams.fence(work.key.dream_id, work.key.epoch, work.ports.settings.lease_seconds)
        if dream.cancel_requested_at != work.dream.cancel_requested_at:
            return _Step()  # the phases' own tasks record that they were canceled
        kept = _keep_for_its_task(found)
        uow.phases.add(work.key.dream_id, [*found.ended, *kept])
        step = _Step(number=found.number)
        if found.work is not None and not kept:
            step, ended = _begin(uow, found.work, found.inputs, found.number)
    with counting_together():
        for run in found.ended:
            _report_end(log, run.phase, run.state)
            work.note_cut(run.phase, run.reason if "missing_time_budget" in run.counts else "")
        if found.work is not None and ended is not None:
            _report_end(log, found.work.phase.name, ended)
    return step


def _look_ahead(uow: UnitOfWork, work: PhaseWork, following: Sequence[Phase]) -> _Found:
    """Read for one phase after another until one has inputs, has begun before, or must wait for its own task."""
    facts = uow.phase_facts.get(work.dream, work.key.phase, with_tokens=False)
    progress = read_progress(uow, work.dream.id, "") if facts.has_operations else NO_PROGRESS
    busy_seconds = count_busy_seconds(work.dream, facts.store, uow.now())
    clock = DatabaseClock.at(uow.now())
    here = replace(
        work, facts=facts, policy=facts.store.policy, progress=progress, busy_seconds=busy_seconds, clock=clock
    )  # fmt: skip
    ended: list[PhaseRun] = []
    for number, phase in enumerate(following):
        if (state := facts.states.get(phase.name)) is not None:
            if state not in FINISHED_PHASES:
                return _Found(number=number, ended=tuple(ended))
            continue
        record = PhaseRun(dream_id=work.dream.id, phase=phase.name, state=PhaseState.RUNNING)
        its = replace(here, phase=phase, key=replace(work.key, phase=phase.name), record=record)
        skipped = find_reason_to_skip(its)
        if skipped is None:
            if _wants_own_task(its, uow):
                return _Found(number=number, ended=tuple(ended))
            inputs = read_inputs(its, uow)
            if not isinstance(inputs, NothingToDo):
                return _Found(number=number, ended=tuple(ended), work=its, inputs=inputs)
            skipped = (inputs.reason, {})
        reason, counts = skipped
        ended.append(replace(record, state=PhaseState.SKIPPED, reason=reason, counts=counts))
    return _Found(number=len(following), ended=tuple(ended))


def _wants_own_task(work: PhaseWork, uow: UnitOfWork) -> bool:
    """Tell whether a phase has to wait for the agent, or has something to prepare before it reads."""
    is_busy = work.phase.ask is not ask_nothing and work.busy_seconds > 0
    return is_busy or wants_vectors(work, work.phase) or wants_cues(work, work.phase, uow)


def _keep_for_its_task(found: _Found) -> list[PhaseRun]:
    """Return the record of a phase with questions, which includes its inputs for its own task."""
    if found.work is None or not found.work.phase.has_questions(found.inputs):
        return []
    dumped = inputs_adapter(found.work.phase).dump_python(found.inputs, mode="json")
    return [replace(found.work.record, inputs=dumped)]


def _begin(uow: UnitOfWork, work: PhaseWork, inputs: Any, number: int) -> tuple[_Step, PhaseState | None]:  # noqa: ANN401 - every phase has its own inputs
    """For a phase that needs no model: end it if its plan is empty, else claim it to apply the plan."""
    seconds = work.ports.settings.lease_seconds
    record = uow.phases.claim(work.key.dream_id, work.key.phase, runner=work.runner, lease_seconds=seconds)
    if record is None or record.state in FINISHED_PHASES:
        return _Step(number=number), None
    work = replace(work, unreviewed=count_unreviewed(uow, work.dream, work.phase, work.policy))
    planned = plan_without_model(work, inputs)
    ended = keep_read(work, uow, inputs, planned)
    if ended is not None:
        return _Step(number=number + 1, goes_on=True), ended
    return _Step(number=number, claimed=ClaimedPhase(work=work, planned=planned)), None


def _report_end(log: structlog.typing.FilteringBoundLogger, phase: str, state: PhaseState) -> None:
    count("slowwave_phases_ended_total", phase=phase, state=str(state))
    log.info("phase_ended", phase=phase)
