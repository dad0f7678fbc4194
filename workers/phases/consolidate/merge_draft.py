"""A merge as a model wants it, and what rules it out whatever its text says."""

from collections.abc import Collection
from dataclasses import dataclass

from shared.core.dream.operations import Skip
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of
from shared.core.memory.model import Memory
from shared.core.merging.same_subject import find_different
from shared.core.merging.specifics import find_missing_specifics
from workers.phases.consolidate.answer import ConsolidateAction


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeDraft:
    """A merge as the model wants it, with its second try if it was asked again."""

    memories: tuple[Memory, ...]
    action: ConsolidateAction
    repaired: str | None = None

    @property
    def body(self) -> str:
        """Return the merged text to judge, without frontmatter."""
        return body_of(self.repaired or self.action.merged_content or "")


def find_lost_specifics(draft: MergeDraft) -> tuple[str, ...]:
    """Return what the merged text would lose of its sources."""
    return find_missing_specifics(draft.body, [memory.content for memory in draft.memories])


def decide_unmergeable(draft: MergeDraft) -> Skip | None:
    """Return why a merge is out of the question whatever its text says, or None."""
    names = ", ".join(memory.path for memory in draft.memories)
    if len(draft.memories) < 2:
        return Skip(code="too_few_files", detail=f"MERGE of fewer than two offered files ({names or 'none'})")
    if not draft.body.strip():
        return Skip(code="incomplete_action", detail=f"MERGE {names}: the merged text is missing")
    if len(draft.body) > MAX_CONTENT_CHARS:
        return Skip(code="too_large", detail=f"MERGE {names}: the merged text has {len(draft.body):,} characters")
    apart = find_different(draft.memories)
    return Skip(code="different_subjects", detail=f"MERGE refused: {apart}") if apart else None


def decide_unwritten(draft: MergeDraft, in_part: Collection[str]) -> bool:
    """Tell whether a merge waits for its text, because a model saw only the beginning of some of its memories."""
    is_in_part = any(memory.path in in_part for memory in draft.memories)
    return is_in_part and len(draft.memories) > 1 and find_different(draft.memories) is None
