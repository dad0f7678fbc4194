"""What workflow runs teach, as operations: a note in the skill that failed, an anti-pattern, a new skill for a person to allow.

Nothing of a skill is changed but what is added at its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.core.answers import PromotedSkill, SkillAnnotation, WorkflowAnswer
from shared.core.confidence import confidence_of, needs_look
from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.frontmatter import build_frontmatter
from shared.core.learning_policy import WorkflowPolicy
from shared.core.memory import Author, Memory, Signals
from shared.core.operation import Change, Create, Operation, OperationKind, Plan, Rewrite, Skip
from shared.core.paths import check_memory_path, slug_of
from shared.core.similarity import NEAR_DUPLICATE, decide_near_duplicate
from shared.core.skill import MAX_NAME_CHARS, build_skill, skill_name_of, skill_path
from shared.core.texts import body_of, with_body
from shared.core.workflow_groups import RunGroup

PHASE = "learn_from_workflows"
HEADING = "## Learned from runs"
_FOLDER = "anti-patterns/workflows"
_MAX_NOTE_CHARS = 1_000
_MAX_SKILL_CHARS = 20_000
_FOR_A_PERSON = "whether this becomes a skill is for a person to decide"
_USERS_OWN = "the skill was written by the user"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowView:
    """What the rules know: the offered groups and skills, and which live paths exist beyond them."""

    failures: tuple[RunGroup, ...]
    successes: tuple[RunGroup, ...]
    skills: tuple[Memory, ...]
    live_paths: frozenset[str]
    policy: WorkflowPolicy


@dataclass
class _Draft:
    notes: dict[str, list[tuple[SkillAnnotation, list[RunGroup]]]] = field(default_factory=dict)  # by path
    operations: list[Operation] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)


def plan_workflows(view: WorkflowView, answer: WorkflowAnswer) -> Plan:
    """Return one operation per skill, anti-pattern and promotion; everything that is dropped says why."""
    draft = _Draft(taken=set(view.live_paths))
    for item in answer.annotations[: view.policy.max_groups]:
        _place(draft, view, item)
    for path, notes in draft.notes.items():
        made = _annotate(draft, view, path, notes)
        draft.operations.append(made) if isinstance(made, Operation) else draft.skips.append(made)
    for skill in answer.to_save[: view.policy.max_groups]:
        promoted = _promote(draft, view, skill)
        draft.operations.append(promoted) if isinstance(promoted, Operation) else draft.skips.append(promoted)
    over = max(0, len(answer.annotations) - view.policy.max_groups) + max(
        0, len(answer.to_save) - view.policy.max_groups
    )
    draft.skips += [Skip(code="cap", detail="more than was asked for")] * over
    return Plan(operations=tuple(draft.operations), skips=tuple(draft.skips), used=tuple(draft.used))


def _place(draft: _Draft, view: WorkflowView, item: SkillAnnotation) -> None:
    """Find the memory that a note belongs into."""
    name = " ".join(item.annotation.split())[:80] or "a note"
    groups = [group for group in view.failures if group.path in item.source_ids]
    if not item.annotation.strip() or len(item.annotation) > _MAX_NOTE_CHARS:
        draft.skips.append(Skip(code="incomplete_action", detail=f"{name}: needs a note of sane size"))
    elif not groups:
        draft.skips.append(Skip(code="not_offered", detail=f"{name}: rests on no failures that were offered"))
    elif item.name:
        skill = next((one for one in view.skills if item.name in {one.path, skill_name_of(one.path)}), None)
        if skill is None:
            draft.skips.append(Skip(code="not_offered", detail=f"{name}: {item.name[:100]!r} is no offered skill"))
        else:
            draft.notes.setdefault(skill.path, []).append((item, groups))
    else:
        topic = slug_of(item.topic.strip() or groups[0].classification or groups[0].description)
        draft.notes.setdefault(f"{_FOLDER}/{topic}.md", []).append((item, groups))


def _annotate(
    draft: _Draft, view: WorkflowView, path: str, notes: Sequence[tuple[SkillAnnotation, list[RunGroup]]]
) -> Operation | Skip:
    skill = next((one for one in view.skills if one.path == path), None)
    body = body_of(skill.content) if skill else f"# {_title(path)}\n"
    fresh = [one for one in notes if not _says(body, one[0].annotation)]
    draft.used |= dict.fromkeys(run.id for _, groups in notes for group in groups for run in group.runs)
    if not fresh:
        return Skip(code="known_already", detail=f"{path} says it already")
    lines = [_line(item, groups) for item, groups in fresh]
    try:
        change = _change(skill, path, body, lines, draft.taken)
    except (BadInputError, UneditableFrontmatterError) as error:
        return Skip(code="uneditable_frontmatter", detail=f"{path}: {error}")
    if change is None:
        return Skip(code="name_taken", detail=f"{path} exists already and was not offered")
    draft.taken.add(path)
    confidences = [confidence_of(item.confidence) for item, _ in fresh]
    lowest = None if None in confidences else min(one for one in confidences if one is not None)
    return Operation(
        kind=OperationKind.ANNOTATE,
        phase=PHASE,
        reason=f"Failed in the same way: {lines[0].removeprefix('- ')[:300]}",
        changes=(change,),
        confidence=lowest,
        needs_review=skill is not None or needs_look(lowest, view.policy.review_below_confidence),
        propose_only=_USERS_OWN if skill is not None and skill.author is Author.USER else None,
    )


def _says(body: str, note: str) -> bool:
    flat = " ".join(note.split()).casefold()
    return flat in " ".join(body.split()).casefold() or any(
        decide_near_duplicate(line, note) >= NEAR_DUPLICATE for line in body.splitlines() if line.startswith("- ")
    )


def _line(item: SkillAnnotation, groups: Sequence[RunGroup]) -> str:
    number = sum(len(group.runs) for group in groups)
    kinds = ", ".join(dict.fromkeys(group.classification for group in groups))
    return f"- {' '.join(item.annotation.split())} ({number} failed runs, {kinds}, {groups[0].days})"


def _change(skill: Memory | None, path: str, body: str, lines: Sequence[str], taken: set[str]) -> Change | None:
    """Return the text with the new lines at its end, under one heading."""
    head = "" if HEADING in body else f"\n{HEADING}\n\n"
    added = f"{body.rstrip()}\n{head}" + "\n".join(lines) + "\n"
    if skill is None:
        if path in taken:
            return None
        fields = {"title": _title(path), "category": _FOLDER, "origin": "dream"}
        return Create(path=check_memory_path(path), content=build_frontmatter(fields, added))
    return Rewrite(
        memory_id=skill.id, version=skill.version, path=skill.path, content=with_body(skill.content, added),
        signals=skill.signals, resets_clock=False, stays_dirty=True,
    )  # fmt: skip


def _title(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()


def _promote(draft: _Draft, view: WorkflowView, item: PromotedSkill) -> Operation | Skip:
    name = slug_of(item.name, MAX_NAME_CHARS)
    groups = [group for group in view.successes if group.path in item.source_ids]
    if not (item.content.strip() and item.name.strip()) or len(item.content) > _MAX_SKILL_CHARS:
        return Skip(code="incomplete_action", detail=f"{name}: a skill needs a name and a content of sane size")
    if not groups:
        return Skip(code="not_offered", detail=f"{name}: rests on no successes that were offered")
    path = skill_path(name)
    if path in draft.taken:
        return Skip(code="name_taken", detail=f"{path} exists already")
    summary = " ".join((item.summary or groups[0].description).split())
    try:
        content = build_skill(name, summary, item.content, {})
    except BadInputError as error:
        return Skip(code="uneditable_frontmatter", detail=f"{path}: {error}")
    draft.taken.add(path)
    draft.used |= dict.fromkeys(run.id for group in groups for run in group.runs)
    number, share = sum(len(group.runs) for group in groups), min(group.share for group in groups)
    return Operation(
        kind=OperationKind.PROMOTE,
        phase=PHASE,
        reason=f"Succeeded {number} times ({share:.0%} of its runs, {groups[0].days}): {summary[:200]}",
        changes=(Create(path=path, content=content, signals=Signals()),),
        confidence=confidence_of(item.confidence),
        needs_review=True,
        propose_only=_FOR_A_PERSON,
    )
