"""The workers' Celery tasks. They take only ids. Unknown arguments, from newer senders, are ignored.

A task returns a sentence only for those who watch events, such as Flower: what was cut short, and why. No result is stored.
"""

from celery import Task

from shared.adapters.celery import names
from shared.adapters.celery.public_task import PublicTask, raise_plain_errors
from shared.bootstrap import get_app
from shared.core.dream.model import DreamState
from shared.core.errors import DatabaseRefusesError, ReportedFailureError
from shared.core.tenants.store import DEFAULT_STORE
from shared.logger import get_logger
from shared.process_ports import get_ports
from shared.services.dreams.send import send_next
from workers.dream.begin import begin_dream
from workers.dream.chain import raise_failures, remaining_phases, truncate_chain
from workers.dream.finish import finish_dream
from workers.dream.recall import measure_searches
from workers.evaluation.advance import advance_evaluation
from workers.phase.shape import Phase
from workers.phase.work import PhaseKey
from workers.phases import ALL_PHASES
from workers.process.turns import FIRST, LAST, TURNS
from workers.runner.run import run_phases

app = get_app()
_log = get_logger()
_REFUSED_SECONDS = 15


@app.task(
    name=names.DREAM,
    base=PublicTask,
    autoretry_for=(DatabaseRefusesError,),
    max_retries=None,
    default_retry_delay=_REFUSED_SECONDS,
)
def dream(
    tenant_id: str,
    store: str = DEFAULT_STORE,
    force: bool = False,  # noqa: FBT001, FBT002 - part of the public call: dream.delay("acme", force=True)
    dream_id: str | None = None,
    **_: object,
) -> None:
    """Start a dream of a tenant's store: gates, claim, chain. `dream.delay("acme")` returns at once, without a result.

    A tenant or a store that does not exist fails the task. If a gate is shut, `slowwave status acme` and
    `GET /api/stores/{store}/status` explain why. `slowwave dreams show acme` and webhooks report how it ended.
    docs/integration.md shows how to send this task from another codebase.

    Args:
        tenant_id: the tenant.
        store: the tenant's store.
        force: skip the gates of time and activity, but never a pause, a budget or a lock.
        dream_id: the id of a dream that is queued already.
    """
    try:
        with TURNS.take(LAST):
            begin_dream(get_ports(), tenant_id, store, force=force, dream_id=dream_id)
    except DatabaseRefusesError as error:
        if dream_id is None:
            raise  # only this message knows of the dream
        _log.warning("dream_waits", reason=str(error), next="the reconciler sends it again")


dream = raise_plain_errors(dream)


def _add_phase_task(phase: Phase) -> None:
    def run(self: Task[..., None], /, tenant_id: str, dream_id: str, epoch: int, **_: object) -> str | None:
        key = PhaseKey(tenant_id=tenant_id, dream_id=dream_id, epoch=epoch, phase=phase.name)
        result = run_phases(get_ports(), (phase, *remaining_phases(self.request)), key)
        truncate_chain(self.request, result.ended)
        raise_failures(app, self.request, result.failed)
        return "; ".join(result.cut) or None

    app.task(name=names.phase_task(phase.name), bind=True)(run)


for _phase in ALL_PHASES:
    _add_phase_task(_phase)


@app.task(name=names.FINISH)
def finish(tenant_id: str, dream_id: str, epoch: int, **_: object) -> str | None:
    """End a dream, dispatch the next dream that waits for a slot, and then measure the ended one by what agents had searched for."""
    ports = get_ports()
    with TURNS.take(FIRST):
        state = finish_dream(ports, tenant_id, dream_id, epoch)
        send_next(ports.db, ports.dispatch, ports.settings.max_active_dreams)
    if state is not None:
        with TURNS.take(LAST):
            measure_searches(ports, tenant_id, dream_id)
    return _tell_end(dream_id, state)


def _tell_end(dream_id: str, state: DreamState | None) -> str | None:
    if state is DreamState.ERROR:
        raise ReportedFailureError(f"{dream_id} ended in error; `dreams show` has the reason")
    partial = f"{dream_id} ended partial: a phase was cut short or failed; `dreams show` has the reason"
    return partial if state is DreamState.PARTIAL else None


@app.task(name=names.EVALUATE)
def evaluate(tenant_id: str, evaluation_id: str, **_: object) -> None:
    """Take an evaluation as far as it goes: until it waits for a dream of a copy, or has ended."""
    advance_evaluation(get_ports(), tenant_id, evaluation_id)
