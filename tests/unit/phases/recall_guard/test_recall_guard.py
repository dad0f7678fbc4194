"""The recall guard: which probes it draws, what it takes for lost, and in which order it puts back."""

from dataclasses import replace

import pytest

from shared.core.dream.operations import OperationKind, Plan, PutBack
from shared.core.evaluation.around_dream import Touched, before_the_dream, searched
from shared.core.memory.model import Memory, MemoryState
from tests.unit.builders import memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.recall_guard.phase import PHASE, Inputs
from workers.phases.recall_guard.plan import MAX_PROBES, draw_probes

PUMP = memory("plant/pump.md", "# Pump\n\nThe pump restarts with `reset_zx_pump` after a fault.\n")
VALVE = memory("plant/valve.md", "# Valve\n\nThe valve closes when the pressure falls.\n")


def archived(one: Memory, number: int = 1, stub: str | None = None) -> Touched:
    gone = replace(one, state=MemoryState.ARCHIVED, version=2, stub=stub)
    return Touched(operation_id=f"op_{number}", kind=OperationKind.ARCHIVE, before=(one,), after=(gone,))


def merged(into: Memory, text: str, *sources: Memory, number: int = 1) -> Touched:
    after = tuple(replace(one, state=MemoryState.SUPERSEDED) for one in sources if one.id != into.id)
    kept = replace(into, content=text, version=into.version + 1)
    return Touched(operation_id=f"op_{number}", kind=OperationKind.MERGE, before=sources, after=(kept, *after))


def plan(*touched: Touched, live: tuple[Memory, ...] = ()) -> Plan:
    return PHASE.plan(
        Inputs(store_id="sto_1", touched=touched, texts={one.path: searched(one.content) for one in live}), {}, around()
    )


def put_back(found: Plan) -> list[str]:
    return [c.operation_id for op in found.operations for c in op.changes if isinstance(c, PutBack)]


def test_archiving_the_only_memory_of_a_term_is_put_back_with_the_probe_as_reason() -> None:
    found = plan(archived(PUMP), live=(VALVE,))
    assert put_back(found) == ["op_1"]
    assert "reset_zx_pump" in found.operations[0].reason
    assert found.operations[0].needs_review


def test_archiving_what_another_memory_says_too_is_fine() -> None:
    other = memory("plant/faults.md", "# Faults\n\nAfter a fault the pump wants `reset_zx_pump`.\n")
    assert put_back(plan(archived(PUMP), live=(VALVE, other))) == []


def test_a_fact_that_another_memory_says_of_another_subject_is_no_answer() -> None:
    other = memory("bakery/oven.md", "# Oven\n\nBakers mistook the label `reset_zx_pump` for a recipe.\n")
    assert put_back(plan(archived(PUMP), live=(VALVE, other))) == ["op_1"]


def test_an_archived_memory_is_found_by_its_stub() -> None:
    assert put_back(plan(archived(PUMP, stub="Pump: how it restarts after a fault."), live=(VALVE,))) == []


def test_a_stub_that_says_nothing_of_its_memory_is_not_found() -> None:
    unnamed = memory("notes/17.md", PUMP.content)
    assert put_back(plan(archived(unnamed, stub="An old note."), live=(VALVE,))) == ["op_1"]


def test_a_stub_that_drowns_among_other_texts_is_not_found() -> None:
    crowd = tuple(memory(f"x/{n}.md", f"# {n}\n\nA fault: the pump restarts.\n") for n in range(12))
    assert put_back(plan(archived(PUMP, stub="On the pump, among much else about the plant."), live=crowd)) == ["op_1"]


def test_of_two_servers_whose_ports_were_swapped_each_fact_is_missed() -> None:
    web, db = (
        memory("net/web.md", "# Web\n\nThe web server listens on `port-8443` behind nginx.\n"),
        memory("net/db.md", "# Db\n\nThe database listens on `port-5432` for clients.\n"),
    )
    text = "# Web\n\nThe web server listens behind nginx. Numbers: `port-5432`.\n\nThe database listens for clients.\n"
    elsewhere = memory("net/ports.md", "# Firewall\n\nOpen holes: `port-8443`.\n")
    assert put_back(plan(merged(web, text, web, db), live=(replace(web, content=text), elsewhere))) == ["op_1"]


def test_archiving_what_holds_no_term_of_its_own_is_fine() -> None:
    assert put_back(plan(archived(VALVE), live=(PUMP,))) == []


