"""Apply a plan in chunks, each in one fenced transaction, and end the phase in the last one.

This is the only way from a phase's plan to a store, and each operation is applied at most once. A plan that fits into one
chunk is stored, applied and ended in one transaction. A larger one is stored first, so that a worker that resumes after a
crash applies the rest of the same plan.
"""

from collections import Counter
from collections.abc import Mapping

from shared.core.dream.model import OperationState, PhaseState, ReviewState
from shared.core.dream.operation_filter import OperationTally
from shared.core.dream.operations import KINDS, Operation, OperationKind
from shared.counting import count
from shared.ports.database import UnitOfWork
from shared.services.operations.apply import apply_operation
from workers.ask.dollars import DOLLAR_BUDGET, UNKNOWN_PRICE
from workers.ask.escalate import count_escalations
from workers.phase.planned import Planned
from workers.phase.shape import consume_nothing
from workers.phase.work import PhaseWork

_ASKED_BEFORE = "an earlier phase of this dream has asked the model about these memories"


def end_phase(uow: UnitOfWork, work: PhaseWork, planned: Planned) -> PhaseState:
    """End a phase whose plan is applied; return its state. The plan is stored, too, if it was not stored before."""
    plan = planned.plan
    refused = sum(operation.kind not in work.phase.may_emit for operation in plan.operations)
    counts = count_recorded(uow, work) if plan.operations or work.progress.positions else Counter()
    counts.update(plan.counts)
    counts.update(Counter(f"skip_{skip.code}" for skip in plan.skips))
    counts.update({f"missing_{reason}": number for reason, number in planned.missing.items()})
    counts.update({f"escalated_{doubt}": number for doubt, number in planned.doubts.items()})
    if refused:
        counts["refused_kind"] += refused
    if planned.spared:
        counts["skip_same_inputs"] += len(planned.spared)
    state, reason = _decide_end(work, planned)
    kept = planned.dump() if work.record.plan is None else None
    uow.phases.finish(work.key.dream_id, work.key.phase, state, reason=reason, counts=dict(counts), plan=kept)
    return state


def out_of_time(work: PhaseWork) -> str:
    """Return the reason of a phase that ran out of the dream's time budget."""
    return f"Budget exceeded ({work.policy.budget.dream_seconds / 60:g} min, by budget.dream_seconds)"


def find_reason_to_skip(work: PhaseWork) -> tuple[str, dict[str, int]] | None:
    """Return why a phase can be skipped without reading, with its counts; None if it must read."""
    if work.dream.cancel_requested_at is not None and not work.phase.runs_when_canceled:
        return "canceled", {}
    if not work.phase.entry.runs_by(work.policy):
        return f"switched off ({work.phase.entry.switch}=false)", {}
    if not work.phase.runs_after_deadline and work.left.seconds() <= 0:
        return out_of_time(work), {"missing_time_budget": 1}
    return None


def count_spared(work: PhaseWork, planned: Planned) -> None:
    """Count the calls that the change gate spared; call it after the commit."""
    if planned.spared:
        count("slowwave_model_calls_spared_total", len(planned.spared), phase=work.key.phase)


def count_recorded(uow: UnitOfWork, work: PhaseWork) -> Counter[str]:
    """Count a phase's operations from the log, so that a resumed or failed run includes earlier ones."""
    counts: Counter[str] = Counter()
    for tally in uow.phase_facts.tally(work.key.dream_id, work.key.phase):
        _count_one(counts, tally)
    return counts


#: What bounds the questions that a reason counts.
_SETTINGS = {"token_budget": ", by budget.tokens_per_call, budget.tokens_per_dream or the tenant's tokens per day"}


