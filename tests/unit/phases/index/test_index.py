"""The index phase: what it reads, and that it needs no model and no second run."""

from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Memory
from tests.unit.builders import codes, created, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.index.phase import PHASE, Inputs

AUTH = memory("api/auth.md", "# Auth\n\nTokens.\n")


def read(*memories: Memory, moves: tuple[tuple[str, str | None], ...] = ()) -> Inputs:
    found = PHASE.read(context(*memories, moves=moves))
    assert isinstance(found, Inputs)
    return found


def test_an_empty_store_gets_no_index() -> None:
    assert PHASE.read(context()) == NothingToDo("the store is empty")


def test_it_needs_no_model_and_runs_when_the_time_is_up() -> None:
    assert PHASE.ask(read(AUTH)) == ()
    assert PHASE.runs_after_deadline


def test_a_store_without_an_index_gets_one() -> None:
    (operation,) = PHASE.plan(read(AUTH), {}, around()).operations
    assert operation.kind is OperationKind.INDEX
    assert [change.path for change in operation.changes if hasattr(change, "path")] == ["api/_index.md", "MEMORY.md"]


def test_the_index_of_the_last_dream_is_current() -> None:
    (first,) = PHASE.plan(read(memory("top.md", "# Top\n")), {}, around()).operations
    made = memory("MEMORY.md", created(first).content)
    assert codes(PHASE.plan(read(memory("top.md", "# Top\n"), made), {}, around())) == ["index_current"]


def test_a_pointer_follows_a_merged_memory_to_the_path_of_its_successor() -> None:
    inputs = read(AUTH, moves=(("api/oauth.md", AUTH.id), ("api/old.md", None), ("api/lost.md", "mem_gone")))
    assert inputs.moved == {"api/oauth.md": "api/auth.md", "api/old.md": "", "api/lost.md": ""}
