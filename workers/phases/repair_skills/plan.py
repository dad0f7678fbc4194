"""Find the skills that are at risk or too sparse, and turn a model's better versions into operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.core.dream.operations import Operation, OperationKind, Plan, Rewrite, Skip
from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.learning.feedback import Feedback, FeedbackKind, Rating
from shared.core.learning.skills import (
    MAX_SUMMARY_CHARS,
    SPARSE_DAYS,
    SkillUse,
    created_at_of,
    describe_skill,
    skill_name_of,
    spaced,
)
from shared.core.memory.frontmatter import body_of, set_fields, with_body
from shared.core.memory.model import Memory
from shared.core.merging.confidence import confidence_of
from shared.core.merging.specifics import find_missing_specifics
from workers.phases.repair_skills import NAME
from workers.phases.repair_skills.answer import RepairedSkill, RepairSkillsAnswer, write_repair

MAX_SKILL_CHARS = 20_000
#: The note beside a sparse skill, as RockBot publishes it.
REVIEW_NOTE = (
    "### Review note: This skill has minimal content.\nExpand it with concrete steps, examples, and edge cases."
)
_BAD_RATINGS = frozenset({Rating.POOR, Rating.FAIR})
_PERIOD = timedelta(days=SPARSE_DAYS)
_SHOWN_CHARS = 400
_SHOWN_TROUBLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """A skill to examine: the complaints about it, and whether it is sparse."""

    memory: Memory
    troubles: tuple[str, ...]
    is_sparse: bool

    @property
    def name(self) -> str:
        """Return the skill's name."""
        return skill_name_of(self.memory.path)


def is_review_due(memory: Memory, now: datetime, last_dream_at: datetime | None) -> bool:
    """Tell whether a sparse skill is due: once when it has become sparse, and then once in seven days."""
    if last_dream_at is None:
        return True
    begins = max(created_at_of(memory) + _PERIOD, memory.updated_at)
    return last_dream_at < begins or (now - begins) // _PERIOD != (last_dream_at - begins) // _PERIOD


def is_trouble(feedback: Feedback) -> bool:
    """Tell whether feedback puts the skills of its session at risk: corrections, thumbs down, poor and fair sessions."""
    if feedback.kind is FeedbackKind.SESSION_SUMMARY:
        return feedback.rating in _BAD_RATINGS
    return feedback.kind in {FeedbackKind.CORRECTION, FeedbackKind.THUMBS_DOWN}


def find_complaints(
    skills: Sequence[Memory], uses: Sequence[SkillUse], feedback: Sequence[Feedback]
) -> dict[str, tuple[Feedback, ...]]:
    """Return the complaints about each skill, of any age: feedback that names it, or on a session that used it."""
    sessions: dict[str, set[str]] = {}
    for use in uses:
        sessions.setdefault(use.skill, set()).add(use.session)
    bad = [one for one in feedback if is_trouble(one)]
    found = {}
    for name in (skill_name_of(memory.path) for memory in skills):
        mine = [
            one
            for one in bad
            if one.skill == name or (not one.skill and one.session and one.session in sessions.get(name, ()))
        ]
        if mine:
            found[name] = tuple(mine)
    return found


def find_troubles(complaints: Sequence[Feedback], written_at: datetime) -> tuple[str, ...]:
    """Return the complaints since a skill's text was written, in words."""
    return tuple(_describe(one) for one in complaints if one.occurred_at > written_at)[:_SHOWN_TROUBLES]


def _describe(feedback: Feedback) -> str:
    what = f"{feedback.kind.replace('_', ' ')} {feedback.rating}".strip()
    said = " ".join(feedback.text.split())[:_SHOWN_CHARS]
    return f"{feedback.occurred_at.date().isoformat()} {what}" + (f": {said}" if said else "")


def plan_repairs(patients: Mapping[str, Patient], answer: RepairSkillsAnswer) -> Plan:
    """Return one REPAIR_SKILL per offered skill; no specifics are lost without a person's approval, and no skill is deleted."""
    operations: list[Operation] = []
    skips = [
        Skip(code="deletion_without_replacement", detail=f"{name[:80]} is not deleted: this phase only improves")
        for name in dict.fromkeys(answer.to_delete)
    ]
    seen: set[str] = set()
    for one in answer.to_save:
        patient = patients.get(one.name)
        if patient is None or one.name in seen:
            code = "not_offered" if patient is None else "already_merged"
            skips.append(Skip(code=code, detail=f"{one.name[:80]!r} was not offered to the model, or came twice"))
            continue
        seen.add(one.name)
        made = _plan_one(patient, one)
        operations.append(made) if isinstance(made, Operation) else skips.append(made)
    return Plan(operations=tuple(operations), skips=tuple(skips))


def _plan_one(patient: Patient, one: RepairedSkill) -> Operation | Skip:
    memory, repaired = patient.memory, write_repair(one, patient.memory.content)
    if repaired.refused:
        return Skip(code="edit_refused", detail=f"skill {one.name} stays as it is: {repaired.refused}")
    body = repaired.body
    if not body.strip() or len(body) > MAX_SKILL_CHARS:
        return Skip(code="incomplete_action", detail=f"skill {one.name}: needs a content of sane size")
    if body.strip() == body_of(memory.content).strip():
        return Skip(code="nothing_changed", detail=f"skill {one.name} is as it was")
    lost = find_missing_specifics(body, [memory.content])
    if lost and not patient.troubles:
        return Skip(code="coverage", detail=f"skill {one.name} would lose {', '.join(lost[:5])}; it stays as it is")
    told = " ".join(one.summary.split())[:MAX_SUMMARY_CHARS]
    fields = {"description": told} if told and told != describe_skill(memory) else {}
    try:
        content = set_fields(with_body(memory.content, spaced(memory, body)), fields)
    except (BadInputError, UneditableFrontmatterError) as error:
        return Skip(code="uneditable_frontmatter", detail=f"skill {one.name}: {error}")
    why = "; ".join(patient.troubles[:2]) or "it says almost nothing and is more than a week old"
    change = Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content,
        signals=memory.signals,
    )  # fmt: skip
    return Operation(
        kind=OperationKind.REPAIR_SKILL,
        phase=NAME,
        reason=f"{one.reason or f'Repair {memory.path}'} ({why})",
        changes=(change,),
        confidence=confidence_of(one.confidence),
        needs_review=True,
        # A correction may be about a specific of the skill: then a person has to approve its loss.
        propose_only=f"it would no longer say {', '.join(lost[:5])}" if lost else None,
    )
