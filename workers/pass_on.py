"""Pass on from a phase that has ended: over those behind it that have nothing to do, to the next one that has.

One transaction reads for one phase after another until something is wanted. What had nothing to do is recorded with its
reason, as its own task would have done, and needs none. The first phase that has questions keeps what was read for its
task, which the chain sends next; one that wants something without a model is planned, for the caller to apply. Whatever
goes wrong here takes nothing with it: the transaction is rolled back, and the phases get their own messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from traceback import extract_tb
from typing import Any

import structlog

from shared.core.dream import FINISHED_PHASES, PhaseRun, PhaseState
from shared.counting import count
from shared.ports.database import UnitOfWork
from workers.clock import DatabaseClock
from workers.end_phase import find_reason_to_skip
from workers.phase import NothingToDo, Phase, ask_nothing, inputs_adapter
from workers.phase_steps import keep_read, plan_without_model, read_inputs
from workers.phase_work import NOTHING_SO_FAR, PhaseWork, count_busy_seconds, look_back
from workers.planned import Planned
from workers.running import RUNNING

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A phase that is claimed. With `planned`, the rest is to apply that."""

    work: PhaseWork
    planned: Planned | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """How many phases are through, and the one behind them if it is ready to be applied."""

    number: int = 0
    ready: Ready | None = None


def pass_on(work: PhaseWork, following: Sequence[Phase]) -> Passed:
    """Return how far the dream got without a message. `work` is the phase that has just ended; its lease is kept."""
    log = _log.bind(tenant_id=work.key.tenant_id, dream_id=work.key.dream_id, epoch=work.key.epoch)
    number = 0
    try:
        while number < len(following) and not RUNNING.is_leaving.is_set():
            step = _take_step(work, following[number:], log.bind(store=work.store.name))
            number += step.number
            if step.ready is not None or not step.goes_on:
                return Passed(number=number, ready=step.ready)
    except Exception as error:  # noqa: BLE001 - the phase in question meets it again in its own task, which says so
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__)]
        log.warning("phases_not_passed", error=type(error).__name__, where=where)
    return Passed(number=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    number: int = 0
    ready: Ready | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the next phases come to: those that need nothing, and what the one behind them has read."""

    number: int
    ended: tuple[PhaseRun, ...]
    work: PhaseWork | None = None
    inputs: Any = None


def _take_step(work: PhaseWork, following: Sequence[Phase], log: structlog.typing.FilteringBoundLogger) -> _Step:
    ended: PhaseState | None = None
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        found = _look(uow, work, following)
        dream = uow.dreams.fence(work.key.dream_id, work.key.epoch, work.ports.settings.lease_seconds)
        if dream.cancel_requested_at != work.dream.cancel_requested_at:
            return _Step()  # their own tasks say that they were canceled
        kept = _keep_for_its_task(found)
        uow.phases.add(work.key.dream_id, [*found.ended, *kept])
        step = _Step(number=found.number)
        if found.work is not None and not kept:
            step, ended = _begin(uow, found.work, found.inputs, found.number)
    for run in found.ended:
        _tell(log, run.phase, run.state)
    if found.work is not None and ended is not None:
        _tell(log, found.work.phase.name, ended)
    return step


def _look(uow: UnitOfWork, work: PhaseWork, following: Sequence[Phase]) -> _Found:
    """Read for one phase after another until one has inputs, has begun before, or must wait for its own task."""
    facts = uow.phase_facts.get(work.dream, work.key.phase, with_tokens=False)
    so_far = look_back(uow, work.dream.id, "") if facts.has_operations else NOTHING_SO_FAR
    busy_seconds = count_busy_seconds(work.dream, facts.store, uow.now())
    clock = DatabaseClock.at(uow.now())
    here = replace(
        work, facts=facts, policy=facts.store.policy, so_far=so_far, busy_seconds=busy_seconds, clock=clock
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
            if phase.ask is not ask_nothing and busy_seconds > 0:
                return _Found(number=number, ended=tuple(ended))
            inputs = read_inputs(its, uow)
            if not isinstance(inputs, NothingToDo):
                return _Found(number=number, ended=tuple(ended), work=its, inputs=inputs)
            skipped = (inputs.reason, {})
        reason, counts = skipped
        ended.append(replace(record, state=PhaseState.SKIPPED, reason=reason, counts=counts))
    return _Found(number=len(following), ended=tuple(ended))


def _keep_for_its_task(found: _Found) -> list[PhaseRun]:
    """Return what a phase that has questions has read, as its own task will find it."""
    if found.work is None or not found.work.phase.ask(found.inputs):
        return []
    dumped = inputs_adapter(found.work.phase).dump_python(found.inputs, mode="json")
    return [replace(found.work.record, inputs=dumped)]


def _begin(uow: UnitOfWork, work: PhaseWork, inputs: Any, number: int) -> tuple[_Step, PhaseState | None]:  # noqa: ANN401 - every phase has its own inputs
    """End a phase that needs no model and wants nothing; claim one that wants something, to be applied."""
    seconds = work.ports.settings.lease_seconds
    record = uow.phases.claim(work.key.dream_id, work.key.phase, runner=work.runner, lease_seconds=seconds)
    if record is None or record.state in FINISHED_PHASES:
        return _Step(number=number), None
    planned = plan_without_model(work, inputs)
    ended = keep_read(work, uow, inputs, planned)
    if ended is not None:
        return _Step(number=number + 1, goes_on=True), ended
    return _Step(number=number, ready=Ready(work=work, planned=planned)), None


def _tell(log: structlog.typing.FilteringBoundLogger, phase: str, state: PhaseState) -> None:
    count("slowwave_phases_ended_total", phase=phase, state=str(state))
    log.info("phase_ended", phase=phase)
