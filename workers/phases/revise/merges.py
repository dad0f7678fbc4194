"""Plan the merges of an answer: files of one subject become one note, whose lines refer to their statements.

What a check doubts about one statement costs that statement alone: it stays beside what should have said it, unless a second reader
finds nothing lost. A merge waits for a person only if the notes may be about two subjects, or contradict each other.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shared.core.checks.merges import judge_merge
from shared.core.checks.updates import Outcome
from shared.core.dream.operations import Operation, OperationKind, Skip
from shared.core.errors import UneditableFrontmatterError
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of, read_fields, split_frontmatter, strings_of
from shared.core.memory.model import ROOT_INDEX, Memory
from shared.core.merging.confidence import confidence_of
from shared.core.merging.loss_cap import LossBudget
from shared.core.merging.specifics import find_missing_specifics
from shared.core.reading.placed import STATED_FIELDS
from shared.core.text.clip import clip
from workers.phase.by_reference import ArrangedMerge, Statements, UpdateView, Wanted, arrange_merge
from workers.phase.merge_changes import merge_changes
from workers.phase.shape import Surroundings
from workers.phases.revise import NAME
from workers.phases.revise.answer import MergeItem, UpdateAnswer

MAX_MERGES = 20
_MOST_FILES = 10


@dataclass(frozen=True, slots=True)
class JudgedMerge:
    """A merge as a model wants it, and as the host arranged and judged it."""

    item: MergeItem
    merge: ArrangedMerge


def judge_merges(
    statements: Statements, view: UpdateView, answer: UpdateAnswer
) -> tuple[list[JudgedMerge], list[Skip]]:
    """Check each merge of an answer; a memory is in one merge at most."""
    known = {memory.path: memory for memory in view.memories}
    judged: list[JudgedMerge] = []
    skips: list[Skip] = []
    taken: set[str] = set()
    if len(answer.merges) > MAX_MERGES:
        skips.append(Skip(code="cap", detail=f"{len(answer.merges)} merges, more than {MAX_MERGES}"))
    for number, item in enumerate(answer.merges[:MAX_MERGES], 1):
        memories = tuple(known[path] for path in dict.fromkeys(item.files) if path in known and path != ROOT_INDEX)
        names = ", ".join(item.files)[:300]
        if not 2 <= len(memories) <= _MOST_FILES:
            skips.append(
                Skip(code="too_few_files", detail=f"MERGE {names}: needs 2 to {_MOST_FILES} files that were shown")
            )
        elif sum(one.path in view.series for one in memories) > 1:
            skips.append(Skip(code="series", detail=f"MERGE {names}: they are entries of a series of days or numbers"))
        elif taken & {one.path for one in memories}:
            skips.append(Skip(code="already_changed", detail=f"MERGE {names}: one of them is merged already"))
        elif any((front := split_frontmatter(one.content)).raw and not front.is_valid for one in memories):
            skips.append(Skip(code="uneditable_frontmatter", detail=f"MERGE {names}: frontmatter that cannot be read"))
        else:
            found = _arrange(statements, f"merge-{number}", item, memories)
            if found.whole is not None and found.whole.outcome is Outcome.REFUSE:
                skips.append(Skip(code=found.whole.check.code, detail=f"MERGE {names}: {found.whole.why}"))
            else:
                judged.append(JudgedMerge(item, found))
                taken |= {one.path for one in memories}
    return judged, skips


def _arrange(statements: Statements, name: str, item: MergeItem, memories: tuple[Memory, ...]) -> ArrangedMerge:
    target = next((one for one in memories if one.path == item.into), memories[0])
    wanted = Wanted(name=name, memories=memories, target=target, confidence=confidence_of(item.confidence))
    return arrange_merge(statements, wanted, item.lines, judge_merge(memories))


def plan_merges(
    judged: Sequence[JudgedMerge],
    written: Collection[str],
    confirmed: Collection[str],
    around: Surroundings,
    loss: LossBudget,
) -> list[Operation | Skip]:
    """Return an operation for each merge.

    Args:
        judged: the merges that no check refuses.
        written: the paths of memories that another operation of the phase writes.
        confirmed: the names of the parts of which a second reader says that they lose nothing.
        around: the policy, the time, and whether the model may act.
        loss: how many memories may be retired.
    """
    found: list[Operation | Skip] = []
    for one in judged:
        memories = one.merge.wanted.memories
        names = ", ".join(memory.path for memory in memories)
        if any(memory.path in written for memory in memories):
            found.append(Skip(code="already_changed", detail=f"MERGE {names}: a statement of them is changed first"))
            continue
        doubt = one.merge.find_doubt(confirmed, around)
        left = loss.take(len(memories) - 1)
        if not doubt and left is None:
            doubt = f"loss cap: this dream may retire {loss.allowed} memories and has retired {loss.used} (safety.loss_cap_share)"
        planned = _operation(one, confirmed, doubt, around)
        if isinstance(planned, Operation) and not doubt and left is not None:
            loss = left
        found.append(planned)
    return found


def _operation(one: JudgedMerge, confirmed: Collection[str], doubt: str, around: Surroundings) -> Operation | Skip:
    wanted = one.merge.wanted
    names = ", ".join(memory.path for memory in wanted.memories)
    begin = "\n" * body_of(wanted.target.content).startswith("\n")
    body = begin + _with_described(one.merge.compose(confirmed) + "\n", wanted)
    if len(body) > MAX_CONTENT_CHARS:
        return Skip(code="too_large", detail=f"MERGE {names}: the merged text has {len(body):,} characters")
    try:
        changes = merge_changes(wanted.memories, wanted.target.path, body, around.now)
    except UneditableFrontmatterError as error:
        return Skip(code="uneditable_frontmatter", detail=f"MERGE {names}: {error}")
    return Operation(
        kind=OperationKind.MERGE,
        phase=NAME,
        reason=clip(one.item.reason) or f"Merge {names}",
        changes=changes,
        confidence=wanted.confidence,
        needs_review=True,
        propose_only=doubt or None,
    )


def _with_described(body: str, one: Wanted) -> str:
    """Return the body with what only the frontmatter of a note that goes tells, at its end."""
    for memory in one.memories:
        fields = {} if memory is one.target else read_fields(memory.content)
        for text in (" ".join(strings_of(fields.get(name))) for name in STATED_FIELDS):
            if text and find_missing_specifics(f"{split_frontmatter(one.target.content).raw}\n{body}", [text]):
                body = f"{body.rstrip()}\n\n{text}\n"
    return body
