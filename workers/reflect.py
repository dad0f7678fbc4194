"""The second question of synthesize: the top memories of a store, to be reflected on."""

from collections.abc import Sequence

from shared.core import scoring
from shared.core.answers import ReflectAnswer
from shared.core.decay import fade_heads
from shared.core.doc_type import DREAMT
from shared.core.flagged import find_shown
from shared.core.memory import ROOT_DOMAIN, Memory, MemoryHead, MemoryKind, domain_of, is_ordinary_domain, kind_of
from shared.core.merge_arithmetic import describe_times
from shared.core.operation import Flag, Skip
from shared.core.question import Document, Question
from workers.phase import PhaseContext

KEY = "reflection"
#: The newest ones: who has decided more than these may be asked about the oldest again.
_MAX_FLAGS = 2_000


def find_top_memories(context: PhaseContext, heads: Sequence[MemoryHead]) -> tuple[Memory, ...] | Skip:
    """Return the memories to reflect on, best first, or why there is no reflection.

    Args:
        context: of the phase.
        heads: the most important memories of each domain.
    """
    policy = context.policy.reflect
    if not policy.enabled:
        return Skip(code="reflection_off", detail=f"reflection is off in profile {context.policy.profile!r}")
    faded = fade_heads(heads, context.now, context.policy.decay)
    usable = [head for head in faded if _is_knowledge(head)]
    if len(usable) < policy.min_memories:
        detail = f"reflection: fewer than {policy.min_memories} memories ({len(usable)})"
        return Skip(code="too_few_memories", detail=detail)
    ranked = sorted(
        usable, key=lambda h: (-scoring.compound_score(0, h.signals, h.updated_at, context.now), h.path)
    )  # fmt: skip
    order = {head.id: place for place, head in enumerate(ranked[: policy.max_memories])}
    found = context.uow.memories(context.store.id).find_live(list(order))
    return tuple(sorted(found, key=lambda memory: order[memory.id]))


def find_flagged(context: PhaseContext) -> frozenset[str]:
    """Return what a person was shown, whether it still waits or was decided: nobody is asked the same twice."""
    recorded = context.uow.operations.find_flags(context.store.id, _MAX_FLAGS)
    return find_shown(
        (change, one.review) for one in recorded for change in one.operation.changes if isinstance(change, Flag)
    )


def _is_knowledge(head: MemoryHead) -> bool:
    """Tell whether a memory is somebody's knowledge: what dreams wrote is not reflected on again."""
    domain = domain_of(head.path)
    is_place = domain == ROOT_DOMAIN or is_ordinary_domain(domain)
    return is_place and kind_of(head.path) is MemoryKind.TOPIC and head.doc_type not in DREAMT


def reflect_question(memories: Sequence[Memory], preview_chars: int) -> Question:
    """Return the question, with each memory cut to its beginning."""
    documents = tuple(
        Document(path=m.path, text=m.content[:preview_chars], role="memory", facts=(describe_times(m),))
        for m in memories
    )
    return Question(
        phase="synthesize", key=KEY, documents=documents, answer_type=ReflectAnswer, instructions_name="reflect"
    )
