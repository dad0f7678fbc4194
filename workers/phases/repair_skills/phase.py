"""Repair skills: improve skills that failed in sessions, and sparse skills.

Reads skills, their uses and the feedback of 14 days. A skill is at risk after corrections, thumbs down, or poor or fair
sessions since it was last written. May propose REPAIR_SKILL, which a person always reviews. Without a skill at risk or
a sparse one, no model is asked. Prompt: prompt.md.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from shared.core.dream.operations import Plan, Skip
from shared.core.learning.skills import is_sparse, skill_name_of
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import SKILLS_FOLDER, Memory, MemoryKind, kind_of
from shared.core.questions.question import Document, Question
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.repair_skills import ENTRY, NAME
from workers.phases.repair_skills.answer import RepairSkillsAnswer
from workers.phases.repair_skills.offline import decide_skill_repairs
from workers.phases.repair_skills.plan import (
    REVIEW_NOTE,
    Patient,
    find_complaints,
    find_troubles,
    is_review_due,
    plan_repairs,
)

_KEY = "skills"
_MAX_USES = 10_000
_VERSIONS = 20  # that are searched for the last change of the text


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call."""

    patients: tuple[Patient, ...]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find the skills at risk, then the sparse ones."""
    store, policy = context.uow.memories(context.store.id), context.policy.skills
    ids = [head.id for head in store.find_heads([f"{SKILLS_FOLDER}/"]) if kind_of(head.path) is MemoryKind.SKILL]
    if not ids:
        return NothingToDo("no skills")
    skills = store.find_live(ids)
    since = context.now - timedelta(days=policy.feedback_days)
    feedback = context.uow.feedback(context.store.id).find(limit=policy.max_feedback, since=since)
    uses = context.uow.skills(context.store.id).find_uses(None, _MAX_USES)
    complaints = find_complaints(skills, uses, feedback)
    troubles = {
        skill_name_of(memory.path): find_troubles(all_of_it, _find_written_at(context, memory))
        for memory in skills
        if (all_of_it := complaints.get(skill_name_of(memory.path), ()))
    }
    looked_at = context.store.last_dream_at
    patients = [
        Patient(memory=memory, troubles=mine, is_sparse=is_sparse(memory, context.now))
        for memory in skills
        if (mine := troubles.get(skill_name_of(memory.path), ()))
        or (is_sparse(memory, context.now) and is_review_due(memory, context.now, looked_at))
    ]
    if not patients:
        return NothingToDo("no skill is at risk or sparse")
    patients.sort(key=lambda one: (-len(one.troubles), one.name))
    return Inputs(patients=tuple(patients[: policy.max_repairs]))


def _find_written_at(context: PhaseContext, memory: Memory) -> datetime:
    """Return when a skill's text was last written. Links and this dream's changes do not count as an answer to complaints."""
    history = context.uow.memories(context.store.id).find_history(memory.id, limit=_VERSIONS)
    written = (
        newer.created_at
        for newer, older in pairwise(history)
        if newer.dream_id != context.dream.id and body_of(newer.content) != body_of(older.content)
    )
    first = history[-1].created_at if history else memory.updated_at
    return min(next(written, first), memory.updated_at)


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over all these skills, each whole."""
    documents = []
    for one in inputs.patients:
        note = f"\n\n{REVIEW_NOTE}" if one.is_sparse else ""
        documents.append(Document(path=one.name, text=f"{one.memory.content}{note}", role="skill", facts=one.troubles))
    return (
        Question(
            phase=NAME,
            key=_KEY,
            documents=tuple(documents),
            answer_type=RepairSkillsAnswer,
            without_model=decide_skill_repairs,
        ),
    )


def plan(inputs: Inputs, answers: Answers, _around: Surroundings) -> Plan:
    """Turn better versions into operations, subject to all rules."""
    answer = answers.get(_KEY)
    if not isinstance(answer, RepairSkillsAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    return plan_repairs({one.name: one for one in inputs.patients}, answer)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
    facts_tell=True,
)
