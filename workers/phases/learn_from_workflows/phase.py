"""Learn from workflows: repeated failures become notes in their skills, and reliable successes become proposed skills.

Reads the workflow runs of 14 days that no dream has used, the number of runs of each kind, and the skills that failing
runs used. May propose ANNOTATE (a note at the end of a skill, or an anti-pattern) and PROMOTE (a new skill, which a
person reviews). Prompt: prompt.md.
"""

from dataclasses import dataclass
from datetime import timedelta

from shared.core.dream.operations import Plan, Skip
from shared.core.learning.skills import skill_name_of
from shared.core.memory.model import SKILLS_FOLDER, Memory, MemoryKind, kind_of
from shared.core.questions.question import Document, Question
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.learn_from_workflows import ENTRY, NAME
from workers.phases.learn_from_workflows.answer import WorkflowAnswer
from workers.phases.learn_from_workflows.offline import decide_workflows
from workers.phases.learn_from_workflows.plan import (
    RunGroup,
    WorkflowView,
    find_failures,
    find_successes,
    plan_workflows,
    render_group,
)

_KEY = "workflows"
_LEARNT = "anti-patterns/workflows/"
_SKILL_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call. `skills` includes anti-patterns, since a note may be added to one."""

    failures: tuple[RunGroup, ...]
    successes: tuple[RunGroup, ...]
    skills: tuple[Memory, ...]
    live_paths: frozenset[str]
    runs_shown: int


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find groups of similar runs, and the skills that the failed ones used."""
    policy = context.policy.workflows
    since = context.now - timedelta(days=policy.days)
    repository = context.uow.workflows(context.store.id)
    runs = repository.find(limit=policy.max_runs, since=since, only_unused=True)
    if not runs:
        return NothingToDo("no new workflow runs")
    among = repository.find(limit=policy.max_runs, since=since)
    memories = context.uow.memories(context.store.id)
    heads = [
        head
        for head in memories.find_heads([f"{SKILLS_FOLDER}/", _LEARNT])
        if kind_of(head.path) is MemoryKind.SKILL or head.path.startswith(_LEARNT)
    ]
    named = {skill_name_of(head.path): head.id for head in heads if kind_of(head.path) is MemoryKind.SKILL}
    failures = find_failures(runs, policy, among=among)
    successes = find_successes(runs, policy, named.keys(), among=among)
    if not (failures or successes):
        return NothingToDo(f"no kind among {len(runs)} workflow runs failed or succeeded often enough")
    behind = [named[skill] for group in failures for skill in group.skills if skill in named]
    learnt = [head.id for head in heads if head.path.startswith(_LEARNT)] if failures else []
    wanted = list(dict.fromkeys([*behind, *learnt]))[: policy.max_skills]
    return Inputs(
        failures=tuple(failures),
        successes=tuple(successes),
        skills=tuple(memories.find_live(wanted)) if wanted else (),
        live_paths=frozenset(head.path for head in heads),
        runs_shown=policy.runs_shown,
    )


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question."""
    groups = [
        Document(path=one.path, text=render_group(one, inputs.runs_shown), role=role, facts=_facts(one))
        for role, found in (("failures", inputs.failures), ("successes", inputs.successes))
        for one in found
    ]
    skills = [
        Document(path=one.path, text=one.content[:_SKILL_CHARS], role="skill" if kind_of(one.path) is MemoryKind.SKILL else "existing")
        for one in inputs.skills
    ]  # fmt: skip
    documents = (*groups, *skills)
    return (
        Question(
            phase=NAME,
            key=_KEY,
            documents=documents,
            answer_type=WorkflowAnswer,
            without_model=decide_workflows,
        ),
    )


def _facts(group: RunGroup) -> tuple[str, ...]:
    what = f"{len(group.runs)} runs, {group.share:.0%} of this kind"
    kind = f"classification {group.classification}" if group.path.startswith("failures") else ""
    skills = f"skills {', '.join(group.skills)}" if group.skills else ""
    return tuple(fact for fact in (what, kind, skills, group.days) if fact)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn lessons into operations, subject to all rules."""
    answer = answers.get(_KEY)
    if not isinstance(answer, WorkflowAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    view = WorkflowView(
        failures=inputs.failures,
        successes=inputs.successes,
        skills=inputs.skills,
        live_paths=inputs.live_paths,
        policy=around.policy.workflows,
    )
    return plan_workflows(view, answer)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
    facts_tell=True,
)
