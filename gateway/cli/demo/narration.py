"""Narrate the demo's dream: knowledge from sessions, a preference, a memory that decays, each with its reason."""

from collections.abc import Collection, Sequence

from gateway.cli.console.output import out, say
from gateway.cli.console.session import Session
from gateway.cli.memories.memory import print_why
from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.errors import SlowwaveError
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.memory.provenance import read_sources
from shared.core.tenants.store import DEFAULT_STORE
from shared.core.upkeep.decay import decayed_importance
from shared.ports.dreams import RecordedOperation
from shared.services.memories.history import get_history

#: How the reason of an operation names the kinds of a wish.
_WISHES = ("(preference)", "(correction)")
_PRUNING = frozenset({OperationKind.ARCHIVE, OperationKind.KEEP, OperationKind.SUGGEST_MERGE})


def tell_sources(session: Session, tenant: str, operations: Sequence[RecordedOperation]) -> None:
    """Show the memories that were gathered from sessions, and why."""
    gathered = [op for op in operations if KINDS[op.operation.kind].brings_knowledge]
    if {op.operation.kind for op in gathered} != {OperationKind.GATHER, OperationKind.CORRECT}:
        raise SlowwaveError("The dream did not learn from the sessions; please report this")
    for recorded in gathered:
        path = recorded.effects[0].after.path
        why = get_history(session.ports.db, tenant, DEFAULT_STORE, path, limit=None)
        print_why(why)
        _print_body(why.memory)
        out.print()


def tell_preference(session: Session, tenant: str, operations: Sequence[RecordedOperation]) -> None:
    """Show the memory of a wish, and the words that it was made of."""
    gathered = (op for op in operations if op.operation.kind is OperationKind.GATHER)
    wish = next((op for op in gathered if any(kind in op.operation.reason for kind in _WISHES)), None)
    if wish is None:
        raise SlowwaveError("The dream found no wish in the sessions; please report this")
    why = get_history(session.ports.db, tenant, DEFAULT_STORE, wish.effects[0].after.path, limit=None)
    say(f"  {why.memory.path}", "bold")
    say(f"  because {wish.operation.reason}")
    for source in read_sources(why.memory.content):
        say(f"  {source.day}: “{source.quote}”")
    _print_body(why.memory)


def tell_faded(session: Session, tenant: str, operations: Sequence[RecordedOperation]) -> None:
    """Show the most decayed memory that `prune` reviewed, with its decay and the outcome."""
    applied = (one for one in operations if one.state is OperationState.APPLIED)
    pruned = {path: one.operation for one in applied if one.operation.kind in _PRUNING for path in _paths(one)}
    path = _find_most_faded(session, tenant, pruned)
    why = get_history(session.ports.db, tenant, DEFAULT_STORE, path, limit=None)
    if why.decay is None:
        raise SlowwaveError("No memory of the demo fades; please report this")
    say(f"  {path}", "bold")
    say(f"  {why.decay}")
    say(f"  prune looked at it: {pruned[path].kind}. {pruned[path].reason}")


def _paths(recorded: RecordedOperation) -> set[str]:
    return {effect.after.path for effect in recorded.effects}


def _find_most_faded(session: Session, tenant: str, paths: Collection[str]) -> str:
    """Return the path of the memory, live or archived, that lost the most importance."""
    with session.ports.db.transaction(tenant) as uow:
        store, now = uow.stores.get(DEFAULT_STORE), uow.now()
        memories = uow.memories(store.id)
        found = [memory for memory in (*memories.find_live(), *memories.find_retired()) if memory.path in paths]
    if not found:
        raise SlowwaveError("The dream pruned nothing; please report this")
    decay = store.policy.decay

    def loss(memory: Memory) -> float:
        signals = memory.signals
        return signals.importance - decayed_importance(signals, memory.touched_at, now, decay)

    return max(found, key=lambda memory: (loss(memory), memory.path)).path


def _print_body(memory: Memory) -> None:
    for line in body_of(memory.content).strip().splitlines():
        say(f"  │ {line}", "dim", hang=4)
