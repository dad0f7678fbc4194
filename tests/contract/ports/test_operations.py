"""The contract of `OperationRepository`: what was wanted, what it did, what a person said."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest
from sqlalchemy.exc import IntegrityError

from shared.all_ports import Ports
from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operation_filter import ConfidenceBand, OperationFilter
from shared.core.dream.operations import Create, Operation, OperationKind, PutBack, Retire, Rewrite, SuggestMerge, Touch
from shared.core.errors import NotFoundError
from shared.core.memory.model import MemoryState, Signals
from shared.ports.dreams import RecordedOperation
from tests.support.builders import a_memory, a_store, get_operations

MakeDream = Callable[..., Dream]
BEFORE = a_memory("a/1.md", signals=Signals(importance=61.5, pinned=True))
AFTER = replace(BEFORE, state=MemoryState.SUPERSEDED, superseded_by="mem_x", version=2)
EVERY_CHANGE = (
    Create(path="a/new.md", content="# New\n", signals=Signals(access_count=3)),
    Rewrite(memory_id="mem_x", version=4, path="a/x.md", content="# X\n", signals=Signals()),
    Retire(memory_id=BEFORE.id, version=1, path="a/1.md", state=MemoryState.SUPERSEDED, superseded_by="a/x.md"),
    Retire(memory_id="mem_y", version=1, path="a/y.md", state=MemoryState.ARCHIVED, stub="A cue"),
    Touch(memory_id="mem_z", version=2, path="a/z.md"),
    SuggestMerge(source_path="a/z.md", target_path="a/x.md", reason="twins"),
)


def an_operation(dream: Dream, ports: Ports, position: int = 0, **values: object) -> RecordedOperation:
    wanted = Operation(
        kind=OperationKind.MERGE, phase="consolidate", reason="twins", changes=EVERY_CHANGE, confidence=0.75
    )
    operation = RecordedOperation(
        id=ports.ids.new("op"), dream_id=dream.id, store_id=dream.store_id, position=position, operation=wanted,
        state=OperationState.APPLIED, review=ReviewState.PENDING, effects=(Effect(before=BEFORE, after=AFTER),),
        note="a note", store=dream.store,
    )  # fmt: skip
    return replace(operation, **values)  # type: ignore[arg-type] # fields of the operation


def record(ports: Ports, dream: Dream, *operations: RecordedOperation) -> None:
    with ports.db.transaction(dream.tenant_id) as uow:
        for operation in operations:
            uow.operations.record(operation)


def test_what_a_phase_has_done_is_counted_as_its_recorded_operations_say(
    ports: Ports, start_running: MakeDream
) -> None:
    dream, other = start_running(), "prune"
    put_back = tuple(
        PutBack(operation_id="op_1", kind=kind, paths=("a/1.md",))
        for kind in (OperationKind.MERGE, OperationKind.RETIRE)
    )
    kept = Effect(before=BEFORE, after=replace(BEFORE, version=2))
    fold = Operation(kind=OperationKind.FOLD, phase="maintain", reason="equal", changes=EVERY_CHANGE[3:4])
    again = Operation(kind=OperationKind.PUT_BACK, phase="maintain", reason="asked for", changes=put_back)
    record(
        ports,
        dream,
        an_operation(dream, ports, 0, operation=fold, effects=(kept, Effect(before=BEFORE, after=AFTER), kept)),
        an_operation(
            dream, ports, 1, operation=again, effects=(), state=OperationState.PROPOSED, review=ReviewState.NONE
        ),
        an_operation(dream, ports, 0, operation=replace(fold, phase=other)),
    )
    with ports.db.transaction(dream.tenant_id) as uow:
        found = {tally.kind: tally for tally in uow.phase_facts.tally(dream.id, "maintain")}
        assert len(uow.phase_facts.tally(dream.id, other)) == 1
    folded, reverted = found[OperationKind.FOLD], found[OperationKind.PUT_BACK]
    assert (folded.changed, folded.hidden, folded.put_back) == (3, 1, ())
    assert (folded.state, folded.review) == (OperationState.APPLIED, ReviewState.PENDING)
    assert (reverted.changed, reverted.hidden, reverted.state) == (0, 0, OperationState.PROPOSED)
    assert reverted.put_back == (OperationKind.MERGE, OperationKind.RETIRE)


def test_an_operation_comes_back_with_every_kind_of_change_and_its_images(
    ports: Ports, start_running: MakeDream
) -> None:
    dream = start_running()
    operation = an_operation(dream, ports)
    record(ports, dream, operation)
    (found,) = get_operations(ports, dream.tenant_id, dream.id)
    assert found.created_at is not None
    assert replace(found, created_at=None) == operation
    with ports.db.transaction(dream.tenant_id) as uow:
        assert uow.operations.get(operation.id) == found


def test_a_position_of_a_plan_is_recorded_once(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    record(ports, dream, an_operation(dream, ports, 0), an_operation(dream, ports, 2))
    with pytest.raises(IntegrityError):
        record(ports, dream, an_operation(dream, ports, 2))
    assert [found.position for found in get_operations(ports, dream.tenant_id, dream.id)] == [0, 2]


def test_operations_are_found_in_the_order_in_which_they_were_recorded(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    operations = [an_operation(dream, ports, number) for number in range(5)]
    record(ports, dream, *operations[:3])
    record(ports, dream, *operations[3:])
    assert [found.id for found in get_operations(ports, dream.tenant_id, dream.id)] == [op.id for op in operations]


def test_a_worker_whose_clock_is_slow_does_not_change_the_order(ports: Ports, start_running: MakeDream) -> None:
    """Ids carry the time of the machine that made them; undo goes by the order in which things happened."""
    dream = start_running()
    first = an_operation(dream, ports, 0, id="op_7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
    second = an_operation(dream, ports, 1, id="op_00000000000000000000000000")
    first = replace(first, id=f"{first.id}{dream.id}")
    second = replace(second, id=f"{second.id}{dream.id}")
    record(ports, dream, first)
    record(ports, dream, second)
    assert [found.id for found in get_operations(ports, dream.tenant_id, dream.id)] == [first.id, second.id]


def test_operations_that_wait_for_a_review_are_found_oldest_first(
    ports: Ports, start_running: MakeDream, owner_connection: psycopg.Connection
) -> None:
    dream, elsewhere = start_running(), start_running("other")
    first, second = an_operation(dream, ports, 0), an_operation(dream, ports, 1)
    silent = an_operation(dream, ports, 2, review=ReviewState.NONE)
    other = an_operation(elsewhere, ports, 0)
    record(ports, dream, first, second, silent, other)
    move = "UPDATE operations SET created_at = created_at - %s WHERE id = %s"
    owner_connection.execute(move, [timedelta(days=1), second.id])
    with ports.db.transaction(dream.tenant_id) as uow:
        find = uow.operations.find_pending
        assert [found.id for found in find(limit=10)] == [second.id, first.id, other.id]
        assert [found.id for found in find(limit=1)] == [second.id]
        assert [found.id for found in find(store_id=elsewhere.store_id, limit=10)] == [other.id]


def test_a_verdict_keeps_what_it_does_not_name(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    operation = an_operation(dream, ports)
    record(ports, dream, operation)
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.operations.decide(operation.id, state=OperationState.REJECTED, review=ReviewState.REJECTED, by="someone")
        found = uow.operations.get(operation.id)
    expected = replace(
        operation,
        state=OperationState.REJECTED,
        review=ReviewState.REJECTED,
        decided_by="someone",
        decided_at=found.decided_at,
    )
    assert found.decided_at is not None
    assert replace(found, created_at=None) == expected


def test_an_approved_proposal_says_what_it_did(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    operation = an_operation(dream, ports, state=OperationState.PROPOSED, effects=())
    record(ports, dream, operation)
    effects = (Effect(before=None, after=BEFORE),)
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.operations.decide(
            operation.id, state=OperationState.APPLIED, review=ReviewState.APPROVED, by="someone", effects=effects,
            note="",
        )  # fmt: skip
        found = uow.operations.get(operation.id)
        assert uow.operations.find_pending(limit=10) == []
    assert (found.state, found.effects, found.note) == (OperationState.APPLIED, effects, "")


def test_an_unknown_operation_and_one_of_another_tenant_are_the_same(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    operation = an_operation(dream, ports)
    record(ports, dream, operation)
    stranger = f"{dream.tenant_id}x"
    a_store(ports, stranger)
    for operation_id in ("op_unknown", operation.id):
        with pytest.raises(NotFoundError, match=operation_id), ports.db.transaction(stranger) as uow:
            uow.operations.get(operation_id)


def test_pages_by_kind_show_what_waits_first_and_each_operation_once(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    kinds = (OperationKind.MERGE, OperationKind.KEEP, OperationKind.ARCHIVE)
    reviews = (ReviewState.NONE, ReviewState.PENDING)
    operations = [
        an_operation(
            dream, ports, number, review=reviews[number % 2],
            operation=replace(an_operation(dream, ports).operation, kind=kinds[number % 3], confidence=number / 10),
        )
        for number in range(10)
    ]  # fmt: skip
    record(ports, dream, *operations)

    def place(one: RecordedOperation) -> tuple[bool, str, str]:
        return one.review is not ReviewState.PENDING, one.operation.kind, one.id

    found: list[RecordedOperation] = []
    with ports.db.transaction(dream.tenant_id) as uow:
        while not found or len(found) < 10:
            after = found[-1].id if found else None
            page = uow.operations.find_page(dream.id, after=after, limit=3, by_kind=True)
            assert page.operations
            found += page.operations
        fair = uow.operations.find_page(
            dream.id, after=None, limit=10, only=OperationFilter(confidence=ConfidenceBand.FAIR, is_waiting=True)
        )
    assert [one.id for one in found] == [one.id for one in sorted(operations, key=place)]
    assert ([one.operation.confidence for one in fair.operations], fair.total) == ([0.7], 1)
