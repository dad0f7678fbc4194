"""Plan MERGE: one text in place of several, with its lineage, and only when no statement is lost.

A model may refine the category and the tags of a merged text (RockBot: `general` becomes something specific). Categories
with a meaning to upkeep are out of its reach: it can neither set one nor take one away.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from typing import Self

from shared.core.dream.operations import Change, Create, Operation, OperationKind, Retire, Rewrite, Skip
from shared.core.errors import UneditableFrontmatterError, UnsafePathError
from shared.core.learning.preferences import ANTI_PATTERNS, INFERRED
from shared.core.memory.doc_type import category_of
from shared.core.memory.frontmatter import (
    MAX_CONTENT_CHARS,
    body_of,
    items_of,
    read_fields,
    set_fields,
    split_frontmatter,
    strings_of,
    with_body,
)
from shared.core.memory.model import Memory, MemoryKind, MemoryState, kind_of
from shared.core.memory.paths import check_memory_path, slug_of
from shared.core.memory.provenance import FIELD as SOURCES_FIELD
from shared.core.merging.confidence import confidence_of, is_unsure
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import find_different, same_subject
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.subject_words import read_subject
from shared.core.merging.times import merge_facts, subject_fields
from shared.core.upkeep.decay import EXEMPT_CATEGORIES
from workers.phase.merged_text import write_merged
from workers.phase.text_edits import Edited, join_by_edits
from workers.phases.consolidate import NAME
from workers.phases.consolidate.answer import ConsolidateAction

_MAX_TAGS = 12
#: A second reader is shown merges with at most this many characters, sources and result together.
_MOST_SHOWN_CHARS = 30_000
_UNEDITED = Edited(body="")
_CATEGORY = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}(?:/[a-z0-9][a-z0-9_-]{0,39}){0,3}")
_MEANS_MORE = re.compile(rf"^(?:{INFERRED}|{ANTI_PATTERNS}|episodic)(?:$|/)")
_LIST_FIELDS = ("tags", "keywords", "related", SOURCES_FIELD)


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
    apart = find_different(draft.memories, is_certain=draft.is_asked_for)
    return Skip(code="different_subjects", detail=f"MERGE refused: {apart}") if apart else None


def decide_unwritten(draft: MergeDraft, in_part: Collection[str]) -> bool:
    """Tell whether a merge waits for its text, because a model saw only the beginning of some of its memories."""
    is_in_part = any(memory.path in in_part for memory in draft.memories)
    return is_in_part and len(draft.memories) > 1 and find_different(draft.memories, is_certain=True) is None


def find_refined_fields(content: str, category: str, tags: Sequence[str]) -> dict[str, object]:
    """Return the fields of the frontmatter that change; nothing for a category that is none or means more than a topic."""
    found: dict[str, object] = {}
    wanted, current = category.strip().lower(), category_of(content)
    if wanted != current and _is_topic(wanted) and (not current or _is_topic(current)):
        found["category"] = wanted
    mine = strings_of(read_fields(content).get("tags"))
    fresh = [slug for tag in tags if tag.strip() and _is_topic(slug := slug_of(tag)) and slug not in mine]
    united = list(dict.fromkeys([*mine, *fresh]))[: max(_MAX_TAGS, len(mine))]
    if united != mine:
        found["tags"] = united
    return found


def _is_topic(name: str) -> bool:
    return _CATEGORY.fullmatch(name) is not None and name not in EXEMPT_CATEGORIES and _MEANS_MORE.search(name) is None


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
    apart, doubt = find_different(draft.memories), written.doubt
    unlike = None if apart or doubt else _find_unlike(draft.memories)
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
        changes = _changes(draft, target, sources, now)
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


def _find_unlike(memories: Sequence[Memory]) -> str | None:
    """Return which two memories are called two things, or show no sign of one subject and say nothing twice.

    A model's word alone does not make them one: a planet and a metal may have the same title in folders of their own, and
    two sentences with few words in common may contradict each other in words that no rule compares.
    """
    for left, right in combinations(memories, 2):
        verdict = same_subject(left.path, left.content, right.path, right.content)
        apart = verdict.named_apart or (verdict.reason if verdict.names_two else "")
        subjects = read_subject(left.path, left.content), read_subject(right.path, right.content)
        if apart or not (verdict.is_same or overlap_mostly(*subjects, is_one_subject=True)):
            return f"{left.path} and {right.path} may be about two subjects: {apart or verdict.reason}"
    return None


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


def _changes(draft: MergeDraft, target: str, sources: Sequence[Memory], now: datetime) -> tuple[Change, ...]:
    keeper = next((memory for memory in draft.memories if memory.path == target), None)
    facts = merge_facts(draft.memories)
    content = _merged_content(keeper or draft.memories[0], draft, [memory.path for memory in sources], now)
    content = set_fields(content, subject_fields(facts.subject))
    written: Change = (
        Create(path=target, content=content, signals=facts.signals, created_at=facts.created_at)
        if keeper is None
        else Rewrite(
            memory_id=keeper.id, version=keeper.version, path=target, content=content,
            signals=facts.signals, created_at=facts.created_at,
        )
    )  # fmt: skip
    retired = tuple(
        Retire(
            memory_id=memory.id, version=memory.version, path=memory.path,
            state=MemoryState.SUPERSEDED, superseded_by=target,
        )
        for memory in sources
    )  # fmt: skip
    return (written, *retired)


def _lineage(keeper: Memory, memories: Sequence[Memory], sources: Sequence[str]) -> list[object]:
    """Return the lineage of all that goes into a merge, the keeper's first; ByteRover's entries with dates stay as they are."""
    found: list[object] = []
    for memory in (keeper, *(one for one in memories if one is not keeper)):
        known = read_fields(memory.content).get("consolidated_from")
        found += [one for one in (known if isinstance(known, list) else [known]) if one and one not in found]
    return [*found, *(path for path in sources if path not in found)]


def _merged_content(keeper: Memory, draft: MergeDraft, sources: list[str], now: datetime) -> str:
    """Return the kept frontmatter with lineage and the united lists, and the merged body."""
    text = with_body(keeper.content, draft.body)
    gone = {memory.path for memory in draft.memories}
    lineage = _lineage(keeper, draft.memories, sources)
    fields: dict[str, object] = {
        "consolidated_at": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "consolidated_from": lineage,
    }
    for name in _LIST_FIELDS:
        mine = items_of(read_fields(keeper.content).get(name))
        others = [item for memory in draft.memories for item in items_of(read_fields(memory.content).get(name))]
        united = {str(item): item for item in [*reversed(others), *reversed(mine)]}  # the keeper's own spelling wins
        kept = [united[key] for key in dict.fromkeys(str(item) for item in [*mine, *others]) if key not in gone]
        if kept != mine:
            fields[name] = kept
    text = set_fields(text, fields)
    return set_fields(text, find_refined_fields(text, draft.action.category, draft.action.tags))
