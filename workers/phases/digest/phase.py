"""Digest: sum up the last 24 hours in three to seven bullets. The phase of digest dreams.

Reads memories that are new or rewritten since then, except texts of dreams and memories in an earlier digest: at most
30, the most important first, each cut to its beginning. May propose DIGEST, once a day in the tenant's time zone. The
memories stay unchanged. Prompt: prompt.md.
"""

from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.operations import Plan, Skip
from shared.core.memory import importance as scoring
from shared.core.memory.model import Memory
from shared.core.merging.times import describe_times
from shared.core.questions.question import Document, Question
from shared.core.upkeep.due import min_fresh_memories
from shared.services.dreams.start_upkeep import find_fresh
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.digest import ENTRY, NAME
from workers.phases.digest.answer import DigestAnswer
from workers.phases.digest.offline import decide_digest
from workers.phases.digest.plan import DigestView, plan_digest

_KEY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call. `found` counts all new memories, including those that are not shown."""

    day: str
    since: datetime
    until: datetime
    memories: tuple[Memory, ...]
    found: int
    preview_chars: int


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find the memories for the digest."""
    policy = context.policy.digest
    fresh = find_fresh(context.uow, context.uow.stores.get_tenant(), context.store, force=context.dream.is_forced)
    if fresh.is_done:
        return NothingToDo(f"there is a digest of {fresh.day} already")
    if len(fresh.heads) < (needed := min_fresh_memories(policy, force=context.dream.is_forced)):
        return NothingToDo(f"fewer than {needed} new memories ({len(fresh.heads)})")
    ranked = sorted(
        fresh.heads, key=lambda h: (-scoring.compound_score(0, h.signals, h.updated_at, context.now), h.path)
    )  # fmt: skip
    order = {head.id: place for place, head in enumerate(ranked[: policy.max_memories])}
    found = context.uow.memories(context.store.id).find_live(list(order))
    return Inputs(
        day=fresh.day,
        since=fresh.since,
        until=context.now,
        memories=tuple(sorted(found, key=lambda memory: order[memory.id])),
        found=len(fresh.heads),
        preview_chars=policy.preview_chars,
    )


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over the beginnings of the memories."""
    documents = tuple(
        Document(path=m.path, text=m.content[: inputs.preview_chars], role="memory", facts=(describe_times(m),))
        for m in inputs.memories
    )
    return (Question(phase=NAME, key=_KEY, documents=documents, answer_type=DigestAnswer, without_model=decide_digest),)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn the bullets into a digest, subject to all rules."""
    answer = answers.get(_KEY)
    if not isinstance(answer, DigestAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    view = DigestView(
        day=inputs.day,
        since=inputs.since,
        until=inputs.until,
        offered={memory.path: memory for memory in inputs.memories},
        memories=inputs.found,
        policy=around.policy.digest,
    )
    return plan_digest(view, answer)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
)
