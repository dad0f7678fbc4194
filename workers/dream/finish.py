"""End a dream: in one transaction, store its final state, summary and consumed inputs, and release it; then schedule the next."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, DreamSummary, PhaseRun, ReviewState
from shared.core.dream.recall import ProbeKind
from shared.core.dream.summary import count_unanswered, decide_final_state, sum_up
from shared.core.errors import DatabaseRefusesError, LostLeaseError
from shared.core.gates.gates import GateVerdict, decide_gates
from shared.core.gates.quarantine import decide_failed
from shared.core.tenants.shadow import find_evaluation_id, is_shadow
from shared.counting import count, observe
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.ports.llm import UNHEARD_OUTCOMES, LlmOutcome
from shared.services.budgets.use import close_budgets
from shared.services.dreams.gate_facts import get_gate_facts
from shared.services.dreams.next_check import schedule_check_after
from shared.services.dreams.quarantine import quarantine_store
from shared.services.evaluation.arms import judge_arm
from shared.services.evaluation.evaluations import send_evaluation
from shared.tracing import end_dream_trace, traced
from workers.dream.consume import consume_inputs
from workers.dream.recall import find_recalls, tell_recall
from workers.phase.planned import PlanNotes
from workers.phase.work import PhaseKey
from workers.phases import get_chain
from workers.process.hand_over import wait_for_database

_log = get_logger()
_UNHEARD = frozenset(f"model_{outcome}" for outcome in UNHEARD_OUTCOMES)
_HEARD = frozenset(f"model_{outcome}" for outcome in LlmOutcome) - _UNHEARD


def finish_dream(ports: Ports, tenant_id: str, dream_id: str, epoch: int) -> DreamState | None:
    """End the dream and release its store; return the final state, or None if another worker has claimed the dream."""
    with traced("task finish", {"slowwave.tenant": tenant_id}, dream_id=dream_id):
        return _finish_and_release(ports, tenant_id, dream_id, epoch)


def _finish_and_release(ports: Ports, tenant_id: str, dream_id: str, epoch: int) -> DreamState | None:
    log = _log.bind(tenant_id=tenant_id, dream_id=dream_id, epoch=epoch)
    try:
        with ports.db.transaction(tenant_id) as uow:
            dream = uow.dreams.fence(dream_id, epoch, ports.settings.lease_seconds)
            state, summary = _finish(uow, dream, max_rescues=ports.settings.max_rescues)
            recalls = {kind: find_recalls(uow, dream, kind, one) for kind, one in summary.recall.items()}
            begun = dream.started_at or dream.created_at
            seconds = (uow.now() - begun).total_seconds()
    except LostLeaseError as error:
        log.info("finish_claimed_elsewhere", reason=str(error))
        count("slowwave_duplicate_deliveries_total", task="finish")
        return None
    except DatabaseRefusesError as error:
        wait_for_database(ports, PhaseKey(tenant_id=tenant_id, dream_id=dream_id, epoch=epoch, phase=""), error)
        return None
    ports.lock.release(tenant_id, dream.store, f"{dream_id}:{epoch}")
    end_dream_trace(
        dream_id,
        begun,
        {"slowwave.tenant": tenant_id, "slowwave.store": dream.store, "slowwave.dream.state": str(state)},
    )
    log.info("dream_finished", store=dream.store, state=str(state))
    if is_shadow(dream.store):
        send_evaluation(ports.dispatch, tenant_id, find_evaluation_id(dream.store))
    else:
        count("slowwave_dreams_ended_total", state=str(state))
        observe("slowwave_dream_duration_seconds", seconds, state=str(state))
        for kind, newest_first in recalls.items():
            tell_recall(tenant_id, dream_id, kind, newest_first)
        if recalls.get(ProbeKind.PAIR):
            judge_arm(ports.db, tenant_id, dream.store)
    return state


def _is_unanswered(ended: Sequence[PlanNotes]) -> bool:
    """Tell whether a model was asked and never answered at all, not even with something unusable."""
    reasons = {reason for notes in ended for reason in notes.missing}
    return bool(reasons & _UNHEARD) and not any(notes.has_answers for notes in ended) and not reasons & _HEARD


def _is_for_want_of_answers(reason: str, runs: Sequence[PhaseRun]) -> bool:
    """Tell whether the reason comes from a phase without an answer of the model, so that the server's message explains it."""
    return any(run.reason == reason and count_unanswered(run) for run in runs if reason)


