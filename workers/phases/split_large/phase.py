"""Split large: turn a memory that is too large into a hub with parts, cut at its headings.

Reads the largest memories that are neither pinned nor a log, and where one is to be cut, the live texts for links to its
headings. May want SPLIT, which is proposed unless the store's `split.without_review` says otherwise. Never changes, drops or
adds a statement: which lines go where is decided by rules, and a model may only name parts or keep the memory whole.
Prompt: prompt.md.
"""

from dataclasses import dataclass
from functools import partial

from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Operation, OperationKind, Plan, Rewrite, Skip
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.questions.fingerprint import text_fingerprint
from shared.core.questions.question import Document, Question
from shared.core.splitting.cut import find_cut
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.split_large import ENTRY, NAME
from workers.phases.split_large.answer import SplitAnswer
from workers.phases.split_large.plan import RestOfStore, is_splittable, outline_of, plan_split, without_claimed

#: The most proposals that are read: waiting ones, the oldest first, and rejected ones, the newest first.
_MOST_DECIDED = 500
_WAITS = "the split of what is too large waits for a review"
_MOST_SAID = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The memories that are too large with their outlines, and what may link to them."""

    large: tuple[Memory, ...]
    outlines: dict[str, str]
    linking: tuple[Memory, ...]
    live_paths: frozenset[str]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find what is too large and can be cut."""
    policy = context.policy.split
    store = context.uow.memories(context.store.id)
    heads = store.find_heads(over_chars=min(policy.min_chars, policy.max_chars))
    found = sorted(filter(is_splittable, heads), key=lambda one: (not one.is_dirty, -one.size_chars, one.path))
    if not found:
        return NothingToDo("no memory is too large")
    loaded = store.find_live([one.id for one in found[: policy.max_memories]])
    large = [one for one in loaded if find_cut(one.content, policy) is not None]
    if not large:
        return NothingToDo(f"none of the {len(loaded)} largest memories is too large and has headings to be cut at")
    decided = _find_decided(context)
    known = sorted({decided[one] for one in map(text_fingerprint, large) if one in decided})
    large = [one for one in large if text_fingerprint(one) not in decided]
    if not large:
        return NothingToDo("; ".join(known[:_MOST_SAID]))
    lines = store.find_texts()
    names = {_stem(one.path) for one in large}
    linking = [
        line.id
        for line in lines
        if "#" in line.text and kind_of(line.path) is MemoryKind.TOPIC and any(name in line.text for name in names)
    ]
    return Inputs(
        large=tuple(sorted(large, key=lambda one: one.path)),
        outlines={one.path: outline_of(one, policy) for one in large},
        linking=tuple(one for one in store.find_live(linking) if not one.signals.pinned),
        live_paths=frozenset(line.path for line in lines),
    )


def _find_decided(context: PhaseContext) -> dict[str, str]:
    """Return why a text is not asked about, by its fingerprint: its split waits for a person, or was rejected by one.

    A text that has changed since has another fingerprint; `forget` lets a rejected one come again.
    """
    refused = context.uow.verdicts(context.store.id).find_refused(OperationKind.SPLIT, _MOST_DECIDED)
    pending = context.uow.operations.find_pending(
        store_id=context.store.id, only=OperationFilter(kind=OperationKind.SPLIT), limit=_MOST_DECIDED
    )
    found: dict[str, str] = {}
    for effects, why in (
        *((effects, f"a split was {verdict.describe()}") for verdict, effects in reversed(refused)),
        *((one.effects, _WAITS) for one in pending),
    ):
        if effects and effects[0].before is not None:
            found[text_fingerprint(effects[0].before)] = why
    return found


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask for each memory by itself whether it is one whole, and how its parts are called."""
    return tuple(
        Question(
            phase=NAME,
            key=memory.id,
            documents=(
                Document(path=memory.path, text=memory.content, role="large", excerpt=inputs.outlines[memory.path]),
            ),
            answer_type=SplitAnswer,
            without_model=lambda _: SplitAnswer(),  # each part is named by its heading
        )
        for memory in inputs.large
    )


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn each answer into a split; a memory whose question has no answer stays as it is."""
    results: list[Operation | Skip] = []
    claimed: dict[str, str] = {memory.id: memory.path for memory in inputs.large}
    split = partial(
        plan_split,
        around=RestOfStore(linking=inputs.linking, live_paths=inputs.live_paths),
        policy=around.policy.split,
    )
    for memory in inputs.large:
        answer = answers.get(memory.id)
        if not isinstance(answer, SplitAnswer):
            continue
        result = split(memory, answer)
        if isinstance(result, Operation):
            result = without_claimed(result, claimed)
            claimed |= {change.memory_id: change.path for change in result.changes if isinstance(change, Rewrite)}
        results.append(result)
    return Plan(
        operations=tuple(one for one in results if isinstance(one, Operation)),
        skips=tuple(one for one in results if isinstance(one, Skip)),
    )


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
)
