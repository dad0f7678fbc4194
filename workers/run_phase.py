"""Run one phase: claim it, take its steps (workers/phase_steps.py), and see to it that whatever happens ends well.

A redelivered or resumed phase picks up after the last stored step. Every write is fenced; a worker that lost the
dream writes nothing and says so quietly.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from traceback import extract_tb

import structlog
from celery.exceptions import SoftTimeLimitExceeded

from shared.core.dream import FINISHED_PHASES, PhaseState
from shared.core.errors import LostLeaseError, RetryableError
from shared.core.snooze import decide_busy_wait
from shared.counting import count
from shared.ports.all_ports import Ports
from workers.apply_plan import apply_plan
from workers.end_phase import count_recorded, find_reason_to_skip
from workers.heartbeat import Heartbeat
from workers.let_go import hand_over
from workers.pass_on import Passed, Ready, pass_on
from workers.phase import Phase, ask_nothing
from workers.phase_key import PhaseKey
from workers.phase_steps import do_steps
from workers.phase_work import PhaseWork, claim_phase
from workers.running import RUNNING, LeavingError
from workers.snooze_dream import Snooze, SnoozeWantedError, snooze_dream, want_snooze
from workers.wait_for_agent import stays_busy

_log = structlog.get_logger()


def run_phase(ports: Ports, phase: Phase, key: PhaseKey) -> bool:
    """Run one phase as far as it gets; return whether the chain should go on."""
    return run_phases(ports, (phase,), key) > 0


def run_phases(ports: Ports, phases: Sequence[Phase], key: PhaseKey) -> int:
    """Run the first of a chain's phases, and those behind it that need no model; return how many are through.

    The next one has something to ask, and a message of its own. 0 means that this message is a leftover: another worker
    has the dream or the phase, and the chain ends here.
    """
    phase = phases[0]
    log = _log.bind(tenant_id=key.tenant_id, dream_id=key.dream_id, phase=key.phase, epoch=key.epoch)
    try:
        work = claim_phase(ports, phase, key, ports.ids.new("run"))
    except (LostLeaseError, RetryableError) as error:
        if isinstance(error, LostLeaseError):
            count("slowwave_lost_leases_total", where="claim")
        log.warning("phase_not_claimed", reason=str(error))
        return 0
    if work is None:
        count("slowwave_duplicate_deliveries_total", task="phase")
        log.info("phase_left_to_another_worker")
        return 0
    through, ready = 0, None if work.record.state in FINISHED_PHASES else Ready(work=work)
    if ready is None:
        return 1
    while ready is not None:
        passed = _run_claimed(ready, phases[through + 1 :])
        if passed is None:
            return 0
        through, ready = through + 1 + passed.number, passed.ready
    return through


def _run_claimed(ready: Ready, following: Sequence[Phase]) -> Passed | None:
    """Run a phase that is claimed; return how far the dream got behind it, or None when the chain ends here."""
    work = ready.work
    log = _log.bind(**asdict(work.key), store=work.store.name)
    try:
        with (
            Heartbeat(work.ports, work.key, work.runner, work.store.name) as heartbeat,
            RUNNING.watching(work, heartbeat),
        ):
            _run(ready, heartbeat)
            log.info("phase_ended")
            return pass_on(work, following)
    except LeavingError:
        hand_over(work.ports, work.key, work.store.name)
    except SnoozeWantedError as error:
        _snooze(work, error.snooze, log)
    except LostLeaseError as error:
        count("slowwave_lost_leases_total", where="write")
        log.warning("lost_lease", reason=str(error))
    except RetryableError as error:
        # The stored steps stay; the lease lapses, and the reconciler goes on from here when the server is back.
        log.warning("phase_interrupted", reason=str(error))
    except SoftTimeLimitExceeded:
        log.warning("soft_time_limit")
        return _end(work, PhaseState.PARTIAL, "The phase ran into the worker's time limit", "missing_time_budget")
    except Exception as error:  # noqa: BLE001 - one phase that raises must not stop the later ones
        # The log says where, never an error's own words, which may hold memory text; the dream has the reason.
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__)]
        log.error("phase_failed", error=type(error).__name__, where=where)  # noqa: TRY400 - the reason is above
        first_line = next(iter(str(error).splitlines()), "")  # what follows may be a statement with its values
        return _end(work, PhaseState.FAILED, f"{type(error).__name__}: {first_line}"[:500], "errors")
    return None


def _snooze(work: PhaseWork, snooze: Snooze, log: structlog.typing.FilteringBoundLogger) -> None:
    """Put the dream to sleep; this chain ends here in any case."""
    try:
        snooze_dream(work, snooze)
    except (LostLeaseError, RetryableError) as error:
        log.warning("dream_not_snoozed", reason=str(error))
        return
    log.info("dream_snoozed", why=snooze.why, seconds=snooze.seconds)


def _end(work: PhaseWork, state: PhaseState, reason: str, count: str) -> Passed | None:
    """End a phase that could not go on; the next one gets its message."""
    try:
        with work.fenced() as uow:
            counts = count_recorded(uow, work) + Counter({count: 1})
            uow.phases.finish(work.key.dream_id, work.key.phase, state, reason=reason, counts=dict(counts))
    except (LostLeaseError, RetryableError):
        return None
    work.count_end(state)
    return Passed()


def _run(ready: Ready, heartbeat: Heartbeat) -> None:
    if ready.planned is not None:
        apply_plan(ready.work, ready.planned)
    elif not _ends_early(ready.work):
        do_steps(ready.work, heartbeat)


def _ends_early(work: PhaseWork) -> bool:
    """End a phase that need not begin; raise SnoozeWantedError when its dream should sleep first."""
    if (skipped := find_reason_to_skip(work)) is not None:
        work.finish(PhaseState.SKIPPED, skipped[0], Counter(skipped[1]))
    elif work.phase.ask is not ask_nothing and work.record.plan is None and stays_busy(work):
        want_snooze(work, Snooze(why="agent_busy", seconds=decide_busy_wait(snoozes=work.dream.snooze_count)))
        reason = f"The agent stayed busy through {work.dream.snooze_count} snoozes"
        work.finish(PhaseState.FAILED, reason, Counter(missing_agent_busy=1))
    else:
        return False
    return True