def _finish(uow: UnitOfWork, dream: Dream, *, max_rescues: int) -> tuple[DreamState, DreamSummary]:
    runs = uow.phases.find_all(dream.id)
    canceled = dream.cancel_requested_at is not None
    is_unanswered = _is_unanswered([PlanNotes.of(run) for run in runs])
    chain = [phase.entry for phase in get_chain(dream.trigger)]
    state, reason = decide_final_state(runs, chain, canceled=canceled, is_unanswered=is_unanswered)
    if _is_for_want_of_answers(reason, runs) and (said := uow.calls.find_last_problem(dream.id)):
        reason = f"{reason}: {said}"
    if dream.rescue_count > max_rescues:
        reason = f"Given up after its worker was lost {dream.rescue_count} times" + (f": {reason}" * bool(reason))
    has_failed = decide_failed(state, rescues=dream.rescue_count, max_rescues=max_rescues, is_dry_run=dream.is_dry_run)
    calls = uow.calls.get_totals(dream.id)
    started = dream.started_at or dream.created_at
    summary = replace(
        sum_up(runs),
        tokens=calls.tokens,
        cost_usd=calls.cost_usd,
        model_calls=calls.calls,
        duration_seconds=(uow.now() - started).total_seconds(),
    )
    if summary.flagged:  # what the recall guard has put back since waits for no review
        pending = [op for op in uow.operations.find_all(dream.id) if op.review is ReviewState.PENDING]
        summary = replace(summary, flagged=len(pending))
    before: dict[str, Any] = {}
    if dream.is_upkeep:
        # Its next check was set when it began; a failed one is retried before that.
        if state in {DreamState.PARTIAL, DreamState.ERROR}:
            schedule_check_after(uow, dream)
    elif state in {DreamState.COMPLETED, DreamState.PARTIAL} and not dream.is_dry_run:
        before = consume_inputs(uow, dream, runs, state)
        summary = _tell_rest(uow, dream, summary, is_cut=state is DreamState.PARTIAL)
    else:
        schedule_check_after(uow, dream)
    close_budgets(uow, dream)
    uow.dreams.finish(dream.id, state, reason=reason, summary=summary, before=before, has_failed=has_failed)
    if has_failed and not dream.is_upkeep:
        quarantine_store(uow, dream)
    return state, summary


def _tell_rest(uow: UnitOfWork, dream: Dream, summary: DreamSummary, *, is_cut: bool) -> DreamSummary:
    """Add to the summary the waiting sessions and changes, and the gates' verdict on the next dream.

    A dream that was cut short may leave sessions that are no backlog, because it has read none.
    """
    store = uow.stores.get(dream.store)
    sessions = uow.sessions(store.id).count_waiting() if store.waiting_sessions or is_cut else 0
    if not (sessions or store.waiting_changes):
        return summary
    facts = get_gate_facts(uow, uow.stores.get_tenant(), store, ignoring_dream=dream.id)
    freed = replace(facts, tenant_dreams=facts.tenant_dreams - 1)  # this dream still counts as running
    verdict = decide_gates(freed, store.policy.gates, uow.now(), force=False)
    return replace(
        summary,
        waiting_sessions=sessions,
        waiting_changes=store.waiting_changes,
        next_dream=_say_next(verdict),
    )


def _say_next(verdict: GateVerdict) -> str:
    if verdict.is_open:
        return "follows at once"
    if verdict.retry_at is None:
        return f"waits: {verdict.reason}"
    return f"comes after {verdict.retry_at:%Y-%m-%d %H:%M} UTC: {verdict.reason}"
