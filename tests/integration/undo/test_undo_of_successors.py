"""Undo of what other memories were merged into since: their texts have nowhere else to be, so they win."""

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ConflictError
from shared.core.memory.model import Memory, MemoryState
from shared.core.questions.question import Question
from shared.services.operations.review import reject_operation
from tests.integration.undo.undo_support import find_operation, undo
from tests.support.builders import a_store, get_operations, run_dream, take_picture, write
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

SAID = "Remember that the garden gate opens at seven."
SWARMCLAW = {
    "gates.enabled": True,
    "phases.consolidate": False,
    "phases.synthesize": False,
    "reflect.enabled": False,
    "phases.gather": True,
}


def _gather(question: Question) -> GatherAnswer | None:
    if question.phase != "gather":
        return None
    windows = [document.path for document in question.documents if document.role == "session"]
    found = GatheredMemory(kind="save", window=windows[0], quote=SAID, statement=SAID, confidence=0.9)
    return GatherAnswer(memories=(found,))


def _memories(ports: Ports, tenant: str) -> dict[str, Memory]:
    return {memory.path: memory for memory in take_picture(ports, tenant).memories.values()}


def _folded_into_what_a_dream_created(ports: Ports, tenant: str) -> tuple[Dream, Dream, str]:
    """Return the dream that created a memory, the one that folded an agent's into it, and the agent's path."""
    a_store(ports, tenant, profile="swarmclaw", overrides=SWARMCLAW)
    tell(ports, tenant, "s1", SAID)
    first = run_dream(ports, tenant, ScriptedLlm(_gather))
    created = next(op for op in get_operations(ports, tenant, first.id) if op.operation.kind is OperationKind.GATHER)
    gathered = created.effects[0].after
    path = gathered.path.removesuffix(".md") + "-copy.md"
    write(ports, tenant, {path: gathered.content})
    second = run_dream(ports, tenant)
    found = _memories(ports, tenant)
    assert found[path].state is MemoryState.SUPERSEDED
    assert found[path].superseded_by == gathered.id
    return first, second, path


def test_an_undo_keeps_a_memory_that_another_ones_text_was_folded_into(ports: Ports, tenant: str) -> None:
    first, _, path = _folded_into_what_a_dream_created(ports, tenant)
    text = _memories(ports, tenant)[path].content
    for force in (False, True):
        report = undo(ports, tenant, first, force=force)
        assert any(path in conflict for conflict in report.conflicts)
        live = {memory.content for memory in _memories(ports, tenant).values() if memory.state is MemoryState.LIVE}
        assert text in live


def test_after_the_fold_is_undone_the_older_dream_is_undone_whole(ports: Ports, tenant: str) -> None:
    first, second, path = _folded_into_what_a_dream_created(ports, tenant)
    undo(ports, tenant, second)
    assert undo(ports, tenant, first).conflicts == ()
    assert _memories(ports, tenant)[path].state is MemoryState.LIVE


def test_a_verdict_does_not_take_back_what_another_ones_text_was_folded_into(ports: Ports, tenant: str) -> None:
    first, _, path = _folded_into_what_a_dream_created(ports, tenant)
    with pytest.raises(ConflictError, match=path):
        reject_operation(ports.db, tenant, find_operation(ports, tenant, first, OperationKind.GATHER), actor="a person")
    states = {op.state for op in get_operations(ports, tenant, first.id) if op.operation.kind is OperationKind.GATHER}
    assert states == {OperationState.APPLIED}
