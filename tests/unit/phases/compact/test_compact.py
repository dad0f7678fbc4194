"""The compact phase, as values: archived with a stub, under the loss cap, in few operations."""

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire
from shared.core.memory.model import MemoryState
from shared.core.upkeep.maintenance import CHANGES_AN_OPERATION, Subject
from tests.unit.builders import codes
from tests.unit.phases.reading import around
from workers.phases.compact.phase import PHASE, Inputs


def plan(number: int, *, live: int) -> Plan:
    unused = tuple(Subject(id=f"mem_{n}", version=n + 1, path=f"a/{n}.md") for n in range(number))
    return PHASE.plan(Inputs(unused=unused), {}, around(live=live))


def retired(*operations: Operation) -> list[Retire]:
    return [change for one in operations for change in one.changes if isinstance(change, Retire)]


def test_unused_memories_are_archived_with_a_stub_and_shown_to_a_person() -> None:
    (operation,) = plan(2, live=100).operations
    assert (operation.kind, operation.needs_review) == (OperationKind.COMPACT, True)
    assert [(one.memory_id, one.version, one.state) for one in retired(operation)] == [
        ("mem_0", 1, MemoryState.ARCHIVED),
        ("mem_1", 2, MemoryState.ARCHIVED),
    ]
    assert all(one.stub_chars > 0 for one in retired(operation))


def test_no_more_is_archived_than_the_loss_cap_allows_and_the_stalest_go_first() -> None:
    found = plan(9, live=20)
    assert [one.memory_id for one in retired(*found.operations)] == [f"mem_{n}" for n in range(5)]
    assert codes(found) == ["loss_cap"] * 4


def test_a_thousand_are_few_operations() -> None:
    assert len(plan(1_000, live=10_000).operations) == 1_000 / CHANGES_AN_OPERATION
