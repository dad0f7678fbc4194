"""End a phase: how it went, why, and what it counted; in the transaction that writes its last operations."""

from collections import Counter

from shared.core.dream import OperationState, PhaseState, ReviewState
from shared.core.memory import MemoryState
from shared.core.operation import BULK_KINDS, OperationKind, PutBack
from shared.counting import count
from shared.ports.database import UnitOfWork
from shared.ports.dream_book import RecordedOperation
from workers.phase_work import PhaseWork
from workers.planned import Planned


def end_phase(uow: UnitOfWork, work: PhaseWork, planned: Planned) -> PhaseState:
    """End a phase whose plan is applied; return its state. The plan is stored with it, unless it was before."""
    plan = planned.plan
    refused = sum(operation.kind not in work.phase.may_emit for operation in plan.operations)
    counts = count_recorded(uow, work) if plan.operations or work.so_far.positions else Counter()
    counts.update(plan.counts)
    counts.update(Counter(f"skip_{skip.code}" for skip in plan.skips))
    counts.update({f"missing_{reason}": number for reason, number in planned.missing.items()})
    if refused:
        counts["refused_kind"] += refused
    if planned.spared:
        counts["skip_same_inputs"] += len(planned.spared)
    state, reason = _decide_end(work, planned)
    kept = planned.dump() if work.record.plan is None else None
    uow.phases.finish(work.key.dream_id, work.key.phase, state, reason=reason, counts=dict(counts), plan=kept)
    return state


def out_of_time(work: PhaseWork) -> str:
    """Return the reason of a phase that the budget of time cut short."""
    return f"Budget exceeded ({work.policy.budget.dream_seconds / 60:g} min)"


def find_reason_to_skip(work: PhaseWork) -> tuple[str, dict[str, int]] | None:
    """Return why a phase need not begin, with what that counts; None: it has to look."""
    if work.dream.cancel_requested_at is not None and not work.phase.runs_when_canceled:
        return "canceled", {}
    if not work.policy.phases.decide_on(work.phase.name):
        return f"switched off (phases.{work.phase.name}=false)", {}
    if not work.phase.runs_after_deadline and work.left.seconds() <= 0:
        return out_of_time(work), {"missing_time_budget": 1}
    return None


def count_spared(work: PhaseWork, planned: Planned) -> None:
    """Count the calls that the change gate has spared, after the commit."""
    if planned.spared:
        count("slowwave_model_calls_spared_total", len(planned.spared), phase=work.key.phase)


def count_recorded(uow: UnitOfWork, work: PhaseWork) -> Counter[str]:
    """Count a phase's operations from the log, so that a resumed or failed run counts what was done before, too."""
    counts: Counter[str] = Counter()
    for operation in uow.operations.find_all(work.key.dream_id):
        if operation.operation.phase == work.key.phase:
            _count_one(counts, operation)
    return counts


def count_memories(recorded: RecordedOperation) -> int:
    """Return how many an operation counts for: one, or every memory that a bulk operation is about."""
    if recorded.operation.kind not in BULK_KINDS:
        return 1
    is_fold = recorded.operation.kind is OperationKind.FOLD
    return sum(not is_fold or effect.after.state is not MemoryState.LIVE for effect in recorded.effects)


def _decide_end(work: PhaseWork, planned: Planned) -> tuple[PhaseState, str]:
    missing = planned.missing
    listed = ", ".join(f"{reason} {number}" for reason, number in missing.items())
    if missing and work.dream.snooze_count:
        listed += f", after {work.dream.snooze_count} snoozes"
    if missing["time_budget"]:
        return PhaseState.PARTIAL, out_of_time(work)
    if missing and not planned.has_answers:
        return PhaseState.FAILED, f"no answer from the model ({listed})"
    if missing:
        return PhaseState.PARTIAL, f"some questions have no answer ({listed})"
    if planned.spared and not (planned.has_answers or planned.plan.operations):
        return PhaseState.SKIPPED, f"nothing new (same inputs as {', '.join(sorted(set(planned.spared.values())))})"
    return PhaseState.DONE, ""


def _count_one(counts: Counter[str], recorded: RecordedOperation) -> None:
    kind = str(recorded.operation.kind)
    if recorded.state is OperationState.APPLIED:
        counts[kind] += count_memories(recorded)
        counts.update(f"put_back_{c.kind}" for c in recorded.operation.changes if isinstance(c, PutBack))
    elif recorded.state is OperationState.PROPOSED:
        counts[f"proposed_{kind}"] += 1
    else:
        counts[f"not_applied_{kind}"] += 1
    if recorded.review is ReviewState.PENDING:
        counts["flagged"] += 1
