"""Plan MERGE: one text in place of several, with its lineage, and only when no statement is lost."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from shared.core.checks.updates import Outcome
from shared.core.dream.operations import Operation, OperationKind, Skip
from shared.core.errors import UneditableFrontmatterError, UnsafePathError
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of, split_frontmatter
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.merging.confidence import confidence_of, is_unsure
from workers.phase.merge_changes import merge_changes
from workers.phase.merged_text import Edited, Written, write_merged
from workers.phase.text_edits import join_by_edits
from workers.phases.consolidate import NAME
from workers.phases.consolidate.answer import ConsolidateAction


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeDraft:
    """A merge as the model wants it: the whole text that it wrote, or the one that results from its edits."""

    memories: tuple[Memory, ...]
    action: ConsolidateAction
    text: Edited

    @classmethod
    def of(cls, memories: tuple[Memory, ...], action: ConsolidateAction, in_part: Collection[str] = ()) -> Self:
        """Return the draft of an action. Without a whole text, edits count; of what was shown in part, none is one without an edit."""
        whole = body_of(action.merged_content or "")
        is_joined = action.edits is not None or any(memory.path in in_part for memory in memories)
        if whole.strip() or not is_joined or len(memories) < 2:
            return cls(memories=memories, action=action, text=Edited(body=whole))
        keeper = _keeper(memories, action)
        others = [memory.content for memory in memories if memory is not keeper]
        return cls(memories=memories, action=action, text=join_by_edits(keeper.content, others, action.edits or ()))

    def write(self) -> Written:
        """Return the text of a merge that is possible, and what the checks find against it."""
        front = split_frontmatter(_keeper(self.memories, self.action).content).raw
        return write_merged(self.text, self.memories, front)


def _keeper(memories: tuple[Memory, ...], action: ConsolidateAction) -> Memory:
    return next((memory for memory in memories if memory.path == action.output_file), memories[0])


def find_impossible(draft: MergeDraft) -> Skip | None:
    """Return why a merge is out of the question whatever its notes say, or None."""
    names = ", ".join(memory.path for memory in draft.memories)
    if len(draft.memories) < 2:
        return Skip(code="too_few_files", detail=f"MERGE of fewer than two offered files ({names or 'none'})")
    if not draft.text.body.strip():
        return Skip(code="incomplete_action", detail=f"MERGE {names}: the merged text is missing")
    if len(draft.text.body) > MAX_CONTENT_CHARS:
        return Skip(code="too_large", detail=f"MERGE {names}: the merged text has {len(draft.text.body):,} characters")
    return None


def plan_merge(
    draft: MergeDraft, live_paths: frozenset[str], now: datetime, *, is_confirmed: bool = False
) -> tuple[Operation, int] | Skip:
    """Return the operation and how many memories it retires, or why it is dropped and the sources stay.

    Args:
        draft: the merge as the model wants it.
        live_paths: of all live memories.
        now: the time.
        is_confirmed: a second reader says that nothing is lost.
    """
    action = draft.action
    problem = find_impossible(draft)
    target = _target(draft, live_paths) if problem is None else problem
    if isinstance(target, Skip):
        return target
    names = ", ".join(memory.path for memory in draft.memories)
    written = draft.write()
    found = written.finding
    # Of what a model is unsure of, and of what rules alone only suspect, a doubt is no question to a person.
    is_asked_for = bool(action.doubt) or not is_unsure(action.confidence)
    if found is not None and (found.outcome is Outcome.REFUSE or not is_asked_for):
        return Skip(code=found.check.code, detail=f"MERGE {names}: {found.why}")
    try:
        changes = merge_changes(draft.memories, target, written.body, now, category=action.category, tags=action.tags)
    except UneditableFrontmatterError as error:
        return Skip(code="uneditable_frontmatter", detail=f"MERGE {names}: {error}")
    operation = Operation(
        kind=OperationKind.MERGE,
        phase=NAME,
        reason=action.reason or f"Merge {names}",
        changes=changes,
        confidence=confidence_of(action.confidence),
        needs_review=True,
        propose_only=None if is_confirmed and written.may_be_confirmed else written.why,
    )
    return operation, sum(memory.path != target for memory in draft.memories)


def _target(draft: MergeDraft, live_paths: frozenset[str]) -> str | Skip:
    """Return where the merged text goes: one of the sources, or a new path of the same store."""
    wanted = draft.action.output_file or draft.memories[0].path
    if any(memory.path == wanted for memory in draft.memories):
        return wanted
    try:
        check_memory_path(wanted)
    except UnsafePathError as error:
        return Skip(code="unsafe_path", detail=f"MERGE into {wanted[:200]!r}: {error}")
    if wanted in live_paths:
        return Skip(code="not_offered", detail=f"MERGE into {wanted}: the file exists and was not offered")
    if kind_of(wanted) is not MemoryKind.TOPIC:
        return Skip(code="unsafe_path", detail=f"MERGE into {wanted}: indexes and derived files are generated")
    return wanted