def test_a_good_merge_passes() -> None:
    text = "# Pump and valve\n\nThe pump restarts with `reset_zx_pump` after a fault. The valve closes when the pressure falls.\n"
    found = plan(merged(PUMP, text, PUMP, VALVE), live=(replace(PUMP, content=text),))
    assert put_back(found) == []
    assert found.counts["probes"] > 3


def test_a_merge_that_lost_one_of_its_sources_is_put_back() -> None:
    text = "# Plant\n\nNothing to see.\n"
    assert put_back(plan(merged(PUMP, text, PUMP, VALVE), live=(replace(PUMP, content=text),))) == ["op_1"]


def sourced(quote: str, body: str) -> str:
    return f'---\ngathered_from:\n  - "sesn_1#e1 2026-03-04: {quote}"\n---\n{body}'


def test_a_fact_that_stands_only_in_a_sources_quote_counts_as_lost() -> None:
    quote = "remember: restart it with `reset_zx_pump`"
    pump = replace(PUMP, content=sourced(quote, PUMP.content))
    text = sourced(
        quote, "# Pump and valve\n\nThe pump restarts after a fault. The valve closes when the pressure falls.\n"
    )
    found = plan(merged(pump, text, pump, VALVE), live=(replace(pump, content=text),))
    assert put_back(found) == ["op_1"]
    assert "reset_zx_pump" in found.operations[0].reason


def test_the_words_of_a_source_must_still_find_the_memory_that_was_made_of_it() -> None:
    quote = "our greenhouse irrigation needs descaling quarterly"
    body = "# Pump\n\nGreenhouse irrigation: descaling quarterly.\n"
    pump, crowd = (
        replace(PUMP, content=sourced(quote, body)),
        [memory(f"x/{n}.md", f"# {n}\n\nquarterly descaling.\n") for n in range(12)],
    )
    text = sourced(quote, "# Pump\n\nIt wants care.\n")
    found = plan(merged(pump, text, pump), live=(replace(pump, content=text), *crowd))
    assert any(probe.text == quote for probe in draw_probes([merged(pump, text, pump)]))
    assert put_back(found) == ["op_1"]


def test_operations_that_build_on_a_change_are_put_back_before_it() -> None:
    text = "# Plant\n\nNothing to see.\n"
    lossy = merged(PUMP, text, PUMP, VALVE)
    kept = replace(PUMP, content=text, version=2)
    linked = Touched(
        operation_id="op_2", kind=OperationKind.CROSS_REFERENCE, before=(kept,), after=(replace(kept, version=3),)
    )
    apart = archived(memory("x/y.md", "# Lunch\n\nit was good.\n"), 3)
    assert put_back(plan(lossy, linked, apart, live=(kept,))) == ["op_2", "op_1"]


def test_a_memory_that_was_not_found_before_is_no_loss() -> None:
    crowd = tuple(memory(f"plant/{n}.md", "# Valve\n\nThe valve closes when the pressure falls.\n") for n in range(40))
    changed = Touched(
        operation_id="op_1", kind=OperationKind.TEMPORAL_UPDATE, before=(crowd[-1],), after=(replace(crowd[-1]),)
    )
    assert put_back(plan(changed, live=crowd)) == []


def test_no_more_than_200_probes_are_drawn_and_every_operation_gets_some() -> None:
    many = tuple(archived(memory(f"a/{n}.md", " ".join(f"`name_{n}_{i}x`" for i in range(9))), n) for n in range(120))
    probes = draw_probes(many)
    assert len(probes) == MAX_PROBES
    assert len({probe.operation_id for probe in probes}) == 120


def test_the_texts_before_the_dream_are_those_that_it_found() -> None:
    text = "# Plant\n\nNothing to see.\n"
    lossy = merged(PUMP, text, PUMP, VALVE)
    gone = archived(replace(PUMP, content=text, version=2), 2)
    assert before_the_dream({}, [lossy, gone]) == {PUMP.path: PUMP.content, VALVE.path: VALVE.content}


@pytest.mark.parametrize("hostile", ["", "\x00", "`" * 5_000, "# " + "x" * 300_000, "---\na: [\n---\n"])
def test_no_text_can_stop_it(hostile: str) -> None:
    plan(archived(memory("a/b.md", hostile)), live=(memory("c.md", hostile),))


def test_a_dream_that_changed_nothing_costs_nothing() -> None:
    assert PHASE.read(context(PUMP)) == NothingToDo("nothing was changed that could be lost")


def test_it_runs_when_the_time_is_up_and_when_the_dream_was_canceled() -> None:
    assert PHASE.runs_after_deadline
    assert PHASE.runs_when_canceled
