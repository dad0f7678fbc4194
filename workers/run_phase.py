"""Run one phase: read, ask, plan, apply, each step stored in a commit of its own, so that a crash costs seconds.

A redelivered or resumed phase picks up after the last stored step. Every write is fenced; a worker that lost the
dream writes nothing and says so quietly.
"""

from collections import Counter
from traceback import extract_tb
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from pydantic import TypeAdapter

from shared.core.dream import FINISHED_PHASES, OperationState, PhaseState
from shared.core.errors import LostLeaseError, RetryableError
from shared.core.operation import Plan, retired_ids
from shared.core.snooze import decide_busy_wait
from shared.counting import count
from shared.ports.all_ports import Ports
from shared.ports.database import UnitOfWork
from workers.apply_plan import apply_plan, count_recorded
from workers.ask_model import Asked, Asker, TokenBudget
from workers.choose_prompts import find_prompts
from workers.heartbeat import Heartbeat
from workers.let_go import hand_over
from workers.phase import NothingToDo, Phase, PhaseContext, Surroundings, ask_nothing
from workers.phase_key import PhaseKey
from workers.phase_work import PhaseWork, claim_phase
from workers.running import RUNNING, LeavingError
from workers.snooze_dream import Snooze, SnoozeWantedError, snooze_dream, want_snooze
from workers.take_turn import call_scope
from workers.wait_for_agent import stays_busy

_log = structlog.get_logger()
_PLANS: TypeAdapter[Plan] = TypeAdapter(Plan)


def run_phase(ports: Ports, phase: Phase, key: PhaseKey) -> bool:
    """Run a phase as far as it gets; return whether the chain should go on.

    False means that this message is a leftover: another worker has the dream or the phase.
    """
    log = _log.bind(tenant_id=key.tenant_id, dream_id=key.dream_id, phase=key.phase, epoch=key.epoch)
    try:
        work = claim_phase(ports, phase, key, ports.ids.new("run"))
    except (LostLeaseError, RetryableError) as error:
        if isinstance(error, LostLeaseError):
            count("slowwave_lost_leases_total", where="claim")
        log.warning("phase_not_claimed", reason=str(error))
        return False
    if work is None:
        count("slowwave_duplicate_deliveries_total", task="phase")
        log.info("phase_left_to_another_worker")
        return False
    return work.record.state in FINISHED_PHASES or _run_claimed(work, log.bind(store=work.store.name))


def _run_claimed(work: PhaseWork, log: structlog.typing.FilteringBoundLogger) -> bool:
    try:
        with (
            Heartbeat(work.ports, work.key, work.runner, work.store.name) as heartbeat,
            RUNNING.watching(work, heartbeat),
        ):
            _run(work, heartbeat)
        log.info("phase_ended")
    except LeavingError:
        hand_over(work.ports, work.key, work.store.name)
        return False
    except SnoozeWantedError as error:
        return _snooze(work, error.snooze, log)
    except LostLeaseError as error:
        count("slowwave_lost_leases_total", where="write")
        log.warning("lost_lease", reason=str(error))
        return False
    except RetryableError as error:
        # The stored steps stay; the lease lapses, and the reconciler goes on from here when the server is back.
        log.warning("phase_interrupted", reason=str(error))
        return False
    except SoftTimeLimitExceeded:
        log.warning("soft_time_limit")
        return _end(work, PhaseState.PARTIAL, "The phase ran into the worker's time limit", "missing_time_budget")
    except Exception as error:  # noqa: BLE001 - one phase that raises must not stop the later ones
        # The log says where, never an error's own words, which may hold memory text; the dream has the reason.
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__)]
        log.error("phase_failed", error=type(error).__name__, where=where)  # noqa: TRY400 - the reason is above
        return _end(work, PhaseState.FAILED, f"{type(error).__name__}: {error}"[:500], "errors")
    return True


def _snooze(work: PhaseWork, snooze: Snooze, log: structlog.typing.FilteringBoundLogger) -> bool:
    """Put the dream to sleep; this chain ends here in any case."""
    try:
        snooze_dream(work, snooze)
    except (LostLeaseError, RetryableError) as error:
        log.warning("dream_not_snoozed", reason=str(error))
        return False
    log.info("dream_snoozed", why=snooze.why, seconds=snooze.seconds)
    return False


def _end(work: PhaseWork, state: PhaseState, reason: str, count: str) -> bool:
    try:
        work.finish(state, reason, count_recorded(work) + Counter({count: 1}))
    except (LostLeaseError, RetryableError):
        return False
    return True


def _run(work: PhaseWork, heartbeat: Heartbeat) -> None:
    if _ends_early(work):
        return
    inputs = _get_inputs(work)
    if isinstance(inputs, NothingToDo):
        work.finish(PhaseState.SKIPPED, inputs.reason)
        return
    plan, missing, has_answers = _get_plan(work, inputs, heartbeat)
    counts = apply_plan(work, plan)
    counts.update(plan.counts)
    counts.update(Counter(f"skip_{skip.code}" for skip in plan.skips))
    counts.update({f"missing_{reason}": number for reason, number in missing.items()})
    work.finish(*_decide_end(work, missing, has_answers=has_answers), counts)


