"""Plan MERGE: one text in place of several, with its lineage, and only when no statement is lost."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from shared.core.checks.merges import reason_unlike
from shared.core.dream.operations import Operation, OperationKind, Skip
from shared.core.errors import UneditableFrontmatterError, UnsafePathError
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of, split_frontmatter
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.merging.confidence import confidence_of, is_unsure
from shared.core.merging.same_subject import reason_different
from shared.core.merging.specifics import find_missing_specifics
from workers.phase.merge_changes import merge_changes
from workers.phase.merged_text import write_merged
from workers.phase.text_edits import Edited, join_by_edits
from workers.phases.consolidate import NAME
from workers.phases.consolidate.answer import ConsolidateAction

#: A second reader is shown merges with at most this many characters, sources and result together.
_MOST_SHOWN_CHARS = 30_000
_UNEDITED = Edited(body="")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeDraft:
    """A merge as the model wants it, with its second try if it was asked again, or the text that results from its edits."""

    memories: tuple[Memory, ...]
    action: ConsolidateAction
    repaired: str | None = None
    edited: Edited = _UNEDITED

    @classmethod
    def of(cls, memories: tuple[Memory, ...], action: ConsolidateAction, repaired: str | None = None) -> Self:
        """Return the draft of an action. Edits count where the model wrote no whole text, here or when it was asked again."""
        is_edited = action.edits is not None and len(memories) > 1
        if not is_edited or repaired or (action.merged_content or "").strip():
            return cls(memories=memories, action=action, repaired=repaired)
        keeper = next((memory for memory in memories if memory.path == action.output_file), memories[0])
        others = [memory.content for memory in memories if memory is not keeper]
        edited = join_by_edits(keeper.content, others, action.edits or ())
        return cls(memories=memories, action=action, edited=edited)

    @property
    def is_asked_for(self) -> bool:
        """Tell whether what safety refuses of it is put before a person: its model is sure, or the rules name a doubt."""
        return bool(self.action.doubt) or not is_unsure(self.action.confidence)

    @property
    def body(self) -> str:
        """Return the merged text to judge, without frontmatter."""
        return body_of(self.repaired or self.action.merged_content or "") or self.edited.body


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
    apart = reason_different(draft.memories, strict=draft.is_asked_for)
    return Skip(code="different_subjects", detail=f"MERGE refused: {apart}") if apart else None


def decide_unwritten(draft: MergeDraft, in_part: Collection[str]) -> bool:
    """Tell whether a merge waits for its text, because a model saw only the beginning of some of its memories."""
    is_in_part = any(memory.path in in_part for memory in draft.memories)
    return is_in_part and len(draft.memories) > 1 and reason_different(draft.memories, strict=True) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMerge:
    """The text of a merge, and what the checks find against applying it: a sentence, and whether a second reader may settle it."""

    body: str
    code: str = ""
    why: str | None = None
    may_be_confirmed: bool = False


def write_merge(draft: MergeDraft) -> WrittenMerge:
    """Return the text of a merge that is not out of the question, and the doubt about it."""
    keeper = next((one for one in draft.memories if one.path == draft.action.output_file), draft.memories[0])
    contents = {memory.path: memory.content for memory in draft.memories}
    written = write_merged(draft.body, contents, split_frontmatter(keeper.content).raw, draft.edited.claims)
    apart, doubt = reason_different(draft.memories), written.doubt
    unlike = None if apart or doubt else reason_unlike(draft.memories)
    is_short = sum(map(len, contents.values())) + len(written.body) <= _MOST_SHOWN_CHARS
    return WrittenMerge(
        body=written.body,
        code=doubt.code if doubt else "",
        why=apart or (doubt.detail if doubt else unlike),
        may_be_confirmed=apart is None
        and is_short
        and (unlike is not None or (doubt is not None and doubt.may_be_settled)),
    )


def tell_merge(draft: MergeDraft, written: WrittenMerge) -> str:
    """Return a merge as the second reader sees it: the texts that go into it, and what stands afterwards."""
    sources = [f"before ({one.path}):\n{body_of(one.content).strip()}" for one in draft.memories]
    return "\n\n".join([*sources, f"after (one note in place of {len(sources)}):\n{written.body.strip()}"])


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
    unmergeable = decide_unmergeable(draft)
    if unmergeable is not None:
        return unmergeable
    names = ", ".join(memory.path for memory in draft.memories)
    target = _target(draft, live_paths)
    if isinstance(target, Skip):
        return target
    written = write_merge(draft)
    draft = replace(draft, repaired=written.body)
    sources = [memory for memory in draft.memories if memory.path != target]
    try:
        changes = merge_changes(
            draft.memories, target, draft.body, now, category=draft.action.category, tags=draft.action.tags
        )
    except UneditableFrontmatterError as error:
        return Skip(code="uneditable_frontmatter", detail=f"MERGE {names}: {error}")
    if written.code and not draft.is_asked_for:
        return Skip(code=written.code, detail=f"MERGE {names}: {written.why}")
    operation = Operation(
        kind=OperationKind.MERGE,
        phase=NAME,
        reason=draft.action.reason or f"Merge {names}",
        changes=changes,
        confidence=confidence_of(draft.action.confidence),
        needs_review=True,
        propose_only=None if is_confirmed and written.may_be_confirmed else written.why,
    )
    return operation, len(sources)


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
