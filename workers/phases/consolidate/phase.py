"""Consolidate: merge, date and link the memories that changed, domain by domain, among candidates that were found first.

Reads the changed set, every live text (for the search), the pending merges, which are hints, and settled clusters that are
due to be looked at again. May want MERGE, TEMPORAL_UPDATE, CROSS_REFERENCE, and propose RETIRE for a memory that another one
contradicts. What a merged text lost is put back. Memories that were not offered are never changed. Prompt: prompt.md.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from shared.core.dates.anchor import find_entries, find_said_at
from shared.core.dream.model import PhaseState
from shared.core.dream.operations import Plan, Skip
from shared.core.memory.doc_type import is_digest
from shared.core.memory.frontmatter import preview_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import Maturity, Memory, MemoryKind
from shared.core.merging.calls import Group
from shared.core.merging.candidates import QUERY_WORDS, find_candidates, index_entries
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.merging.settled_clusters import Reopened, Settled, find_settled, reopen
from shared.core.merging.times import describe_times, is_seen_once
from shared.core.questions.change_gate import Asked
from shared.core.questions.question import Document, Question
from shared.core.tenants.store import PendingMerge
from shared.core.text.excerpt import excerpt_of
from shared.core.text.similarity import significant_words
from shared.ports.memories import TextLine
from shared.services.index_cache import INDEX_CACHE
from workers.phase.by_reference import tell_whole
from workers.phase.flags import tell_decided
from workers.phase.second_question import confirm_question, find_confirmed
from workers.phase.shape import Answers, Consumed, Coverage, EndedPhase, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import find_gathered
from workers.phases.consolidate import ENTRY, NAME
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.merge import MergeDraft, find_impossible
from workers.phases.consolidate.offline import DATED_ENTRIES, decide_consolidation, decide_parts
from workers.phases.consolidate.plan import ConsolidateView, change_name, offered_in, plan_consolidation

#: The most due clusters that are searched for unchanged ones.
_MAX_DUE = 50
_NOTHING = NothingToDo("no memory changed since the last dream")
#: The characters of an excerpted memory that are searched for what it shares with the changed ones.
_LOOKED_THROUGH = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the calls."""

    groups: tuple[Group, ...]
    live_paths: frozenset[str]
    hints: tuple[PendingMerge, ...]  # every suggestion that this dream has considered
    changed: int
    settled: int
    obsolete: tuple[str, ...] = ()  # fingerprints of clusters that are no longer what they were
    excerpt_chars: int = 0  # how much is shown of a memory in part
    #: The paths of memories that this dream has asked about by statements already.
    shown: frozenset[str] = frozenset()
    #: By path, what waits for a person or was refused: a model is told of it.
    decided: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    embedder_failure: str = ""  # why candidates were found by words alone, where there are embeddings


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find the changed memories and their relatives."""
    store = context.uow.memories(context.store.id)
    every_hint = context.uow.merges(context.store.id).find_open()
    if not (every_hint or store.find_changed() or find_gathered(context) or _find_due(context)):
        return _NOTHING  # known without reading a text
    lines = store.find_texts()
    topics = {
        one.path: one
        for one in lines
        if kind_of_text(one.path, one.text) is MemoryKind.TOPIC and not is_digest(one.text)
    }
    usable = [hint for hint in every_hint if hint.source_path in topics and hint.target_path in topics]
    gathered = (path for path in find_gathered(context) if path in topics)
    dirty = (path for path, one in topics.items() if one.is_dirty)
    changed = list(dict.fromkeys([*dirty, *gathered, *(hint.source_path for hint in usable)]))
    again = _reopen(context, topics, changed)
    if not changed and not every_hint and again.group is None:
        return _NOTHING
    texts = {path: one.text for path, one in topics.items()}

    def load(paths: Collection[str]) -> dict[str, Memory]:
        return {memory.path: memory for memory in store.find_live([topics[path].id for path in paths])}

    alike = _find_alike(context, topics, changed)
    with INDEX_CACHE.borrow(context.store.id, index_entries(texts)) as index:
        found = find_candidates(texts, changed, usable, context.policy.consolidate, load, index, alike)
    groups = found.groups if again.group is None else (*found.groups, again.group)
    return Inputs(
        groups=groups,
        live_paths=frozenset(one.path for one in lines),
        hints=tuple(every_hint),
        changed=len(changed),
        settled=found.settled,
        obsolete=again.obsolete,
        excerpt_chars=context.policy.consolidate.excerpt_chars,
        shown=context.find_offered().shown if found.groups else frozenset(),
        decided=tell_decided(context, _find_shown(groups)) if groups else {},
        embedder_failure=context.embedder_failure,
    )


def _find_shown(groups: Sequence[Group]) -> Collection[Memory]:
    return {one.id: one for group in groups for one in (*group.changed, *group.related, *group.beside)}.values()


def _find_alike(
    context: PhaseContext, topics: Mapping[str, TextLine], changed: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return by path the memories on topics that are alike in meaning."""
    paths = {one.id: path for path, one in topics.items()}
    found = context.find_alike([topics[path].id for path in changed], context.policy.consolidate.related_limit)
    return {paths[one]: tuple(paths[other] for other in others if other in paths) for one, others in found.items()}


