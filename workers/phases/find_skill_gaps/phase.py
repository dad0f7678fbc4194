"""Find skill gaps: a type of request that several sessions begin with, and that no skill covers, becomes a skill.

Reads the first message of a user in each of the newest sessions, the existing skills, and recent feedback. May propose
CREATE_SKILL, which a person always reviews; without steps it is only proposed. Asks a model only when at least one session is new since the last dream and
two sessions share a term. Prompt: prompt.md.
"""

from dataclasses import dataclass
from datetime import timedelta

from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Create, OperationKind, Plan, Skip
from shared.core.learning.skills import Opening, skill_name_of
from shared.core.memory.headline import summary_of
from shared.core.memory.model import SKILLS_FOLDER, MemoryKind, kind_of
from shared.core.questions.question import Document, Question
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.find_skill_gaps import ENTRY, NAME
from workers.phases.find_skill_gaps.answer import SkillGapAnswer
from workers.phases.find_skill_gaps.plan import (
    KnownSkill,
    SkillGapView,
    find_recurring_terms,
    plan_skill_gaps,
    render_terms,
    terms_of,
)

_KEY = "requests"
_FEEDBACK_CHARS = 300
_MOST_WAITING = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call. `terms` are the most frequent recurring terms."""

    openings: tuple[Opening, ...]
    terms: tuple[tuple[str, int], ...]
    skills: tuple[KnownSkill, ...]
    feedback: tuple[str, ...]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the first messages of sessions and their recurring terms."""
    policy = context.policy.skills
    repository = context.uow.skills(context.store.id)
    openings = tuple(repository.find_openings(policy.max_sessions, max_chars=policy.opening_chars))
    if not any(opening.is_new for opening in openings):
        return NothingToDo("no new sessions")
    if len(openings) < policy.min_sessions:
        return NothingToDo(f"fewer than {policy.min_sessions} sessions ({len(openings)})")
    terms = find_recurring_terms(openings, policy)
    recurring = {term for term, _ in terms}
    if not any(opening.is_new and recurring & terms_of(opening.text, policy) for opening in openings):
        return NothingToDo("no new session begins like another one")
    heads = context.uow.memories(context.store.id).find_heads([f"{SKILLS_FOLDER}/"])
    skills = {skill_name_of(one.path): one.summary for one in heads if kind_of(one.path) is MemoryKind.SKILL}
    return Inputs(
        openings=openings,
        terms=terms[: policy.max_terms],
        skills=tuple(
            KnownSkill(name=name, summary=summary) for name, summary in (_find_waiting(context) | skills).items()
        ),
        feedback=_find_feedback(context),
    )


def _find_waiting(context: PhaseContext) -> dict[str, str]:
    """Return the summaries of proposed skills that wait for a person, by name: each is proposed once."""
    pending = context.uow.operations.find_pending(
        store_id=context.store.id, only=OperationFilter(kind=OperationKind.CREATE_SKILL), limit=_MOST_WAITING
    )
    changes = (change for one in pending for change in one.operation.changes)
    return {skill_name_of(one.path): summary_of(one.content) for one in changes if isinstance(one, Create)}


def _find_feedback(context: PhaseContext) -> tuple[str, ...]:
    policy = context.policy.skills
    since = context.now - timedelta(days=policy.feedback_days)
    found = context.uow.feedback(context.store.id).find(limit=policy.max_feedback, since=since)
    return tuple(f"{one.kind}: {' '.join(one.text.split())[:_FEEDBACK_CHARS]}" for one in found if one.text.strip())


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over all openings."""
    documents = [Document(path="recurring-topics", text=render_terms(inputs.terms), role="signal")]
    documents += [
        Document(
            path=opening.session_id,
            text=opening.text,
            role="session",
            at=opening.at.date().isoformat(),
            facts=("new",) if opening.is_new else (),
        )
        for opening in inputs.openings
    ]
    documents += [Document(path=skill.name, text=skill.summary, role="skill") for skill in inputs.skills]
    if inputs.feedback:
        documents.append(Document(path="feedback", text="\n".join(inputs.feedback), role="feedback"))
    return (
        Question(
            phase=NAME,
            key=_KEY,
            documents=tuple(documents),
            answer_type=SkillGapAnswer,
            without_model=lambda _: SkillGapAnswer(),  # no rule knows the steps of a skill
        ),
    )


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn drafts into skills, subject to all rules."""
    answer = answers.get(_KEY)
    if not isinstance(answer, SkillGapAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    view = SkillGapView(
        openings=inputs.openings,
        skills=inputs.skills,
        policy=around.policy.skills,
        now=around.now,
    )
    return plan_skill_gaps(view, answer.to_save)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
)
