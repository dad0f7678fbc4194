"""Merge skills: overlapping skills become one, prefix clusters get a guide, related skills refer to each other.

Reads every skill with its uses of 30 days, the pairs that sessions used together, and sparse skills. May propose
MERGE_SKILLS, GUIDE_SKILLS and LINK_SKILLS. Merged skills are superseded, never deleted; an answer that deletes without
saving is ignored as a whole. A merge names statements, as in `revise`, and is applied if its model has passed the exam. Runs only when a skill changed, or when a model left the same skills alone 7 days ago or
longer. Prompt: prompt.md.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from shared.core.checks.merges import CONFLICT_CHECKS
from shared.core.checks.updates import find_weightiest
from shared.core.dream.operations import Plan, Skip
from shared.core.learning.skill_merging import find_clusters, find_sources, is_merge
from shared.core.learning.skills import SkillUse, count_uses, created_at_of, find_pairs, is_sparse, skill_name_of
from shared.core.memory.model import SKILLS_FOLDER, Memory, MemoryKind, kind_of
from shared.core.merging.confidence import confidence_of
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.merging.settled_clusters import Cluster, Settled
from shared.core.questions.fingerprint import cluster_fingerprint
from shared.core.questions.question import Document, Question
from shared.core.reading.placed import name_document, render_placed
from workers.phase.by_reference import ArrangedMerge, Statements, UpdateView, Wanted, arrange_merge
from workers.phase.second_question import confirm_question, find_confirmed
from workers.phase.shape import Answers, Consumed, EndedPhase, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.merge_skills import ENTRY, NAME
from workers.phases.merge_skills.answer import MergeSkillsAnswer, find_keeper, is_joined
from workers.phases.merge_skills.offline import decide_skill_merges
from workers.phases.merge_skills.plan import MergeSkillsView, plan_merge_skills

_KEY = "skills"
_MAX_USES = 10_000
_MAX_DUE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the calls. `uses` are the newest, of any age; `recent` counts those of 30 days."""

    skills: tuple[Memory, ...]
    names: tuple[str, ...]  # of all live skills
    files: tuple[str, ...]
    sparse: tuple[str, ...]
    uses: tuple[SkillUse, ...]
    recent: dict[str, int]
    pairs: tuple[tuple[str, str, int], ...]
    content_cap_chars: int
    obsolete: tuple[str, ...] = ()  # fingerprints of earlier sets of skills


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the skills if one of them is new or changed since the last dream, or a settled set is due."""
    store, policy = context.uow.memories(context.store.id), context.policy.skills
    inside = store.find_heads([f"{SKILLS_FOLDER}/"])
    heads = [head for head in inside if kind_of(head.path) is MemoryKind.SKILL]
    if len(heads) < 2:
        return NothingToDo(f"fewer than 2 skills ({len(heads)})")
    since = context.store.last_dream_at
    changed = {head.id for head in heads if head.is_dirty or since is None or head.updated_at > since}
    due = _find_due(context)
    if not (changed or due):
        return NothingToDo("no skill changed since the last dream")
    shown = sorted(heads, key=lambda head: (head.id not in changed, head.path))[: policy.max_skills]
    skills = tuple(store.find_live([head.id for head in shown]))
    if not changed and cluster_fingerprint(skills) not in due:
        return NothingToDo("no skill changed since the last dream")
    uses = tuple(context.uow.skills(context.store.id).find_uses(None, _MAX_USES))
    recent = [use for use in uses if use.used_at >= context.now - timedelta(days=policy.usage_days)]
    names = tuple(skill_name_of(head.path) for head in heads)
    return Inputs(
        skills=skills,
        names=names,
        files=tuple(one.path for one in inside if kind_of(one.path) is MemoryKind.SKILL_FILE),
        sparse=tuple(skill_name_of(memory.path) for memory in skills if is_sparse(memory, context.now)),
        uses=uses,
        recent=count_uses(recent),
        pairs=find_pairs(recent, names, policy.max_pairs),
        content_cap_chars=policy.content_cap_chars,
        obsolete=tuple(due - {cluster_fingerprint(skills)}),
    )


def _find_due(context: PhaseContext) -> frozenset[str]:
    """Return the fingerprints of settled sets of skills that are due to be examined again."""
    if context.policy.change_gate.reopen_days <= 0:
        return frozenset()
    due = context.uow.asked(context.store.id).find_due("merge_skills", now=context.now, limit=_MAX_DUE)
    return frozenset(one.fingerprint for one in due)


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over all skills, each cut to its cap."""
    documents = [_document(inputs, memory, name_document(number)) for number, memory in enumerate(inputs.skills)]
    signals = {
        "used-together": [f"- {left} and {right}: {number} session(s)" for left, right, number in inputs.pairs],
        "prefix-clusters": [f"- {prefix}/*: {', '.join(names)}" for prefix, names in find_clusters(inputs.names)],
    }
    documents += [Document(path=path, text="\n".join(said), role="signal") for path, said in signals.items() if said]
    return (
        Question(
            phase=NAME,
            key=_KEY,
            documents=tuple(documents),
            answer_type=MergeSkillsAnswer,
            without_model=decide_skill_merges,
        ),
    )


