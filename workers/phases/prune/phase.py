"""Prune: review stale and decayed memories, and archive them, keep them, or suggest a merge for the next dream.

Reads heads to find at most 20 candidates, stalest first, then their texts and their closest neighbours. May want ARCHIVE,
KEEP and SUGGEST_MERGE. Core and protected memories are never candidates, nor are unchanged memories that were put back or
whose archiving a person has rejected. Prompt: prompt.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import OperationKind, Plan, PutBack, Retire, Skip
from shared.core.memory.frontmatter import preview_of
from shared.core.memory.headline import title_of
from shared.core.memory.model import Memory, MemoryHead, MemoryKind, domain_of, kind_of
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.questions.question import Document, Question
from shared.core.text.bm25 import find_best
from shared.core.text.excerpt import excerpt_of
from shared.core.text.similarity import ReadWords, compare_texts, read_words, significant_words
from shared.core.upkeep.stale import find_stale, is_stale
from shared.ports.memories import StaleRule
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.prune import ENTRY, NAME
from workers.phases.prune.answer import PruneAnswer
from workers.phases.prune.offline import decide_pruning
from workers.phases.prune.plan import PruneView, describe, plan_pruning, without_put_back

_KEY = "candidates"
_NEIGHBOUR_WORDS = 30
#: Unrelated notes of one project are less alike than this: their 99th percentile is 0.46.
_NEAR = 0.47
_MAX_PUT_BACK = 1_000
_MAX_PROPOSED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call."""

    candidates: tuple[Memory, ...]
    why: dict[str, tuple[str, ...]]
    neighbours: tuple[Memory, ...]
    waiting: tuple[tuple[str, str], ...]
    preview_chars: int
    more: int
    shown_chars: int = 0  # how much a model sees of each; 0: as much as the rules do


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find the candidates and what lies next to them."""
    store = context.uow.memories(context.store.id)
    aged = store.find_heads(aged=StaleRule(context.policy.prune, context.policy.decay, context.now))
    kept = context.uow.maintenance(context.store.id).find_kept()
    asked = without_put_back([head for head in aged if head.id not in kept], _find_put_back(context), context.now)
    stale, more = find_stale(asked, context.policy, context.now)
    if not stale:
        left = sum(is_stale(head, context.policy, context.now) for head in aged)
        known = f" but for {left} that were put back or kept by a person, and not written since" if left else ""
        return NothingToDo(f"nothing is stale or low in importance{known}")
    why = {candidate.head.path: describe(candidate) for candidate in stale}
    candidates = store.find_live([candidate.head.id for candidate in stale])
    closest = _find_closest(context, [candidate.head for candidate in stale])
    around = store.find_live(list(dict.fromkeys(closest.values()))) if closest else []
    suggested = [(one.source_path, one.target_path) for one in context.uow.merges(context.store.id).find_open()]
    return Inputs(
        candidates=tuple(candidates),
        why=why,
        neighbours=tuple(_keep_near(candidates, around, closest)),
        waiting=(*suggested, *_find_proposed(context)),
        preview_chars=context.policy.prune.preview_chars,
        shown_chars=context.policy.prune.shown_chars,
        more=more,
    )


def _find_proposed(context: PhaseContext) -> Iterator[tuple[str, str]]:
    """Yield the memories of each merge that waits for a person, in both orders: which of them would stay does not matter."""
    pending = context.uow.operations.find_pending(
        store_id=context.store.id, only=OperationFilter(kind=OperationKind.MERGE), limit=_MAX_PROPOSED
    )
    for change in (change for one in pending for change in one.operation.changes):
        if isinstance(change, Retire) and change.superseded_by:
            yield change.path, change.superseded_by
            yield change.superseded_by, change.path


def _find_put_back(context: PhaseContext) -> dict[str, datetime]:
    """Return when memories that a dream had archived were put back the last time, by path."""
    recorded = context.uow.operations.find_put_back(context.store.id, _MAX_PUT_BACK)
    return {
        path: operation.created_at
        for operation in reversed(recorded)
        for change in operation.operation.changes
        if isinstance(change, PutBack) and change.kind is OperationKind.ARCHIVE and operation.created_at
        for path in change.paths
    }


def _find_closest(context: PhaseContext, stale: list[MemoryHead]) -> dict[str, str]:
    """Return the id of the closest other memory of each candidate by its id, by title and summary: what it could go into."""
    skipped = {head.path for head in stale}
    around = context.uow.tree(context.store.id).find_headlines({domain_of(head.path) for head in stale})
    said = ((one, text) for one, path, text in around if path not in skipped and kind_of(path) is MemoryKind.TOPIC)
    questions = {head.id: significant_words(f"{head.title} {head.summary}", _NEIGHBOUR_WORDS) for head in stale}
    return find_best(said, questions)


def _keep_near(candidates: list[Memory], around: list[Memory], closest: Mapping[str, str]) -> Iterator[Memory]:
    """Yield what a candidate could go into indeed: the closest of all may still be about something else."""
    read = {memory.id: (memory, read_words(memory.content)) for memory in (*candidates, *around)}
    wanted = {its for mine, its in closest.items() if mine in read and its in read and _is_near(read[mine], read[its])}
    yield from (memory for memory in around if memory.id in wanted)


def _is_near(candidate: tuple[Memory, ReadWords], other: tuple[Memory, ReadWords]) -> bool:
    """Tell whether two texts share enough of their words, or their titles half of the shorter one's."""
    (mine, words), (its, its_words) = candidate, other
    if compare_texts(words, its_words) >= _NEAR:
        return True
    ours, theirs = (set(significant_words(title_of(one.path, one.content), _NEIGHBOUR_WORDS)) for one in (mine, its))
    return 0 < min(len(ours), len(theirs)) <= 2 * len(ours & theirs)


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over previews."""
    documents = [
        *(_candidate(memory, inputs) for memory in inputs.candidates),
        *(_neighbour(memory, inputs) for memory in inputs.neighbours),
    ]
    return (
        Question(
            phase=NAME, key=_KEY, documents=tuple(documents), answer_type=PruneAnswer, without_model=decide_pruning
        ),
    )


def _candidate(memory: Memory, inputs: Inputs) -> Document:
    """Return a candidate with what is known of it; the last fact says by which of the others it became one."""
    text = preview_of(memory.content, inputs.preview_chars)
    shown = excerpt_of(text, inputs.shown_chars) if 0 < inputs.shown_chars < len(text) else ""
    known = tuple(inputs.why[memory.path][:-1])
    return Document(path=memory.path, text=text, role="candidate", facts=known, excerpt=shown)


def _neighbour(memory: Memory, inputs: Inputs) -> Document:
    """Return a memory that a candidate may go into: half of the words are enough to see that it is about the same."""
    text, shown_chars = preview_of(memory.content, inputs.preview_chars), inputs.shown_chars // 2
    shown = excerpt_of(text, shown_chars) if 0 < shown_chars < len(text) else ""
    return Document(path=memory.path, text=text, role="neighbour", excerpt=shown)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn verdicts into operations under every rule."""
    answer = answers.get(_KEY)
    if not isinstance(answer, PruneAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    view = PruneView(
        candidates={memory.path: memory for memory in inputs.candidates},
        why={path: facts[-1].removeprefix("signal ") for path, facts in inputs.why.items()},
        neighbours={memory.path: memory for memory in inputs.neighbours},
        waiting=frozenset(inputs.waiting),
        policy=around.policy,
        now=around.now,
        loss=get_loss_budget(around.live_memories, around.already_retired, around.policy.safety),
    )
    return plan_pruning(view, answer.decisions)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
)
