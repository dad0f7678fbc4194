"""Run one phase: claim it, take its steps (workers/phase_steps.py), and see to it that whatever happens ends well.

A redelivered or resumed phase picks up after the last stored step. Every write is fenced; a worker that lost the
dream writes nothing and says so quietly.
"""

from collections import Counter
from traceback import extract_tb

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from shared.core.dream import FINISHED_PHASES, PhaseState
from shared.core.errors import LostLeaseError, RetryableError
from shared.core.snooze import decide_busy_wait
from shared.counting import count
from shared.ports.all_ports import Ports
from workers.end_phase import count_recorded, out_of_time
from workers.heartbeat import Heartbeat
from workers.let_go import hand_over
from workers.phase import Phase, ask_nothing
from workers.phase_key import PhaseKey
from workers.phase_steps import do_steps
from workers.phase_work import PhaseWork, claim_phase
from workers.running import RUNNING, LeavingError
from workers.snooze_dream import Snooze, SnoozeWantedError, snooze_dream, want_snooze
from workers.wait_for_agent import stays_busy

_log = structlog.get_logger()


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
        first_line = next(iter(str(error).splitlines()), "")  # what follows may be a statement with its values
        return _end(work, PhaseState.FAILED, f"{type(error).__name__}: {first_line}"[:500], "errors")
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
        with work.fenced() as uow:
            counts = count_recorded(uow, work) + Counter({count: 1})
            uow.phases.finish(work.key.dream_id, work.key.phase, state, reason=reason, counts=dict(counts))
    except (LostLeaseError, RetryableError):
        return False
    work.count_end(state)
    return True


def _run(work: PhaseWork, heartbeat: Heartbeat) -> None:
    if not _ends_early(work):
        do_steps(work, heartbeat)


def _ends_early(work: PhaseWork) -> bool:
    """End a phase that need not begin; raise SnoozeWantedError when its dream should sleep first."""
    if work.dream.cancel_requested_at is not None and not work.phase.runs_when_canceled:
        work.finish(PhaseState.SKIPPED, "canceled")
    elif not work.policy.phases.decide_on(work.phase.name):
        work.finish(PhaseState.SKIPPED, f"switched off (phases.{work.phase.name}=false)")
    elif not work.phase.runs_after_deadline and work.left.seconds() <= 0:
        work.finish(PhaseState.SKIPPED, out_of_time(work), Counter(missing_time_budget=1))
    elif work.phase.ask is not ask_nothing and work.record.plan is None and stays_busy(work):
        want_snooze(work, Snooze(why="agent_busy", seconds=decide_busy_wait(snoozes=work.dream.snooze_count)))
        reason = f"The agent stayed busy through {work.dream.snooze_count} snoozes"
        work.finish(PhaseState.FAILED, reason, Counter(missing_agent_busy=1))
    else:
        return False
    return True