def _document(inputs: Inputs, memory: Memory, letters: str) -> Document:
    name = skill_name_of(memory.path)
    facts = [
        f"used {inputs.recent.get(name, 0)} times in 30 days",
        f"created {created_at_of(memory).date().isoformat()}",
        *(["[sparse-content]"] if name in inputs.sparse else []),
    ]
    text, cap_chars = memory.content, inputs.content_cap_chars
    shown = _beginning_of(render_placed(text, letters), cap_chars)
    return Document(
        path=name, text=_beginning_of(text, cap_chars), excerpt=shown, role="skill", facts=tuple(facts)
    )  # fmt: skip


def _beginning_of(text: str, cap_chars: int) -> str:
    """Return a text, or the lines of a longer one that fit: half a word would make two equal skills differ."""
    if len(text) <= cap_chars:
        return text
    shown = text[:cap_chars]
    return shown[: shown.rfind("\n") + 1] or shown


def confirm(inputs: Inputs, answers: Answers) -> tuple[Question, ...]:
    """Ask a second reader about what a merge leaves out, moves or says in words of its own, where the checks are in doubt."""
    answer = answers.get(_KEY)
    arranged = _arrange(inputs, answer) if isinstance(answer, MergeSkillsAnswer) else {}
    return confirm_question(NAME, [told for one in arranged.values() for told in one.find_doubted()])


def _arrange(inputs: Inputs, answer: MergeSkillsAnswer) -> dict[int, ArrangedMerge]:
    """Return the merges that name statements, by their place in `toSave`."""
    statements = Statements(UpdateView(memories=inputs.skills))
    skills = {skill_name_of(memory.path): memory for memory in inputs.skills}
    found = {}
    for number, one in enumerate(answer.to_save):
        if one.lines is not None and is_joined(one) and is_merge(skills, one):
            memories = tuple(skills[name] for name in find_sources(skills, one))
            wanted = Wanted(
                name=f"merge-{number}",
                memories=memories,
                target=find_keeper(one, memories),
                confidence=confidence_of(one.confidence),
            )
            found[number] = arrange_merge(statements, wanted, one.lines, find_weightiest(CONFLICT_CHECKS, memories))
    return found


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn the answer into operations, subject to all rules."""
    answer = answers.get(_KEY)
    if not isinstance(answer, MergeSkillsAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    skills = {skill_name_of(memory.path): memory for memory in inputs.skills}
    view = MergeSkillsView(
        skills=skills,
        clusters=dict(find_clusters(inputs.names)),
        taken=frozenset(inputs.names) - skills.keys(),
        files=inputs.files,
        uses=inputs.uses,
        loss=get_loss_budget(len(inputs.names), 0, around.policy.safety),
        arranged=_arrange(inputs, answer),
        confirmed=find_confirmed(answers),
        around=around,
    )
    return plan_merge_skills(view, answer)


def settle(inputs: Inputs, answered: Collection[str], touched: Collection[str]) -> Settled:
    """Return all skills as one settled cluster if the answer left all of them alone."""
    ids = tuple(memory.id for memory in inputs.skills)
    is_settled = _KEY in answered and not set(ids) & set(touched)
    found = (Cluster(fingerprint=cluster_fingerprint(inputs.skills), members=ids),) if is_settled else ()
    return Settled(clusters=found, obsolete=inputs.obsolete)


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Leave the skills in the changed set if no model has seen them."""
    if ended.inputs is None or ended.is_through or _KEY in ended.find_answered():
        return Consumed()
    return Consumed(unread=frozenset(memory.id for memory in ended.inputs.skills))


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    confirm=confirm,
    plan=plan,
    needs_exam=True,
    settle=settle,
    consume=consume,
)
