"""Prune: review stale and decayed memories, and archive them, keep them, or suggest a merge for the next dream.

Reads heads to find candidates, then their texts and their closest neighbours. A model is asked about the 20 stalest. Rules
look once at each memory that has become stale, and go on with those that they archive. May want ARCHIVE, KEEP and
SUGGEST_MERGE. Core and protected memories are never candidates, nor are unchanged memories that were put back, whose
archiving a person has rejected, or whose archiving waits for one. Prompt: prompt.md.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import OperationKind, Plan, PutBack, Retire, Skip
from shared.core.memory.frontmatter import preview_of
from shared.core.memory.headline import title_of
from shared.core.memory.model import Memory, MemoryHead, MemoryKind, domain_of, kind_of
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.questions.question import Document, Question
from shared.core.search.bm25 import TextIndex
from shared.core.text.excerpt import excerpt_of
from shared.core.text.similarity import ReadWords, read_words, significant_words, similarity_of
from shared.core.upkeep.stale import StaleHead, find_stale, is_stale
from shared.ports.memories import StaleRule
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.prune import ENTRY, NAME
from workers.phases.prune.answer import PruneAnswer
from workers.phases.prune.offline import decide_archiving, decide_pruning
from workers.phases.prune.plan import PruneView, describe, plan_pruning, without_put_back

_KEY = "candidates"
_NEIGHBOUR_WORDS = 30
#: Unrelated notes of one project are less alike than this: their 99th percentile is 0.46.
_NEAR = 0.47
_MAX_PUT_BACK = 1_000
_MAX_PROPOSED = 1_000
#: Rules read texts whole.
_WHOLE = sys.maxsize


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
    store, has_model = context.uow.memories(context.store.id), context.has_model()
    stale, more = _find_stale(context, has_model=has_model)
    candidates = store.find_live([candidate.head.id for candidate in stale]) if stale else []
    near = _find_near(context, [candidate.head for candidate in stale], candidates)
    if not has_model:
        candidates = [one for one in candidates if _is_archived_by_rules(one, near.get(one.id))]
    if not candidates:
        return NothingToDo(_say_why_none(context, len(stale)))
    paths = {one.path for one in candidates}
    suggested = [(one.source_path, one.target_path) for one in context.uow.merges(context.store.id).find_open()]
    return Inputs(
        candidates=tuple(candidates),
        why={one.head.path: describe(one) for one in stale if one.head.path in paths},
        neighbours=tuple({near[one.id].path: near[one.id] for one in candidates if one.id in near}.values()),
        waiting=(*suggested, *_find_proposed(context)),
        preview_chars=context.policy.prune.preview_chars if has_model else _WHOLE,
        shown_chars=context.policy.prune.shown_chars,
        more=more,
    )


def _find_stale(context: PhaseContext, *, has_model: bool) -> tuple[list[StaleHead], int]:
    """Return the candidates, stalest first, and how many more a later dream will ask a model about."""
    kept = context.uow.maintenance(context.store.id).find_kept() | _find_waiting(context)
    asked = [head for head in _find_aged(context) if head.id not in kept]
    asked = without_put_back(asked, _find_put_back(context), context.now)
    if has_model:
        return find_stale(asked, context.policy, context.now)
    return find_stale([one for one in asked if _is_new(one, context)], context.policy, context.now, limit=len(asked))


def _find_aged(context: PhaseContext) -> list[MemoryHead]:
    rule = StaleRule(context.policy.prune, context.policy.decay, context.now)
    return context.uow.memories(context.store.id).find_heads(aged=rule)


def _say_why_none(context: PhaseContext, looked_at: int) -> str:
    if looked_at:
        return f"looked at {looked_at} that became stale: none is over, empty or held elsewhere"
    left = sum(is_stale(head, context.policy, context.now) for head in _find_aged(context))
    known = f" but for {left} that were decided on, and not written since" if left else ""
    return f"nothing is stale or low in importance{known}"


def _is_new(head: MemoryHead, context: PhaseContext) -> bool:
    """Tell whether a memory was not a candidate for the dream before: rules would say of it again what they said then."""
    before = context.store.last_dream_at
    return head.is_dirty or before is None or not is_stale(head, context.policy, before)


def _is_archived_by_rules(memory: Memory, near: Memory | None) -> bool:
    around = (Document(path=near.path, text=near.content, role="neighbour"),) if near else ()
    return decide_archiving(Document(path=memory.path, text=memory.content, role="candidate"), around) is not None


def _find_waiting(context: PhaseContext) -> frozenset[str]:
    """Return the ids of memories whose archiving waits for a person."""
    only = OperationFilter(kind=OperationKind.ARCHIVE)
    pending = context.uow.operations.find_pending(store_id=context.store.id, only=only, limit=_MAX_PROPOSED)
    return frozenset(
        change.memory_id for one in pending for change in one.operation.changes if isinstance(change, Retire)
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
    index = TextIndex(said)
    words = {head.id: significant_words(f"{head.title} {head.summary}", _NEIGHBOUR_WORDS) for head in stale}
    return {one: best for one, found in words.items() for best, _ in index.search(found, 1)}


def _find_near(context: PhaseContext, stale: list[MemoryHead], candidates: list[Memory]) -> dict[str, Memory]:
    """Return what a candidate could go into indeed, by its id: the closest of all may still be about something else."""
    closest = _find_closest(context, stale) if stale else {}
    around = context.uow.memories(context.store.id).find_live(list(dict.fromkeys(closest.values()))) if closest else []
    read = {memory.id: (memory, read_words(memory.content)) for memory in (*candidates, *around)}
    pairs = ((mine, its) for mine, its in closest.items() if mine in read and its in read)
    return {mine: read[its][0] for mine, its in pairs if _is_near(read[mine], read[its])}


def _is_near(candidate: tuple[Memory, ReadWords], other: tuple[Memory, ReadWords]) -> bool:
    """Tell whether two texts share enough of their words, or their titles half of the shorter one's."""
    (mine, words), (its, its_words) = candidate, other
    if similarity_of(words, its_words) >= _NEAR:
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
        around=around,
        loss=get_loss_budget(around.live_memories, around.already_retired, around.policy.safety),
    )
    return plan_pruning(view, answer.decisions)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
    needs_exam=True,
)
