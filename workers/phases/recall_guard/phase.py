"""Recall guard: search for what this dream touched, and put back operations after which it is no longer found.

Reads this dream's operations, the live texts, and the stubs of what it archived. Runs after all phases that change
knowledge and before the index, so that the index is correct afterwards. May propose PUT_BACK, which reverts an earlier
operation and is flagged. Needs no model.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from shared.core.dream.operations import KINDS, Plan
from shared.core.evaluation.around_dream import Touched, after_the_dream, before_the_dream, searched, with_stubs
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import MemoryKind
from shared.services.index_cache import INDEX_CACHE
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import find_touched
from workers.phases.recall_guard import ENTRY
from workers.phases.recall_guard.plan import (
    Corpus,
    decide_failed,
    decide_missed,
    draw_probes,
    plan_put_back,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """This dream's operations, oldest first, and the live texts after them, by path."""

    store_id: str
    touched: tuple[Touched, ...]
    texts: dict[str, str]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the operations in force (in a dry run: the planned ones) and the texts that agents can find."""
    touched = find_touched(context.uow, context.dream)
    if not any(KINDS[one.kind].is_probed for one in touched):
        return NothingToDo("nothing was changed that could be lost")
    live = context.uow.memories(context.store.id).find_texts()
    texts = {one.path: searched(one.text) for one in live if kind_of_text(one.path, one.text) is MemoryKind.TOPIC}
    return Inputs(
        store_id=context.store.id,
        touched=touched,
        texts=after_the_dream(texts, touched) if context.dream.is_dry_run else texts,
    )


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Draw the probes, and put back operations whose probes fail."""
    probes = draw_probes(inputs.touched)
    with _corpus(inputs.store_id, with_stubs(inputs.texts, inputs.touched)) as now:
        missed = decide_missed(probes, inputs.touched, now)
    if not missed:
        return plan_put_back(probes, (), inputs.touched)
    with _corpus(inputs.store_id, before_the_dream(inputs.texts, inputs.touched)) as before:
        return plan_put_back(probes, decide_failed(missed, before), inputs.touched)


@contextmanager
def _corpus(store_id: str, texts: Mapping[str, str]) -> Iterator[Corpus]:
    with INDEX_CACHE.borrow(store_id, texts.items()) as index:
        yield Corpus(texts=texts, index=index)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    runs_after_deadline=True,
    runs_when_canceled=True,
)
