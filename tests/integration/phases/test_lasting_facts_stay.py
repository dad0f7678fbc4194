"""Forced dreams without a model over old notes: facts that last stay live, and what goes has a successor or says that it is over."""

from datetime import UTC, datetime, timedelta

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.memory.model import Memory, MemoryKind, MemoryState, Signals, kind_of
from shared.services.operations.undo import undo_dream
from tests.integration.phases.change_gate_support import sweep_dream
from tests.support.builders import LONG_AGO, take_picture, texts, write
from workers.phases.prune.answer import PruneAnswer, PruneDecision

FACTS = {
    "people/allergy.md": "The user is allergic to peanuts.\n",
    "ops/primary.md": "Never restart the primary while a backup runs.\n",
    "ops/owners.md": "The platform team owns the billing service and is on call in even weeks.\n",
    "people/drinks.md": "prefers tea\n",
    "people/diet.md": "用户对花生过敏\n",
    "support/call.md": "# Call back\n\nCall them back about the question.\n",
}


def dream_over(
    ports: Ports,
    tenant: str,
    old: dict[str, str],
) -> dict[str, Memory]:
    """Return the topics of a store by path after three forced dreams over notes of half a year ago."""
    half_a_year_ago = datetime.now(UTC) - timedelta(days=183)
    write(ports, tenant, texts(old, signals=Signals(importance=10), at=half_a_year_ago))
    for _ in range(3):
        sweep_dream(ports, tenant, OfflineLlm(), force=True)
    found = take_picture(ports, tenant).memories.values()
    return {one.path: one for one in found if kind_of(one.path) is MemoryKind.TOPIC}


def test_six_facts_noted_half_a_year_ago_are_live_after_three_dreams(ports: Ports, tenant: str) -> None:
    found = dream_over(ports, tenant, FACTS)
    assert {path: one.state for path, one in found.items()} == dict.fromkeys(FACTS, MemoryState.LIVE)


def test_only_the_note_that_says_that_it_is_over_goes(ports: Ports, tenant: str) -> None:
    over = {"ops/gate.md": "# Old gate\n\nThis note is obsolete: the gate was taken down in spring.\n"}
    found = dream_over(ports, tenant, FACTS | over)
    assert {path for path, one in found.items() if one.state is not MemoryState.LIVE} == set(over)


def test_a_note_that_another_holds_names_it_as_its_successor_and_comes_back_with_an_undo(
    ports: Ports, tenant: str
) -> None:
    gate = "# Gate\n\nThe gate by the river opens at dawn. Its key hangs in the mill.\n"
    write(ports, tenant, texts({"places/gate-old.md": gate}, signals=Signals(importance=10), at=LONG_AGO))
    write(ports, tenant, texts({"places/gate.md": f"{gate}The hinges were oiled by Ada.\n"}))
    held = PruneDecision(
        file="places/gate-old.md", decision="ARCHIVE", ground="held_elsewhere", held_in="places/gate.md",
        quote="Its key hangs in the mill.",
    )  # fmt: skip
    dream = sweep_dream(ports, tenant, ScriptedLlm({"prune": PruneAnswer(decisions=(held,))}), force=True)
    found = {one.path: one for one in take_picture(ports, tenant).memories.values()}
    old, new = found["places/gate-old.md"], found["places/gate.md"]
    assert (old.state, old.superseded_by, new.state) == (MemoryState.SUPERSEDED, new.id, MemoryState.LIVE)
    assert undo_dream(ports.db, tenant, dream.id, actor="a test").conflicts == ()
    found = {one.path: one for one in take_picture(ports, tenant).memories.values()}
    assert (found["places/gate-old.md"].state, found["places/gate-old.md"].superseded_by) == (MemoryState.LIVE, None)
