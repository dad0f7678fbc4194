"""Contradictions on a real database: a person decides, and what was superseded is traceable, and undone."""

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import MemoryState
from shared.ports.dreams import RecordedOperation
from shared.services.memories.history import get_history
from shared.services.operations.review import approve_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import get_operations, run_dream, take_picture, texts, write
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction

STORE = {
    "shop/old.md": "# Session length\n\nA session of the shop lasts 15 minutes.\n",
    "shop/new.md": "# Session length\n\nA session of the shop lasts 20 minutes.\n",
}


def claiming(winner: str, loser: str) -> ScriptedLlm:
    pair = Contradiction(winner=winner, loser=loser, reason="15 minutes are not 20", confidence=0.99)
    return ScriptedLlm({"consolidate": ConsolidateAnswer(contradictions=(pair,))})


def retired_by(ports: Ports, tenant: str, model: ScriptedLlm) -> RecordedOperation:
    dream = run_dream(ports, tenant, model)
    (found,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
    return found


@pytest.fixture(autouse=True)
def store(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(STORE))


def test_a_contradiction_waits_for_a_person_and_hides_nothing(ports: Ports, tenant: str) -> None:
    held = retired_by(ports, tenant, claiming("shop/new.md", "shop/old.md"))
    assert (held.state, held.review) == (OperationState.PROPOSED, ReviewState.PENDING)
    live = {m.path for m in take_picture(ports, tenant).memories.values() if m.state == "live"}
    assert live >= STORE.keys()


def test_the_loser_stays_in_the_archive_with_its_specifics_and_names_what_won(ports: Ports, tenant: str) -> None:
    held = retired_by(ports, tenant, claiming("shop/new.md", "shop/old.md"))
    approve_operation(ports.db, ports.ids, tenant, held.id, actor="a test")
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(held.store_id)
        (loser,) = [one for one in memories.find_retired() if one.path == "shop/old.md"]
        winner = memories.find_by_path("shop/new.md")
    assert winner is not None
    assert (loser.state, loser.superseded_by) == (MemoryState.SUPERSEDED, winner.id)
    assert "15 minutes" in loser.content
    newest = get_history(ports.db, tenant, "default", "shop/old.md", limit=None).entries[0]
    assert newest.operation is not None
    assert "contradicts shop/new.md" in newest.operation.operation.reason


def test_undo_brings_the_loser_back_as_it_was(ports: Ports, tenant: str) -> None:
    before = take_picture(ports, tenant)
    held = retired_by(ports, tenant, claiming("shop/new.md", "shop/old.md"))
    approve_operation(ports.db, ports.ids, tenant, held.id, actor="a test")
    assert take_picture(ports, tenant) != before
    assert undo_dream(ports.db, tenant, held.dream_id, actor="a test").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_names_of_another_store_are_counted_and_touch_nothing(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"secret.md": "# Secret\n\nOf another agent.\n"}), store="other")
    dream = run_dream(ports, tenant, claiming("shop/new.md", "secret.md"))
    assert dream.summary is not None
    assert dream.summary.reasons["not_offered"] == 1
    assert not [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
