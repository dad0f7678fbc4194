"""A new statement under the name of a live memory: it goes into that memory if it belongs there, and into a neighbour if not."""

import pytest

from shared.core.dream.operations import Create, Plan, Rewrite
from shared.core.memory.model import Memory
from shared.core.policy.policy import GatherPolicy
from tests.unit.builders import memory as live_memory
from tests.unit.phases.gather.test_gather import SAVE, ReadableSessions, a_context, session
from tests.unit.phases.gather.test_plan_gather import excerpt, memory, plan, said
from workers.phase.shape import PhaseContext
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.phase import PHASE, Inputs

FORMATS = memory("notes/reading-formats.md", "# Reading formats\n\nReading formats are found by their endings.\n")
SECOND = memory("notes/reading-formats-2.md", "# Reading formats\n\nReading formats of sound are tried one by one.\n")
SAYS = "Remember that the reading formats now include EPUB 3."


def file(*known: Memory, says: str = SAYS, title: str = "Reading formats", kind: str = "fact") -> Plan:
    where = excerpt(says)
    told = said(where, says, says.removeprefix("Remember that ").capitalize(), title=title, kind=kind)
    return plan([told], where, existing=known)


def place_of(made: Plan) -> tuple[type, str]:
    [operation] = made.operations
    [change] = operation.changes
    assert isinstance(change, Create | Rewrite)
    return type(change), change.path


def test_a_statement_goes_into_the_live_memory_of_its_name() -> None:
    made = file(FORMATS)
    assert place_of(made) == (Rewrite, FORMATS.path)
    assert "EPUB 3" in the_text(made)
    assert "found by their endings" in the_text(made)


def the_text(made: Plan) -> str:
    [change] = made.operations[0].changes
    assert isinstance(change, Create | Rewrite)
    return change.content


@pytest.mark.parametrize("title", ["reading formats", "Reading Formats.", "READING FORMATS"])
def test_case_and_stops_make_no_other_name(title: str) -> None:
    assert place_of(file(FORMATS, title=title)) == (Rewrite, FORMATS.path)


def test_a_statement_about_something_else_gets_a_neighbour_of_that_name() -> None:
    made = file(FORMATS, says="Remember that the bakery opens at seven.")
    assert place_of(made) == (Create, "notes/reading-formats-2.md")


def test_a_statement_that_ends_with_a_day_does_not_go_into_a_memory_that_lasts() -> None:
    says = "Remember for one week that the reading formats are frozen."
    assert place_of(file(FORMATS, says=says, kind="save"))[0] is Create


def test_the_same_name_in_another_folder_is_another_name() -> None:
    assert place_of(file(FORMATS, kind="decision")) == (Create, "decisions/reading-formats.md")


PATHS = (FORMATS.path, SECOND.path, "notes/other.md")


def look(title: str, *, kind: str = "fact", policy: GatherPolicy | None = None) -> list[str]:
    """Return the paths of what an answer makes the host load, from a store in which nothing was offered."""
    memories = [live_memory(path, f"# {path}\n\nGrapes are blue.\n") for path in PATHS]
    context: PhaseContext = a_context(ReadableSessions(session(SAVE)), *memories, policy=policy)
    inputs = PHASE.read(context)
    assert isinstance(inputs, Inputs)
    told = {"kind": kind, "window": "w", "quote": SAVE, "statement": "Some statement.", "title": title}
    item = GatheredMemory.model_validate(told)
    seen = PHASE.look(context, inputs, {"sessions#1": GatherAnswer(memories=(item,))})
    return [one.path for one in seen.namesakes]


def test_only_the_memories_of_that_name_are_loaded() -> None:
    assert look("Reading formats") == sorted([FORMATS.path, SECOND.path])
    assert look("Reading") == []
    assert look("Reading formats", kind="theme") == []


def test_what_was_offered_is_not_loaded_twice() -> None:
    near = live_memory("notes/staging.md", f"# Staging\n\n{SAVE}\n")
    context = a_context(ReadableSessions(session(SAVE)), near)
    inputs = PHASE.read(context)
    assert isinstance(inputs, Inputs)
    assert inputs.groups[0].existing == (near,)
    item = GatheredMemory(window="w", quote=SAVE, statement="Some statement.", title="Staging")
    assert PHASE.look(context, inputs, {"sessions#1": GatherAnswer(memories=(item,))}) == inputs
