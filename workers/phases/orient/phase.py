"""Orient: survey the store before anything is touched: how much there is, what changed, what waits from last time.

Reads paths, versions and pending merges, never a text, and wants no operation. The survey is kept with the dream: the changed
set, so that the end of the dream clears exactly these, and the number of live memories, which sets the loss cap. Every question
of the dream begins with the names of the largest domains; what else one needs to know, its phase finds by search.
"""

from dataclasses import dataclass

from shared.core.dream.model import Survey
from shared.core.dream.operations import Plan, Skip
from shared.core.memory.model import MemoryKind, kind_of
from workers.phase.shape import Answers, Consumed, EndedPhase, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.orient import ENTRY

#: The most domains that a prompt names: every question pays for them.
_SHOWN_DOMAINS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The survey."""

    live_memories: int
    dirty: tuple[tuple[str, int], ...]  # (memory id, version) of everything in the changed set
    changed_topics: int
    domains: dict[str, int]
    pending_merges: int
    curations: int
    sessions: int


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Count what is there."""
    changed = context.uow.memories(context.store.id).find_changed()
    domains = context.uow.tree(context.store.id).count_topics()
    return Inputs(
        live_memories=sum(domains.values()),
        dirty=tuple((line.id, line.version) for line in changed),
        changed_topics=sum(kind_of(line.path) is MemoryKind.TOPIC for line in changed),
        domains=domains,
        pending_merges=len(context.uow.merges(context.store.id).find_open()),
        curations=context.store.curations,
        sessions=context.store.sessions,
    )


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Want nothing; say it when there is nothing new."""
    if inputs.changed_topics == 0:
        return Plan(skips=(Skip(code="nothing_changed", detail="no memory changed since the last dream"),))
    return Plan()


def survey(inputs: Inputs) -> Survey:
    """Return the numbers by which later phases bound what they may lose, and the domains that their questions begin with."""
    largest = sorted(inputs.domains.items(), key=lambda one: (-one[1], one[0]))[:_SHOWN_DOMAINS]
    return Survey(live_memories=inputs.live_memories, changed_topics=inputs.changed_topics, domains=dict(largest))


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Use up the changed set and the activity that the survey has found, as far as other phases have read them."""
    found = ended.inputs
    if found is None:
        return Consumed()
    return Consumed(changed=found.dirty, curations=found.curations, session_activity=found.sessions)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    survey=survey,
    consume=consume,
    keeps_inputs=True,
    runs_after_deadline=True,
)
