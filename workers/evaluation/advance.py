"""Take an evaluation as far as it goes: until it waits for a dream, or has ended. Its row says what has been done."""

from dataclasses import replace

from shared.all_ports import Ports
from shared.core.errors import DatabaseRefusesError, NotFoundError, ServiceUnavailableError, SlowwaveError
from shared.core.evaluation.model import LONGEST, Evaluation, EvaluationState
from shared.core.webhooks.endpoint import WebhookEvent
from shared.core.webhooks.evaluation_message import build_evaluation_message
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.services.dreams.send import send_dream
from shared.services.evaluation.shadows import remove_shadows
from shared.services.webhooks.announce import announce
from workers.evaluation.steps import Step, load_work, plan_step

_log = get_logger()


def advance_evaluation(ports: Ports, tenant_id: str, evaluation_id: str) -> None:
    """Take all steps that can be taken now, or clean up after an evaluation that has ended or is gone."""
    ports = replace(ports, db=ports.db.with_shadows())
    try:
        while _take_step(ports, tenant_id, evaluation_id):
            pass
        with ports.db.transaction(tenant_id) as uow:
            is_active = uow.evaluations.get(evaluation_id).is_active
    except NotFoundError:
        is_active = False
    if not is_active:
        remove_shadows(ports.db, tenant_id, evaluation_id)


def _take_step(ports: Ports, tenant_id: str, evaluation_id: str) -> bool:
    """Take one step; return whether another may follow at once."""
    with ports.db.transaction(tenant_id) as uow:
        evaluation = uow.evaluations.get(evaluation_id)
        is_late = uow.now() - evaluation.created_at > LONGEST
    if not evaluation.is_active:
        return False
    if is_late:
        return _fail(
            ports, tenant_id, evaluation_id, f"It was not done after {LONGEST.total_seconds() / 3600:.0f} hours"
        )
    work = load_work(evaluation)
    try:
        write = plan_step(Step(ports, tenant_id, evaluation, work))
        if write is None:
            return False
        with ports.db.transaction(tenant_id) as uow:
            uow.stores.get_tenant(
                lock=True
            )  # claims take turns by this row, so that no dream begins in a copy that goes
            now = uow.evaluations.get(evaluation_id, lock=True)
            if not now.is_active or now.work.get("step", 0) != work.step:
                return True
            _write(uow, write(uow, now))
    except (DatabaseRefusesError, ServiceUnavailableError):
        raise  # the sweep sends it again
    except SlowwaveError as error:
        return _fail(ports, tenant_id, evaluation_id, str(error))
    except Exception as error:
        _fail(ports, tenant_id, evaluation_id, f"An unexpected error: {type(error).__name__}")
        raise
    _send_dream(ports, tenant_id, evaluation_id)
    return True


def _write(uow: UnitOfWork, evaluation: Evaluation) -> None:
    uow.evaluations.keep(evaluation)
    if evaluation.is_active:
        return
    ended = uow.evaluations.get(evaluation.id)
    event = WebhookEvent.EVALUATION_FINISHED
    announce(uow, event, ended.store, lambda: build_evaluation_message(uow.tenant_id, ended, uow.now()))


def _fail(ports: Ports, tenant_id: str, evaluation_id: str, reason: str) -> bool:
    _log.warning("evaluation_failed", tenant_id=tenant_id, evaluation_id=evaluation_id, reason=reason)
    with ports.db.transaction(tenant_id) as uow:
        now = uow.evaluations.get(evaluation_id, lock=True)
        if now.is_active:
            _write(uow, replace(now, state=EvaluationState.FAILED, reason=reason, progress="", work={}))
    return False


def _send_dream(ports: Ports, tenant_id: str, evaluation_id: str) -> None:
    """Send the dream that the last step has queued; a message that is lost is sent again by the reconciler."""
    with ports.db.transaction(tenant_id) as uow:
        work = load_work(uow.evaluations.get(evaluation_id))
        mine = work.copies[work.current] if work.current is not None else None
        dream = uow.dreams.get(mine.dream) if mine is not None and mine.dream else None
    if dream is not None and dream.started_at is None:
        send_dream(ports.db, ports.dispatch, dream)
