"""Measure recall: ask the same questions of the store before and after this dream, and count which answers a search finds.

Reads this dream's operations and the live texts. The questions are facts of the texts before the dream, drawn over the whole store, so
the counts tell what the dream did to recall; `slowwave evaluate` asks more, of more readers. Runs last. Proposes no operation, never
changes a memory, and needs no model. It cannot read what agents searched for: that is asked again when the dream has ended
(workers/dream/recall.py), and half of the questions are left to it in a store that keeps a log of searches.
"""

from dataclasses import dataclass

from shared.core.dream.operations import Plan
from shared.core.evaluation.around_dream import LOST_BY, Touched, after_the_dream, before_the_dream, searched
from shared.core.evaluation.probes import WrittenText, draw_pairs
from shared.core.policy.policy import Policy
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import ANY_DAY, MAX_PROBES, find_topics, find_topics_touched, measure
from workers.phases.measure_recall import ENTRY

#: Of a store with few facts, no more texts are read for them.
MAX_READ = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """This dream's operations, oldest first, and the live texts after them, by path; indexes are left out of both.

    Attributes:
        most: the number of questions that are asked.
    """

    store_id: str
    touched: tuple[Touched, ...]
    texts: dict[str, str]
    most: int = MAX_PROBES


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the operations in force (in a dry run: the planned ones) and the texts that agents can find."""
    touched = find_topics_touched(context.uow, context.dream)
    if not touched:
        return NothingToDo("nothing was changed that could be lost")
    texts = {one.path: searched(one.text) for one in find_topics(context.uow, context.store.id)}
    return Inputs(
        store_id=context.store.id,
        touched=touched,
        texts=after_the_dream(texts, touched) if context.dream.is_dry_run else texts,
        most=count_questions(context.policy),
    )


def count_questions(policy: Policy) -> int:
    """Return how many facts are asked for: half of all questions are left to what agents searched for, where that is logged."""
    return MAX_PROBES // 2 if policy.evidence.log_searches else MAX_PROBES


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Propose nothing, and count."""
    return Plan(counts=count_pairs(inputs))


def count_pairs(inputs: Inputs) -> dict[str, int]:
    """Return how many facts are found before and after, by the names of a summary's counts."""
    earlier = before_the_dream(inputs.texts, inputs.touched)
    written = [WrittenText(path=path, content=text, at=ANY_DAY) for path, text in earlier.items()]
    probes = draw_pairs(written, inputs.most, MAX_READ)
    found = measure(inputs.store_id, inputs.touched, inputs.texts, earlier, probes)
    return {
        "recall_asked": found.asked,
        "recall_before": found.before,
        "recall_after": found.after,
        "recall_lost": found.lost,
    } | {f"{LOST_BY}{operation}": number for operation, number in found.lost_by.items()}


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    runs_after_deadline=True,
    runs_when_canceled=True,
)
