"""Recall guard: what this dream touched must still be found; an operation that fails its probe is put back.

Reads this dream's operations and the live texts; runs after all that change knowledge and before the index, so that the
index is right afterwards. May want PUT_BACK, which takes an earlier operation back and is flagged. Needs no model.
"""

from dataclasses import dataclass

from shared.core.dream import OperationState
from shared.core.memory import MemoryKind, kind_of
from shared.core.operation import OperationKind, Plan
from shared.core.recall_guard import (
    Corpus,
    Touched,
    after_the_dream,
    before_the_dream,
    decide_failed,
    draw_probes,
    is_guarded,
    plan_put_back,
)
from shared.ports.dream_book import RecordedOperation
from workers.phase import Answers, NothingToDo, Phase, PhaseContext, Surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """This dream's operations, oldest first, and the live texts by id as they are after them."""

    touched: tuple[Touched, ...]
    texts: dict[str, str]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect what is in force (in a dry run: what would be) and the texts that agents can find."""
    wanted = OperationState.SKIPPED if context.dream.is_dry_run else OperationState.APPLIED
    recorded = [op for op in context.uow.operations.find_all(context.dream.id) if op.state is wanted and op.effects]
    touched = tuple(_touched(op) for op in recorded)
    if not any(is_guarded(one) for one in touched):
        return NothingToDo("nothing was changed that could be lost")
    live = context.uow.memories(context.store.id).find_texts()
    texts = {memory_id: text for memory_id, path, text in live if kind_of(path) is MemoryKind.TOPIC}
    return Inputs(touched=touched, texts=after_the_dream(texts, touched) if context.dream.is_dry_run else texts)


def _touched(recorded: RecordedOperation) -> Touched:
    return Touched(
        operation_id=recorded.id,
        kind=recorded.operation.kind,
        before=tuple(effect.before for effect in recorded.effects if effect.before is not None),
        after=tuple(effect.after for effect in recorded.effects),
    )


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Draw the probes, and put back what fails them."""
    probes = draw_probes(inputs.touched)
    failed = decide_failed(
        probes,
        inputs.touched,
        Corpus.of(inputs.texts),
        lambda: Corpus.of(before_the_dream(inputs.texts, inputs.touched)),
    )
    return plan_put_back(probes, failed, inputs.touched)


PHASE = Phase(
    name="recall_guard",
    inputs_type=Inputs,
    read=read,
    plan=plan,
    may_emit=frozenset({OperationKind.PUT_BACK}),
    runs_after_deadline=True,
    runs_when_canceled=True,
)