def _find_due(context: PhaseContext) -> Sequence[Asked]:
    """Return what earlier dreams asked about, whose time has come again."""
    policy = context.policy.change_gate
    if policy.reopen_days <= 0 or policy.max_reopened <= 0:
        return ()
    return context.uow.asked(context.store.id).find_due(NAME, now=context.now, limit=_MAX_DUE)


def _reopen(context: PhaseContext, topics: Mapping[str, TextLine], changed: Sequence[str]) -> Reopened:
    """Return what earlier dreams left alone and is to be looked at again by now, beside what has changed."""
    due = _find_due(context)
    if not due:
        return Reopened()
    members = {member for asked in due for member in asked.members}
    found = context.uow.memories(context.store.id).find_live(members) if members else []
    return reopen(
        due,
        {memory.id: memory for memory in found if memory.path in topics},
        frozenset(topics[path].id for path in changed),
        limit=context.policy.change_gate.max_reopened,
    )


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question for each domain: several for a large one, one for several small ones."""
    return tuple(_question(group, inputs) for group in inputs.groups)


def asks(inputs: Inputs) -> bool:
    """Tell whether there is a question. Writing them finds out when each memory's text was said, which takes a while."""
    return bool(inputs.groups)


def covers(inputs: Inputs) -> frozenset[str]:
    """Return the keys of questions about changed memories that were shown by statements, each with its nearest relatives.

    A model has said there what it would merge, date and link.
    """
    return frozenset(
        group.key
        for group in inputs.groups
        if not group.hints and {memory.path for memory in group.changed} <= inputs.shown
    )


def confirm(inputs: Inputs, answers: Answers) -> tuple[Question, ...]:
    """Ask a second reader about the merges that the checks neither refuse nor confirm."""
    changes = []
    for group, number, draft in _find_merges(inputs, answers):
        written = draft.write() if find_impossible(draft) is None else None
        if written is not None and written.may_be_confirmed:
            changes.append((change_name(group.key, number), tell_whole(draft.memories, written.body)))
    return confirm_question(NAME, changes)


