"""Sweep for evaluations: take those further whose message was lost, and remove the copies that ended ones have left behind."""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.ports.evaluation.evaluations import WaitingEvaluation
from shared.settings import Settings

_BATCH = 100


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.reconcile_seconds)


def find(ports: Ports) -> list[WaitingEvaluation]:
    """Return the evaluations without a step for one interval, and those that left copies behind."""
    return ports.db.evaluation_queue.find_waiting(silent_seconds=ports.settings.reconcile_seconds, limit=_BATCH)


def act(ports: Ports, waiting: WaitingEvaluation) -> bool:
    """Send its task again, which finds out what there is to do."""
    ports.dispatch.send_evaluation(waiting.tenant_id, waiting.evaluation_id)
    return True


SWEEP = Sweep(name="evaluations", every=every, find=find, act=act)
