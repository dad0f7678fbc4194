"""Turn a model's verdicts on stale and decayed memories into operations.

A verdict archives with a stub if its ground holds, keeps, or suggests a merge.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire, Skip, SuggestMerge, Touch
from shared.core.memory.frontmatter import opening_of
from shared.core.memory.model import Memory, MemoryHead, MemoryState
from shared.core.merging.confidence import confidence_of
from shared.core.merging.loss_cap import LossBudget, reason_protected
from shared.core.policy.policy import Policy
from shared.core.sessions.grounding import find_made_up
from shared.core.upkeep.decay import decayed_signals
from shared.core.upkeep.stale import StaleHead
from workers.phase.shape import Surroundings
from workers.phases.prune import NAME
from workers.phases.prune.answer import PruneDecision
from workers.phases.prune.grounds import Ground, check_ground

_MIN_STUB_CHARS = 20
_CHARS_A_TOKEN = 4
#: The time after a put-back in which a memory may have become findable elsewhere.
_LEFT_ALONE = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneView:
    """The facts that the rules decide by: candidates with why they are, possible merge targets, merges that wait already."""

    candidates: Mapping[str, Memory]
    why: Mapping[str, str]
    neighbours: Mapping[str, Memory]
    waiting: frozenset[tuple[str, str]]
    around: Surroundings
    loss: LossBudget


@dataclass
class _Draft:
    loss: LossBudget
    operations: list[Operation] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    decided: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)  # paths that are archived
    holding: set[str] = field(default_factory=set)  # paths that take the place of others


def plan_pruning(view: PruneView, decisions: Sequence[PruneDecision]) -> Plan:
    """Return the operations; a path that was not offered is ignored and counted, a candidate without verdict stays."""
    draft = _Draft(loss=view.loss)
    for decision in decisions:
        memory = view.candidates.get(decision.file)
        if memory is None:
            draft.skips.append(Skip(code="not_offered", detail=f"{decision.file[:200]!r} was not a candidate"))
        elif memory.path in draft.decided:
            draft.skips.append(Skip(code="already_changed", detail=f"{memory.path} was decided twice"))
        else:
            draft.decided.add(memory.path)
            _plan_decision(draft, view, memory, decision)
    for path in sorted(set(view.candidates) - draft.decided):
        draft.skips.append(Skip(code="no_answer", detail=f"{path}: the model gave no verdict"))
    return Plan(operations=tuple(draft.operations), skips=tuple(draft.skips))


def _plan_decision(draft: _Draft, view: PruneView, memory: Memory, decision: PruneDecision) -> None:
    if decision.decision == "ARCHIVE":
        _plan_archive(draft, view, memory, decision)
    elif decision.decision == "MERGE_INTO":
        _plan_suggestion(draft, view, memory, decision)
    else:
        draft.operations.append(
            Operation(
                kind=OperationKind.KEEP,
                phase=NAME,
                reason=decision.reason or f"Kept {memory.path}: still of use",
                changes=(Touch(memory_id=memory.id, version=memory.version, path=memory.path),),
                confidence=confidence_of(decision.confidence),
            ),
        )


def _plan_archive(draft: _Draft, view: PruneView, memory: Memory, decision: PruneDecision) -> None:
    around, signals = view.around, memory.signals
    if around.policy.safety.protection_fades:
        signals = decayed_signals(signals, memory.touched_at, around.now, around.policy.decay)
    protected = reason_protected(signals, around.policy.safety)
    if protected is not None:
        draft.skips.append(Skip(code="protected", detail=f"{memory.path} is protected: {protected}"))
        return
    if memory.path in draft.holding:
        draft.skips.append(Skip(code="already_changed", detail=f"{memory.path} takes the place of another memory"))
        return
    offered = {path: one for path, one in {**view.neighbours, **view.candidates}.items() if path not in draft.gone}
    ground = check_ground(memory, decision, offered, around)
    if isinstance(ground, Skip):
        draft.skips.append(ground)
        return
    operation = _archive(view, memory, decision, ground)
    if operation.propose_only is None:
        left = draft.loss.take(1)
        if left is None:
            reason = f"loss cap: this dream may retire {draft.loss.allowed} memories and has retired {draft.loss.used} (safety.loss_cap_share)"
            operation = replace(operation, propose_only=reason)
        draft.loss = left or draft.loss
    draft.gone.add(memory.path)
    draft.holding |= {ground.successor.path} if ground.successor else set()
    draft.operations.append(operation)


def _archive(view: PruneView, memory: Memory, decision: PruneDecision, ground: Ground) -> Operation:
    """Return the operation that hides a memory; behind its successor if another memory holds what it says."""
    successor = ground.successor
    retire = Retire(
        memory_id=memory.id,
        version=memory.version,
        path=memory.path,
        state=MemoryState.SUPERSEDED if successor else MemoryState.ARCHIVED,
        successor_id=successor.id if successor else None,
        stub=_stub(memory, decision.stub, view.around.policy),
    )
    return Operation(
        kind=OperationKind.ARCHIVE,
        phase=NAME,
        reason=decision.reason or f"Archive {memory.path} — {view.why.get(memory.path, 'stale')}",
        changes=(retire,),
        confidence=confidence_of(decision.confidence),
        needs_review=True,
        propose_only=view.around.find_reason_to_ask(ground.doubt) or None,
    )


def _stub(memory: Memory, wanted: str | None, policy: Policy) -> str:
    """Return the cue that stays searchable: the model's if it says something and only what the text says, else the opening."""
    cue = " ".join((wanted or "").replace("\x00", "").split())
    if len(cue) > _MIN_STUB_CHARS and find_made_up(cue, [f"{memory.path}\n{memory.content}"]) is None:
        return cue[: policy.prune.stub_cap_tokens * _CHARS_A_TOKEN]
    return opening_of(memory.content, policy.prune.stub_chars)


def _plan_suggestion(draft: _Draft, view: PruneView, memory: Memory, decision: PruneDecision) -> None:
    target = decision.merge_target
    is_offered = target in view.neighbours or target in view.candidates
    if not target or not is_offered or target == memory.path:
        detail = f"{memory.path}: the merge target {str(target)[:200]!r} was not offered"
        draft.skips.append(Skip(code="no_merge_target", detail=detail))
        return
    if (memory.path, target) in view.waiting:
        draft.skips.append(Skip(code="already_suggested", detail=f"{memory.path} into {target} waits already"))
        return
    reason = decision.reason or f"{memory.path} overlaps with {target}"
    draft.operations.append(
        Operation(
            kind=OperationKind.SUGGEST_MERGE,
            phase=NAME,
            reason=reason,
            changes=(SuggestMerge(source_path=memory.path, target_path=target, reason=reason),),
            confidence=confidence_of(decision.confidence),
        ),
    )


def without_put_back(
    heads: Iterable[MemoryHead], put_back_at: Mapping[str, datetime], now: datetime
) -> list[MemoryHead]:
    """Leave out what a dream archived and the recall guard put back, by path, for 30 days or until it is written.

    Every dream would archive it and put it back. Rejecting the PUT_BACK archives it at once.
    """
    return [
        head
        for head in heads
        if (at := put_back_at.get(head.path)) is None or head.updated_at > at or now - at > _LEFT_ALONE
    ]


def describe(stale: StaleHead) -> tuple[str, ...]:
    """Return the facts about a candidate, for the model and for the log."""
    return (
        f"maturity {stale.head.signals.maturity}",
        f"importance {stale.importance:.0f}",
        f"untouched {stale.untouched_days:.0f} days",
        f"signal {', '.join(stale.signals)}",
    )