def _find_merges(inputs: Inputs, answers: Answers) -> Iterator[tuple[Group, int, MergeDraft]]:
    """Yield each merge that was asked for, with the number of its action among those of its group."""
    for group in inputs.groups:
        answer, offered = answers.get(group.key), offered_in(group)
        for number, action in enumerate(answer.actions if isinstance(answer, ConsolidateAnswer) else ()):
            if action.type == "MERGE":
                memories = tuple(offered[path] for path in dict.fromkeys(action.files) if path in offered)
                yield group, number, MergeDraft.of(memories, action, group.in_part)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn answers into operations under every rule."""
    view = ConsolidateView(
        groups=inputs.groups,
        live_paths=inputs.live_paths,
        policy=around.policy,
        now=around.now,
        loss=get_loss_budget(around.live_memories, around.already_retired, around.policy.safety),
        confirmed=find_confirmed(answers) if around.has_passed else frozenset(),
    )
    actions = {key: answer for key, answer in answers.items() if isinstance(answer, ConsolidateAnswer)}
    return _note_failure(plan_consolidation(view, actions), inputs)


def _note_failure(plan: Plan, inputs: Inputs) -> Plan:
    if not inputs.embedder_failure:
        return plan
    note = Skip(code="no_vectors", detail=f"candidates were found by words alone: {inputs.embedder_failure}")
    return replace(plan, skips=(*plan.skips, note))


def settle(inputs: Inputs, answered: Collection[str], touched: Collection[str]) -> Settled:
    """Return the clusters that the answers left alone: each is looked at again, ever more rarely."""
    groups = [group for group in inputs.groups if group.key in answered]
    return Settled(clusters=find_settled(groups, touched), obsolete=inputs.obsolete)


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Use up the hints, and the changed memories whose question was answered or spared; the others stay changed."""
    hints = ended.inputs.hints if ended.inputs is not None else ()
    if ended.is_through:
        return Consumed(memories=Coverage.READ, hints=hints)
    answered = frozenset() if ended.run.state is PhaseState.SKIPPED else ended.find_answered()
    if not answered or ended.inputs is None:
        return Consumed(memories=Coverage.MISSED, hints=hints)
    left = (group for group in ended.inputs.groups if group.key not in answered | ended.spared)
    unread = frozenset(memory.id for group in left for memory in group.changed)
    return Consumed(memories=Coverage.READ, unread=unread, hints=hints)


def _question(group: Group, inputs: Inputs) -> Question:
    compared = _find_compared(group)
    show = partial(_document, group=group, inputs=inputs, compared=compared)
    documents = [show(memory, "changed") for memory in group.changed]
    documents += [show(memory, "related") for memory in group.related]
    hints = tuple(f"{hint.source_path} -> {hint.target_path}: {hint.reason}" for hint in group.hints)
    documents += [show(memory, "beside") for memory in group.beside]
    return Question(
        phase=NAME,
        key=group.key,
        documents=tuple(documents),
        answer_type=ConsolidateAnswer,
        without_model=partial(decide_parts, group.parts) if group.parts else decide_consolidation,
        hints=hints,
    )


def _find_compared(group: Group) -> dict[str, set[str]]:
    """Return the words of a changed memory's text for each relative of it that is shown in part."""
    changed = {memory.path: memory for memory in group.changed}
    compared: dict[str, set[str]] = {}
    for path, relatives in group.links:
        cut = [other for other in relatives if other in group.in_part]
        words = significant_words(changed[path].content, QUERY_WORDS) if cut else ()
        for other in cut:
            compared.setdefault(other, set()).update(words)
    return compared


def _document(
    memory: Memory, role: str, group: Group, inputs: Inputs, compared: Mapping[str, Collection[str]]
) -> Document:
    """Return a memory as it is shown, with the day that its relative dates refer to where that is known."""
    said_at = find_said_at(memory)
    at = said_at.date().isoformat() if said_at is not None else ""
    is_core = memory.signals.maturity is Maturity.CORE
    decided = inputs.decided.get(memory.path, ())
    if memory.path in group.in_part:
        text = preview_of(memory.content, _LOOKED_THROUGH)
        shown_chars = group.beside_chars if role == "beside" else inputs.excerpt_chars
        excerpt = excerpt_of(text, shown_chars, compared.get(memory.path, ()))
        return Document(
            path=memory.path, text=memory.content, role=role, at=at, excerpt=excerpt, facts=decided, is_core=is_core
        )
    times = () if is_seen_once(memory, at) else (describe_times(memory),)
    dated = (DATED_ENTRIES,) if find_entries(memory) else ()
    facts = (*times, *dated, *decided)
    return Document(path=memory.path, text=memory.content, role=role, at=at, facts=facts, is_core=is_core)


PHASE = Phase(
    entry=ENTRY,
    version=2,
    makes_vectors=True,
    needs_exam=True,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    asks=asks,
    covers=covers,
    confirm=confirm,
    plan=plan,
    settle=settle,
    consume=consume,
)
