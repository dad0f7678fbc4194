"""Measure recall: ask the same questions of the store before and after this dream, and count which answers a search finds.

Reads this dream's operations, the live texts, the store's own questions, and what users asked in its newest sessions. The other
questions are facts of the texts before the dream, drawn over the whole store. So the counts tell what the dream did to recall;
`slowwave evaluate` asks more, of more readers. Runs last. Proposes no operation, never changes a memory, and needs no model. It cannot
read what agents searched for: that is asked again when the dream has ended (workers/dream/recall.py), and half of the questions that
its facts would take are left to it in a store that keeps a log of searches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from shared.core.dream.operations import Plan
from shared.core.dream.recall import ProbeKind, Recall, count_recall
from shared.core.evaluation.around_dream import Touched, after_the_dream, before_the_dream, searched
from shared.core.evaluation.probes import Probe, Turn, WrittenText, draw_pairs, draw_said, probes_of_owner
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import ANY_DAY, MAX_PROBES, find_topics, find_topics_touched, measure
from workers.phase.turns import find_turns
from workers.phases.measure_recall import ENTRY, MOST_OWN

#: Of what users asked, no more is asked again: it is the newest, and sessions are long.
_MOST_SAID, _SESSIONS, _EVENTS = 30, 20, 60
#: Of a store with few facts, no more texts are read for them.
MAX_READ = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """This dream's operations, oldest first, and the live texts after them, by path; indexes are left out of both.

    Attributes:
        own: the store's own questions, as rows.
        turns: what was said in its newest sessions.
        is_logged: the store keeps a log of searches, of which some are asked when the dream has ended.
    """

    store_id: str
    touched: tuple[Touched, ...]
    texts: dict[str, str]
    own: Sequence[Mapping[str, object]] = ()
    turns: Sequence[Turn] = ()
    is_logged: bool = False


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the operations in force (in a dry run: the planned ones), the texts that agents can find, and what is asked."""
    touched = find_topics_touched(context.uow, context.dream)
    if not touched:
        return NothingToDo("no knowledge was changed")
    texts = {one.path: searched(one.text) for one in find_topics(context.uow, context.store.id)}
    return Inputs(
        store_id=context.store.id,
        touched=touched,
        texts=after_the_dream(texts, touched) if context.dream.is_dry_run else texts,
        own=context.uow.probes(context.store.id).find_all(),
        turns=tuple(find_turns(context.uow, context.store.id, sessions=_SESSIONS, events=_EVENTS)),
        is_logged=context.policy.evidence.log_searches,
    )


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Propose nothing, and count."""
    counts = [count_recall(kind, recall) for kind, recall in measure_kinds(inputs).items()]
    return Plan(counts={name: number for found in counts for name, number in found.items()})


def measure_kinds(inputs: Inputs) -> dict[ProbeKind, Recall]:
    """Return how many answers are found before and after the dream, for each kind of questions of which there are some."""
    earlier = before_the_dream(inputs.texts, inputs.touched)
    probes = _draw(inputs, earlier)
    return measure(inputs.store_id, inputs.touched, inputs.texts, earlier, probes)


def _draw(inputs: Inputs, earlier: Mapping[str, str]) -> list[Probe]:
    own = {one.key: one for one in probes_of_owner(inputs.own)}
    said = {one.key: one for one in draw_said(inputs.turns, _MOST_SAID)}
    chosen = [*islice(own.values(), MOST_OWN), *said.values()]
    left = MAX_PROBES - len(chosen)
    written = [WrittenText(path=path, content=text, at=ANY_DAY) for path, text in earlier.items()]
    return [*chosen, *draw_pairs(written, left // 2 if inputs.is_logged else left, MAX_READ)]


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    runs_after_deadline=True,
    runs_when_canceled=True,
)
