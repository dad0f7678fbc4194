"""Orient: survey the store before anything is touched: how much there is, what changed, what waits from last time.

Reads heads and pending merges, never a whole text. Wants no operation. What it finds is kept with the dream: the
changed set, so that `finish` takes exactly these off it, and the number of live memories, which the loss cap goes by.
"""

from dataclasses import dataclass

from shared.core.memory import MemoryKind, domain_of, kind_of
from shared.core.operation import Plan, Skip
from workers.phase import Answers, NothingToDo, Phase, PhaseContext, Surroundings


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
    heads = context.uow.memories(context.store.id).find_heads()
    topics = [head for head in heads if kind_of(head.path) is MemoryKind.TOPIC]
    domains: dict[str, int] = {}
    for head in topics:
        domains[domain_of(head.path)] = domains.get(domain_of(head.path), 0) + 1
    return Inputs(
        live_memories=len(topics),
        dirty=tuple((head.id, head.version) for head in heads if head.is_dirty),
        changed_topics=sum(head.is_dirty for head in topics),
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


PHASE = Phase(
    name="orient",
    inputs_type=Inputs,
    read=read,
    plan=plan,
    may_emit=frozenset(),
    keeps_inputs=True,
    runs_after_deadline=True,
)
