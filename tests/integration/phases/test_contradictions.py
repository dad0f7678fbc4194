"""Contradictions on a real database: superseded, traceable, undone."""

from datetime import timedelta

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import MemoryState
from shared.services.memories.history import get_history
from shared.services.operations.undo import undo_dream
from tests.support.builders import LONG_AGO, get_operations, run_dream, take_picture, texts, write
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction

OLD = "# Session length\n\nA session of the shop lasts 15 minutes.\n"
NEW = "# Session length\n\nA session of the shop lasts 20 minutes.\n"


def answering(winner: str, loser: str) -> ScriptedLlm:
    said = {path: text.strip().splitlines()[-1] for path, text in (("shop/old.md", OLD), ("shop/new.md", NEW))}
    pair = Contradiction(
        winner=winner,
        loser=loser,
        winner_quote=said.get(winner, ""),
        loser_quote=said.get(loser, ""),
        reason="15 minutes are not 20",
    )
    return ScriptedLlm({"consolidate": ConsolidateAnswer(contradictions=(pair,))})


def write_both(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"shop/old.md": OLD}, at=LONG_AGO))
    write(ports, tenant, texts({"shop/new.md": NEW}, at=LONG_AGO + timedelta(days=9)))


def test_the_loser_stays_in_the_archive_with_its_specifics_and_names_what_won(ports: Ports, tenant: str) -> None:
    write_both(ports, tenant)
    dream = run_dream(ports, tenant, answering("shop/new.md", "shop/old.md"))
    (operation,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(operation.store_id)
        (loser,) = [one for one in memories.find_retired() if one.path == "shop/old.md"]
        winner = memories.find_by_path("shop/new.md")
    assert winner is not None
    assert (loser.state, loser.superseded_by) == (MemoryState.SUPERSEDED, winner.id)
    assert "15 minutes" in loser.content
    newest = get_history(ports.db, tenant, "default", "shop/old.md", limit=None).entries[0]
    assert newest.operation is not None
    assert "contradicts shop/new.md" in newest.operation.operation.reason


def test_undo_brings_the_loser_back_as_it_was(ports: Ports, tenant: str) -> None:
    write_both(ports, tenant)
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, answering("shop/new.md", "shop/old.md"))
    assert take_picture(ports, tenant) != before
    assert undo_dream(ports.db, tenant, dream.id, actor="a test").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_names_of_another_store_are_counted_and_touch_nothing(ports: Ports, tenant: str) -> None:
    write_both(ports, tenant)
    write(ports, tenant, texts({"secret.md": "# Secret\n\nOf another agent.\n"}, at=LONG_AGO), store="other")
    dream = run_dream(ports, tenant, answering("shop/new.md", "secret.md"))
    assert dream.summary is not None
    assert dream.summary.reasons["not_offered"] == 1
    assert not [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]


def test_a_contradiction_that_the_host_does_not_see_waits_for_a_person_and_retires_nothing(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts({"shop/old.md": OLD, "shop/new.md": NEW}, at=LONG_AGO))
    claim = Contradiction(winner="shop/new.md", loser="shop/old.md", reason="I have no idea", confidence=0.99)
    dream = run_dream(ports, tenant, ScriptedLlm({"consolidate": ConsolidateAnswer(contradictions=(claim,))}))
    (held,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
    assert (held.state, held.review) == (OperationState.PROPOSED, ReviewState.PENDING)
    assert "was quoted" in held.note
    assert {"shop/old.md", "shop/new.md"} <= {
        m.path for m in take_picture(ports, tenant).memories.values() if m.state == "live"
    }


def test_a_memory_that_won_is_not_retired_by_the_next_dream(ports: Ports, tenant: str) -> None:
    write_both(ports, tenant)
    run_dream(ports, tenant, answering("shop/new.md", "shop/old.md"))
    newest = NEW.replace("20 minutes", "25 minutes")
    write(ports, tenant, texts({"shop/newest.md": newest}))
    claim = Contradiction(
        winner="shop/newest.md",
        loser="shop/new.md",
        winner_quote="A session of the shop lasts 25 minutes.",
        loser_quote="A session of the shop lasts 20 minutes.",
    )
    dream = run_dream(ports, tenant, ScriptedLlm({"consolidate": ConsolidateAnswer(contradictions=(claim,))}))
    (held,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
    assert held.state is OperationState.PROPOSED
    assert "short while ago" in held.note