def _decide_end(work: PhaseWork, planned: Planned) -> tuple[PhaseState, str]:
    missing, listed = planned.missing, _list_missing(work, planned.missing)
    if missing["time_budget"]:
        return PhaseState.PARTIAL, out_of_time(work)
    if missing[DOLLAR_BUDGET]:
        return PhaseState.PARTIAL, f"Dollar budget met: {planned.said} ({_say_open(missing[DOLLAR_BUDGET])})"
    if missing[UNKNOWN_PRICE]:
        state = PhaseState.PARTIAL if planned.has_answers else PhaseState.FAILED
        return state, f"No question was asked: {planned.said} ({_say_open(missing[UNKNOWN_PRICE])})"
    if missing and not planned.has_answers:
        return PhaseState.FAILED, f"no answer from the model ({listed})"
    if missing:
        return PhaseState.PARTIAL, f"some questions have no answer ({listed})"
    if planned.spared and not (planned.has_answers or planned.plan.operations):
        others = ", ".join(sorted(set(planned.spared.values()) - {work.dream.id}))
        return PhaseState.SKIPPED, f"nothing new (same inputs as {others})" if others else _ASKED_BEFORE
    return PhaseState.DONE, ""


def _list_missing(work: PhaseWork, missing: Mapping[str, int]) -> str:
    """Return why questions have no answer, and what becomes of them."""
    listed = ", ".join(f"{reason} {number}{_SETTINGS.get(reason, '')}" for reason, number in missing.items())
    snoozes = f", after {work.dream.snooze_count} snoozes" if work.dream.snooze_count else ""
    again = "; the next dream asks again" if work.phase.consume is not consume_nothing else ""
    return f"{listed}{snoozes}{again}"


def _say_open(number: int) -> str:
    return "1 question is open" if number == 1 else f"{number} questions are open"


def _count_one(counts: Counter[str], tally: OperationTally) -> None:
    kind = str(tally.kind)
    if tally.state is OperationState.APPLIED:
        counts[kind] += _count_memories(tally)
        counts.update(f"put_back_{reverted}" for reverted in tally.put_back)
    elif tally.state is OperationState.PROPOSED:
        counts[f"proposed_{kind}"] += 1
    else:
        counts[f"not_applied_{kind}"] += 1
    if tally.review is ReviewState.PENDING:
        counts["flagged"] += 1


def _count_memories(tally: OperationTally) -> int:
    """Return one, or the number of memories of a bulk operation."""
    if not KINDS[tally.kind].is_bulk:
        return 1
    return tally.hidden if tally.kind is OperationKind.FOLD else tally.changed


#: Operations per transaction: few enough to hold row locks briefly, enough to save commits.
_CHUNK = 25


def apply_plan(work: PhaseWork, planned: Planned) -> None:
    """Apply the operations that are not recorded yet, and end the phase."""
    allowed = [op for op in planned.plan.operations if op.kind in work.phase.may_emit]
    left = [(position, op) for position, op in enumerate(allowed) if position not in work.progress.positions]
    if len(left) > _CHUNK and work.record.plan is None:
        with work.fenced() as uow:
            uow.phases.save_plan(work.key.dream_id, work.key.phase, planned.dump())
    if not left:
        with work.fenced() as uow:
            state = end_phase(uow, work, planned)
        _count_end(work, state, planned)
    for start in range(0, len(left), _CHUNK):
        is_last = start + _CHUNK >= len(left)
        _apply_chunk(work, left[start : start + _CHUNK], planned if is_last else None)


def _apply_chunk(work: PhaseWork, chunk: list[tuple[int, Operation]], ending: Planned | None) -> None:
    """Apply one chunk of operations; with `ending`, the plan that it completes, the phase ends in the same transaction."""
    state = None
    with work.fenced() as uow:
        for position, operation in chunk:
            apply_operation(uow, work.ports.ids, work.dream, operation, position, work.policy.autonomy)
        if ending is not None:
            state = end_phase(uow, work, ending)
    if state is not None and ending is not None:
        _count_end(work, state, ending)


def _count_end(work: PhaseWork, state: PhaseState, planned: Planned) -> None:
    work.count_end(state, _decide_end(work, planned)[1] if state is PhaseState.PARTIAL else "")
    count_spared(work, planned)
    count_escalations(work.key.phase, planned.doubts)
