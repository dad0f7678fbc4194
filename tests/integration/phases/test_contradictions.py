"""Contradictions on a real database: superseded, traceable, undone."""

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import MemoryState
from shared.services.memories.history import get_history
from shared.services.operations.undo import undo_dream
from tests.support.builders import LONG_AGO, get_operations, run_dream, take_picture, texts, write
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction

OLD = "# Session length\n\nA session of the shop lasts 15 minutes. Valued by Nadia.\n"
NEW = "---\ntags: [correction]\n---\n# Session length\n\nA session of the shop lasts 20 minutes.\n"


def answering(winner: str, loser: str) -> ScriptedLlm:
    pair = Contradiction(winner=winner, loser=loser, reason="15 minutes are not 20")
    return ScriptedLlm({"consolidate": ConsolidateAnswer(contradictions=(pair,))})


def test_the_loser_stays_in_the_archive_with_its_specifics_and_names_what_won(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"shop/old.md": OLD, "shop/new.md": NEW}, at=LONG_AGO))
    dream = run_dream(
        ports, tenant, answering("shop/old.md", "shop/new.md")
    )  # a correction wins whatever the model says
    (operation,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(operation.store_id)
        (loser,) = [one for one in memories.find_retired() if one.path == "shop/old.md"]
        winner = memories.find_by_path("shop/new.md")
    assert winner is not None
    assert (loser.state, loser.superseded_by) == (MemoryState.SUPERSEDED, winner.id)
    assert "Valued by Nadia" in loser.content
    newest = get_history(ports.db, tenant, "default", "shop/old.md", limit=None).entries[0]
    assert newest.operation is not None
    assert "contradicts shop/new.md" in newest.operation.operation.reason


def test_undo_brings_the_loser_back_as_it_was(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"shop/old.md": OLD, "shop/new.md": NEW}, at=LONG_AGO))
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, answering("shop/new.md", "shop/old.md"))
    assert take_picture(ports, tenant) != before
    assert undo_dream(ports.db, tenant, dream.id, actor="a test").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_names_of_another_store_are_counted_and_touch_nothing(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"shop/old.md": OLD, "shop/new.md": NEW}, at=LONG_AGO))
    write(ports, tenant, texts({"secret.md": "# Secret\n\nOf another agent.\n"}, at=LONG_AGO), store="other")
    dream = run_dream(ports, tenant, answering("shop/new.md", "secret.md"))
    assert dream.summary is not None
    assert dream.summary.reasons["not_offered"] == 1
    assert not [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.RETIRE]