def _ends_early(work: PhaseWork) -> bool:
    """End a phase that need not begin; raise SnoozeWantedError when its dream should sleep first."""
    if work.dream.cancel_requested_at is not None and not work.phase.runs_when_canceled:
        work.finish(PhaseState.SKIPPED, "canceled")
    elif not work.policy.phases.decide_on(work.phase.name):
        work.finish(PhaseState.SKIPPED, f"switched off (phases.{work.phase.name}=false)")
    elif not work.phase.runs_after_deadline and work.left.seconds() <= 0:
        work.finish(PhaseState.SKIPPED, _out_of_time(work), Counter(missing_time_budget=1))
    elif work.phase.ask is not ask_nothing and work.record.plan is None and stays_busy(work):
        want_snooze(work, Snooze(why="agent_busy", seconds=decide_busy_wait(snoozes=work.dream.snooze_count)))
        reason = f"The agent stayed busy through {work.dream.snooze_count} snoozes"
        work.finish(PhaseState.FAILED, reason, Counter(missing_agent_busy=1))
    else:
        return False
    return True


def _decide_end(work: PhaseWork, missing: Counter[str], *, has_answers: bool) -> tuple[PhaseState, str]:
    listed = ", ".join(f"{reason} {number}" for reason, number in missing.items())
    if missing and work.dream.snooze_count:
        listed += f", after {work.dream.snooze_count} snoozes"
    if missing["time_budget"]:
        return PhaseState.PARTIAL, _out_of_time(work)
    if missing and not has_answers:
        return PhaseState.FAILED, f"no answer from the model ({listed})"
    if missing:
        return PhaseState.PARTIAL, f"some questions have no answer ({listed})"
    return PhaseState.DONE, ""


def _out_of_time(work: PhaseWork) -> str:
    return f"Budget exceeded ({work.policy.budget.dream_seconds / 60:g} min)"


def _get_inputs(work: PhaseWork) -> Any:  # noqa: ANN401 - every phase has its own inputs
    """Return the stored inputs, or read them now."""
    if work.record.inputs is not None:
        return TypeAdapter(work.phase.inputs_type).validate_python(work.record.inputs)
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        context = PhaseContext(
            uow=uow,
            store=work.store,
            dream=work.dream,
            policy=work.policy,
            now=uow.now(),
            changed_at_start=int(work.survey.get("changed_topics", 0)) + _count_gathered(uow, work.dream.id),
        )
        return work.phase.read(context)


def _count_gathered(uow: UnitOfWork, dream_id: str) -> int:
    """Return how many memories this dream has gathered so far: for the later phases they are new, too."""
    return sum(op.operation.phase == "gather" for op in uow.operations.find_all(dream_id))


def _get_plan(work: PhaseWork, inputs: Any, heartbeat: Heartbeat) -> tuple[Plan, Counter[str], bool]:  # noqa: ANN401 - the same
    """Return the plan, the missing answers by reason, and whether there was any answer; stored, or made now."""
    if work.record.plan is not None:
        assert isinstance(work.record.plan, dict)
        kept = work.record.plan
        return _PLANS.validate_python(kept["plan"]), Counter(kept["missing"]), bool(kept["has_answers"])
    asked = _ask(work, inputs, heartbeat)
    plan = work.phase.plan(inputs, asked.answers, _get_surroundings(work))
    kept = {
        "plan": _PLANS.dump_python(plan, mode="json"),
        "missing": dict(asked.missing),
        "has_answers": bool(asked.answers),
        "prompts": list(asked.prompts),
    }
    with work.fenced() as uow:
        uow.phases.save_plan(work.key.dream_id, work.key.phase, kept)
    return plan, asked.missing, bool(asked.answers)


def _ask(work: PhaseWork, inputs: Any, heartbeat: Heartbeat) -> Asked:  # noqa: ANN401 - the same
    """Ask the phase's questions, and once more where it wants to. Inputs are stored before a model is asked."""
    questions = work.phase.ask(inputs)
    if (questions or work.phase.keeps_inputs) and work.record.inputs is None:
        dumped = TypeAdapter(work.phase.inputs_type).dump_python(inputs, mode="json")
        with work.fenced() as uow:
            uow.phases.save_inputs(work.key.dream_id, work.key.phase, dumped)
    if not questions:
        return Asked(answers={}, missing=Counter())
    llm = work.ports.choose_llm(work.tenant)
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        prompts = find_prompts(uow)
    asker = Asker(
        ports=work.ports,
        key=work.key,
        llm=llm,
        scope=call_scope(work.ports.settings, work.tenant, llm.model),
        budget=work.policy.budget,
        tokens=TokenBudget(per_call=work.policy.budget.tokens_per_call, left=work.tokens_left),
        left=work.left,
        heartbeat=heartbeat,
        wish=work.wish,
        prompts=prompts,
    )
    asked = asker.ask_all(questions)
    _sleep_if_limited(work, asked)
    repairs = work.phase.repair(inputs, asked.answers)
    again = asker.ask_all(repairs)
    _sleep_if_limited(work, again)
    return Asked(
        answers=asked.answers | again.answers,
        missing=asked.missing + again.missing,
        prompts=tuple(prompts.describe([*questions, *repairs])),
    )


def _sleep_if_limited(work: PhaseWork, asked: Asked) -> None:
    """Leave the phase when a model's limits kept answers away; those that came are stored and not bought again."""
    if asked.retry_seconds > 0:
        want_snooze(work, Snooze(why="rate_limited", seconds=asked.retry_seconds, has_progressed=asked.has_new))


def _get_surroundings(work: PhaseWork) -> Surroundings:
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        applied = [op for op in uow.operations.find_all(work.dream.id) if op.state is OperationState.APPLIED]
        return Surroundings(
            policy=work.policy,
            now=uow.now(),
            dream_id=work.dream.id,
            live_memories=int(work.survey.get("live_memories", 0)),
            already_retired=sum(len(retired_ids(op.operation)) for op in applied),
        )
