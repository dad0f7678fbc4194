"""Prepare operations for the console: their diffs, and the verdicts that they allow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gateway.console.views.diff_rows import Row, diff_rows
from gateway.console.views.survivors import MergedLine, SourceLine, find_origins, find_survivors
from shared.core.dream.effects import Effect
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import named_paths
from shared.core.listings.one_change import Place
from shared.core.memory.model import Memory, MemoryState
from shared.ports.dreams import RecordedOperation
from shared.services.operations.proposals import CHANGED

_VERDICTS = frozenset({ReviewState.APPROVED, ReviewState.REJECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectView:
    """The effect on one memory. `rows` is None if the texts are too long to compare; `outcome` names the effect.

    `matter` compares the frontmatter, `rows` what stands below it. `survivors` follows the lines of a merged source,
    `reading` has those of a text that others were merged into.
    """

    memory_id: str
    path: str
    outcome: str
    matter: list[Row]
    rows: list[Row] | None
    survivors: list[SourceLine]
    reading: list[MergedLine]
    target: str
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
    has_changed: bool  # it waits with another outcome than was shown before
    can_reject: bool
    can_reopen: bool
    place: Place | None  # among those that it is one change with

    @property
    def approve_word(self) -> str:
        """Return the label of approving: a changed outcome is not the one that was asked for before."""
        return "Approve the changed result" if self.has_changed else "Approve"

    @property
    def reject_word(self) -> str:
        """Return the label of rejecting: an applied operation is undone, a proposed one dropped."""
        if self.recorded.review is ReviewState.PENDING:
            return "Reject"
        return "Undo this operation"


def operation_view(
    recorded: RecordedOperation, *, with_diffs: bool = True, place: Place | None = None
) -> OperationView:
    """Return the view of an operation."""
    is_pending = recorded.review is ReviewState.PENDING
    is_open = is_pending or (recorded.state is OperationState.APPLIED and recorded.review is ReviewState.NONE)
    written = {effect.after.id: effect.after for effect in recorded.effects}
    merged = sorted(recorded.effects, key=lambda one: one.after.superseded_by is not None)  # what is read comes first
    effects = tuple(_effect_view(effect, written, recorded.effects) for effect in merged) if with_diffs else ()
    return OperationView(
        recorded=recorded,
        paths=_paths(recorded),
        effects=effects,
        can_approve=is_pending,
        has_changed=is_pending and recorded.note.startswith(CHANGED),
        can_reject=is_open,
        can_reopen=recorded.review in _VERDICTS and recorded.state is not OperationState.UNDONE,
        place=place,
    )


def _paths(recorded: RecordedOperation) -> tuple[str, ...]:
    named = named_paths(recorded.operation)
    return tuple(dict.fromkeys([*(effect.after.path for effect in recorded.effects), *named]))


def _effect_view(effect: Effect, written: Mapping[str, Memory], all_of_it: Sequence[Effect]) -> EffectView:
    before = effect.before.content if effect.before else ""
    after = effect.after.content if effect.after.state is MemoryState.LIVE else ""
    matter, rows = _compare(before, after)
    target = written.get(effect.after.superseded_by or "")
    is_followed = target is not None and target.state is MemoryState.LIVE
    return EffectView(
        matter=matter,
        survivors=find_survivors(_split(before)[1], target.content) if target and is_followed else [],
        reading=_read_merged(effect, all_of_it),
        target=target.path if target and is_followed else "",
        memory_id=effect.after.id,
        path=effect.after.path,
        outcome=_outcome(effect),
        rows=rows,
        before=before,
        after=after,
        stub=effect.after.stub,
    )


def _read_merged(effect: Effect, all_of_it: Sequence[Effect]) -> list[MergedLine]:
    """Return the lines of a text that others were merged into; none for every other memory."""
    merged = [one for one in all_of_it if one.before is not None and one.after.superseded_by == effect.after.id]
    if not merged or effect.after.state is not MemoryState.LIVE:
        return []
    earlier = [one.before for one in (effect, *merged) if one.before is not None]
    return find_origins(_split(effect.after.content)[1], {one.path: one.content for one in earlier})


def _compare(before: str, after: str) -> tuple[list[Row], list[Row] | None]:
    """Return the rows of the frontmatter, none if it is the same, and those of the text below it."""
    (old_matter, old), (new_matter, new) = _split(before), _split(after)
    rows = [] if old == new and old_matter != new_matter else diff_rows(old, new)
    above_old, above_new = len(old_matter.splitlines()), len(new_matter.splitlines())
    moved = rows and [
        replace(
            row,
            old_number=row.old_number and row.old_number + above_old,
            new_number=row.new_number and row.new_number + above_new,
        )
        for row in rows
    ]
    return ([] if old_matter == new_matter else diff_rows(old_matter, new_matter) or []), moved


def _split(content: str) -> tuple[str, str]:
    """Return the frontmatter with its fences, and what stands below it."""
    head, fence, body = content.partition("\n---\n")
    return (f"{head}{fence}", body) if fence and head.startswith("---\n") else ("", content)


def _outcome(effect: Effect) -> str:
    if effect.before is None:
        return "new"
    if effect.after.state is not MemoryState.LIVE:
        return str(effect.after.state)
    return "rewritten" if effect.before.content != effect.after.content else "text unchanged"
