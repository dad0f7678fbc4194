"""Group workflow runs by kind, and turn a model's lessons into operations.

A kind that often failed in the same way leads to a note in its skill or an anti-pattern; a kind that succeeds reliably
leads to a new skill for a person to approve. Lines are only added at the end of a skill; the rest is not changed.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from shared.core.dream.operations import Change, Create, Operation, OperationKind, Plan, Rewrite, Skip
from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.learning.feedback import RunOutcome, WorkflowRun
from shared.core.learning.skills import MAX_NAME_CHARS, build_skill, skill_name_of, skill_path
from shared.core.memory.frontmatter import body_of, build_frontmatter, with_body
from shared.core.memory.model import Memory, Signals
from shared.core.memory.paths import ascii_slug_of, check_memory_path, slug_of
from shared.core.merging.confidence import confidence_of, needs_look
from shared.core.policy.policy import WorkflowPolicy
from shared.core.text.similarity import NEAR_DUPLICATE, significant_words, similarity
from workers.phases.learn_from_workflows import NAME
from workers.phases.learn_from_workflows.answer import PromotedSkill, SkillAnnotation, WorkflowAnswer

_KIND_WORDS = 12
_NO_DIGITS = str.maketrans(dict.fromkeys("0123456789"))
HEADING = "## Learned from runs"
_FOLDER = "anti-patterns/workflows"
_MAX_NOTE_CHARS = 1_000
_MAX_SKILL_CHARS = 20_000
_FOR_A_PERSON = "whether this becomes a skill is for a person to decide"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """Runs of one kind and outcome, newest first. `path` is the id by which an answer names them."""

    path: str
    description: str
    classification: str
    runs: tuple[WorkflowRun, ...]
    share: float  # the share of the kind's runs that ended like these

    @property
    def skills(self) -> tuple[str, ...]:
        """Return the names of the skills that these runs used."""
        return tuple(dict.fromkeys(skill for run in self.runs for skill in run.skills))

    @property
    def days(self) -> str:
        """Return the first and the last day, as ISO dates."""
        first, last = (run.occurred_at.date().isoformat() for run in (self.runs[-1], self.runs[0]))
        return first if first == last else f"{first} to {last}"


def kind_of_run(run: WorkflowRun) -> str:
    """Return the kind of a run: the telling words of its description, without numbers and order."""
    words = significant_words(run.description.translate(_NO_DIGITS), _KIND_WORDS)
    return " ".join(sorted(words)) or " ".join(run.description.lower().split())[:200]


def find_failures(
    runs: Sequence[WorkflowRun], policy: WorkflowPolicy, *, among: Sequence[WorkflowRun] = ()
) -> list[RunGroup]:
    """Return groups of frequent failures of one kind and classification, with steps to learn from; the largest first.

    `among`: all runs of the time, from which the shares are computed; `runs` if left out.
    """
    by_kind: dict[tuple[str, str], list[WorkflowRun]] = {}
    for run in runs:
        if run.outcome is RunOutcome.FAILURE and run.classification:
            by_kind.setdefault((kind_of_run(run), run.classification.casefold()), []).append(run)
    enough = [
        found for found in by_kind.values() if len(found) >= policy.min_failures and any(run.steps for run in found)
    ]
    return _named("failures", enough, _Shares(among or runs), policy.max_groups)


def find_successes(
    runs: Sequence[WorkflowRun],
    policy: WorkflowPolicy,
    skills: Collection[str],
    *,
    among: Sequence[WorkflowRun] = (),
) -> list[RunGroup]:
    """Return groups of frequent, reliable successes of one kind without a skill; the largest first.

    Args:
        runs: the runs that no dream has used.
        policy: the least number and the least share.
        skills: the names of the existing skills.
        among: all runs of the time, so that used failures also count for the share; `runs` if left out.
    """
    by_kind: dict[str, list[WorkflowRun]] = {}
    for run in runs:
        if run.outcome is RunOutcome.SUCCESS:
            by_kind.setdefault(kind_of_run(run), []).append(run)
    shares = _Shares(among or runs)
    enough = [
        found
        for found in by_kind.values()
        if len(found) >= policy.min_successes
        and shares.of(found[0]) > policy.success_share
        and any(run.steps for run in found)
        and not any(set(run.skills) & set(skills) for run in found)
    ]
    return _named("successes", enough, shares, policy.max_groups)


class _Shares:
    """The share of the runs of a kind that ended in the same way."""

    def __init__(self, runs: Sequence[WorkflowRun]) -> None:
        ends = [(kind_of_run(run), _end_of(run)) for run in runs]
        self._alike = Counter(ends)
        self._all = Counter(kind for kind, _ in ends)

    def of(self, run: WorkflowRun) -> float:
        kind = kind_of_run(run)
        return self._alike[kind, _end_of(run)] / self._all[kind]


def _end_of(run: WorkflowRun) -> tuple[RunOutcome, str]:
    return run.outcome, run.classification.casefold() if run.outcome is RunOutcome.FAILURE else ""


def _named(what: str, groups: list[list[WorkflowRun]], shares: _Shares, limit: int) -> list[RunGroup]:
    ordered = sorted(groups, key=lambda found: (-len(found), kind_of_run(found[0]), found[0].classification))[:limit]
    return [
        RunGroup(
            path=f"{what}/{number}",
            description=found[0].description,
            classification=found[0].classification,
            runs=tuple(found),
            share=shares.of(found[0]),
        )
        for number, found in enumerate(ordered, 1)
    ]


def render_group(group: RunGroup, runs_shown: int) -> str:
    """Return a group as a model sees it: the newest runs with their steps and last words."""
    parts = []
    for run in group.runs[:runs_shown]:
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(run.steps, 1))
        error = f"\nended with: {run.error[:1_000]}" if run.error else ""
        parts.append(f"{run.occurred_at.date().isoformat()} {run.description[:500]}\n{steps}{error}")
    return "\n\n".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowView:
    """The facts for the rules: the offered groups and skills, and the other live paths."""

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
    """Return one operation per skill, anti-pattern and promotion; each dropped one has a reason."""
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
    """Find the memory for a note."""
    name = " ".join(item.annotation.split())[:80] or "a note"
    groups = [group for group in view.failures if group.path in item.source_ids]
    if not item.annotation.strip() or len(item.annotation) > _MAX_NOTE_CHARS:
        draft.skips.append(Skip(code="incomplete_action", detail=f"{name}: needs a note of sane size"))
    elif not groups:
        draft.skips.append(Skip(code="not_offered", detail=f"{name}: rests on no failures that were offered"))
    elif item.name:
        skill = next((one for one in view.skills if item.name in {one.path, skill_name_of(one.path)}), None)
        if skill is None:
            draft.skips.append(Skip(code="not_offered", detail=f"{name}: {item.name[:100]!r} is not an offered skill"))
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
        phase=NAME,
        reason=f"Failed in the same way: {lines[0].removeprefix('- ')[:300]}",
        changes=(change,),
        confidence=lowest,
        needs_review=skill is not None or needs_look(lowest, view.policy.review_below_confidence),
    )


def _says(body: str, note: str) -> bool:
    flat = " ".join(note.split()).casefold()
    return flat in " ".join(body.split()).casefold() or any(
        similarity(line, note) >= NEAR_DUPLICATE for line in body.splitlines() if line.startswith("- ")
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
    name = ascii_slug_of(item.name, MAX_NAME_CHARS)
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
        phase=NAME,
        reason=f"Succeeded {number} times ({share:.0%} of its runs, {groups[0].days}): {summary[:200]}",
        changes=(Create(path=path, content=content, signals=Signals()),),
        confidence=confidence_of(item.confidence),
        needs_review=True,
        propose_only=_FOR_A_PERSON,
    )
