"""Prepare operations for the console: their diffs, and the verdicts that they allow."""

from dataclasses import dataclass

from gateway.console.views.diff_rows import Row, diff_rows
from shared.core.dream.effects import Effect
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import PutBack, SuggestMerge
from shared.core.memory.model import MemoryState
from shared.ports.dreams import RecordedOperation

_VERDICTS = frozenset({ReviewState.APPROVED, ReviewState.REJECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectView:
    """The effect on one memory. `rows` is None if the texts are too long to compare; `outcome` names the effect."""

    memory_id: str
    path: str
    outcome: str
    rows: list[Row] | None
    before: str
    after: str
    stub: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationView:
    """An operation, its effects, and the verdicts that it allows."""

    recorded: RecordedOperation
    paths: tuple[str, ...]
    effects: tuple[EffectView, ...]
    can_approve: bool
    can_reject: bool
    can_reopen: bool

    @property
    def reject_word(self) -> str:
        """Return the label of rejecting: an applied operation is undone, a proposed one dropped."""
        if self.recorded.review is ReviewState.PENDING:
            return "Reject"
        return "Undo this operation"


def operation_view(recorded: RecordedOperation, *, with_diffs: bool = True) -> OperationView:
    """Return the view of an operation."""
    is_pending = recorded.review is ReviewState.PENDING
    is_open = is_pending or (recorded.state is OperationState.APPLIED and recorded.review is ReviewState.NONE)
    effects = tuple(_effect_view(effect) for effect in recorded.effects) if with_diffs else ()
    return OperationView(
        recorded=recorded,
        paths=_paths(recorded),
        effects=effects,
        can_approve=is_pending,
        can_reject=is_open,
        can_reopen=recorded.review in _VERDICTS and recorded.state is not OperationState.UNDONE,
    )


def _paths(recorded: RecordedOperation) -> tuple[str, ...]:
    changes = recorded.operation.changes
    named = [path for one in changes if isinstance(one, SuggestMerge) for path in (one.source_path, one.target_path)]
    named += [path for one in changes if isinstance(one, PutBack) for path in one.paths]
    return tuple(dict.fromkeys([*(effect.after.path for effect in recorded.effects), *named]))


def _effect_view(effect: Effect) -> EffectView:
    before = effect.before.content if effect.before else ""
    after = effect.after.content if effect.after.state is MemoryState.LIVE else ""
    return EffectView(
        memory_id=effect.after.id,
        path=effect.after.path,
        outcome=_outcome(effect),
        rows=diff_rows(before, after),
        before=before,
        after=after,
        stub=effect.after.stub,
    )


def _outcome(effect: Effect) -> str:
    if effect.before is None:
        return "new"
    if effect.after.state is not MemoryState.LIVE:
        return str(effect.after.state)
    return "rewritten" if effect.before.content != effect.after.content else "text unchanged"
