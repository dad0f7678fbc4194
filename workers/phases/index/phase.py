"""Index: rebuild `MEMORY.md` and the `_index.md` of each domain after every other change.

Reads heads, without what has expired or is hidden from agents, the index files, and where merged memories went. May want INDEX; a second run changes nothing. Text by hand
stays where it is; a root file with too much of it gets a proposal. Needs no model.
"""

from dataclasses import dataclass, field, replace

from shared.core.dream.operations import OperationKind, Plan
from shared.core.dream.verdicts import texts_fingerprint
from shared.core.memory.expiry import has_expired
from shared.core.memory.index_text import by_hand
from shared.core.memory.model import ROOT_INDEX, Memory, MemoryHead, MemoryKind, kind_of
from shared.core.trust.hidden import is_shown, least_of
from shared.core.upkeep.decay import decay_heads
from shared.core.upkeep.due import local_date
from shared.services.operations.follow_up import find_written
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.index import ENTRY
from workers.phases.index.handwritten import is_changed, room_of
from workers.phases.index.plan import plan_index
from workers.phases.index.root import IndexView


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the index."""

    heads: tuple[MemoryHead, ...]
    indexes: dict[str, Memory]
    moved: dict[str, str]
    written: dict[str, str] = field(default_factory=dict)
    decided: str = ""


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect heads and index files."""
    store = context.uow.memories(context.store.id)
    heads = store.find_heads()
    if not heads:
        return NothingToDo("the store is empty")
    indexes = store.find_live([head.id for head in heads if kind_of(head.path) is MemoryKind.INDEX])
    paths = {head.id: head.path for head in heads}
    moved = {path: paths.get(successor or "", "") for path, successor in store.find_moves()}
    by_path = {memory.path: memory for memory in indexes}
    root = by_path.get(ROOT_INDEX)
    least = least_of(context.policy.recall)
    today = local_date(context.now, context.uow.stores.get_tenant().time_zone)
    return Inputs(
        heads=tuple(
            head for head in heads if not has_expired(head.expires, today) and is_shown(head.path, head.trust, least)
        ),
        indexes=by_path,
        moved=moved,
        written={memory.path: find_written(store, memory) for memory in indexes if is_changed(memory)},
        decided=_find_decided(context, root) if root else "",
    )


def _find_decided(context: PhaseContext, root: Memory) -> str:
    """Return the verdict on the proposal for the text by hand of a root file, or that it waits for one."""
    text = by_hand(root.content)
    room = room_of(context.policy.index, text)
    if min(room.lines, room.bytes) >= 0:
        return ""
    fingerprint = texts_fingerprint(OperationKind.INDEX, [replace(root, content=text)])
    verdict = context.uow.verdicts(context.store.id).find(fingerprint)
    return verdict.describe() if verdict else ""


def plan(inputs: Inputs, _answers: Answers, around: Surroundings) -> Plan:
    """Write the indexes that would differ."""
    heads = decay_heads(inputs.heads, around.now, around.policy.decay)
    view = IndexView(
        heads=heads,
        indexes=inputs.indexes,
        moved=inputs.moved,
        policy=around.policy.index,
        written=inputs.written,
        decided=inputs.decided,
    )
    return plan_index(view)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    runs_after_deadline=True,
    makes_vectors=True,  # of what this dream wrote, so that a search finds it by its meaning
)
