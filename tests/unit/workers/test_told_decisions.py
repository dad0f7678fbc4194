"""Changes that wait for a person or were rejected: a model that sees the same texts is told of them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.core.dream.effects import Effect
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import Operation, OperationKind
from shared.core.dream.verdicts import Verdict
from shared.core.memory.model import Memory
from shared.ports.dreams import RecordedOperation
from tests.unit.builders import NOW, memory
from tests.unit.phases.reading import context
from workers.phase.flags import tell_decided

A, B, C = (memory(f"api/{name}.md", f"# {name}\n\nTokens of {name} last an hour.\n") for name in "abc")
REASON = "Both describe the tokens of one service, which is said at length in a sentence that is far too long to be told whole."


def waiting(number: int, *memories: Memory, kind: OperationKind = OperationKind.MERGE) -> RecordedOperation:
    return RecordedOperation(
        id=f"op_{number}", dream_id="drm_1", store_id="sto_1", position=0, state=OperationState.PROPOSED,
        review=ReviewState.PENDING, operation=Operation(kind=kind, phase="consolidate", reason=REASON, changes=()),
        effects=tuple(Effect(before=one, after=one) for one in memories),
    )  # fmt: skip


def tell(*shown: Memory, proposed: tuple[RecordedOperation, ...] = (), **given: object) -> dict[str, tuple[str, ...]]:
    return tell_decided(context(proposed=proposed, **given), shown)  # type: ignore[arg-type] # only what the test gives


def test_a_merge_that_waits_is_told_beside_the_first_of_its_files() -> None:
    told = tell(B, A, proposed=(waiting(1, B, A),))
    assert list(told) == [A.path]
    [fact] = told[A.path]
    assert fact.startswith("MERGE with api/b.md (Both describe the tokens")
    assert fact.endswith("…) waits for a person")


def test_a_rejected_one_is_told_with_the_reason_of_the_person() -> None:
    effects = tuple(Effect(before=one, after=one) for one in (A, B))
    verdict = Verdict(operation_id="op_2", state=OperationState.REJECTED, by="Ada", at=NOW, why="two services")
    told = tell(A, B, refused=[(OperationKind.MERGE, verdict, effects)])
    assert told == {A.path: ("MERGE with api/b.md was rejected by a person: two services",)}


@pytest.mark.parametrize(
    "shown",
    [(A,), (A, C), (A, replace(B, content="# b\n\nTokens of b last a day.\n")), (A, replace(B, path="api/d.md"))],
)
def test_nothing_is_told_of_texts_that_are_not_shown_or_others_by_now(shown: tuple[Memory, ...]) -> None:
    assert tell(*shown, proposed=(waiting(1, A, B),)) == {}


def test_upkeep_of_a_memory_does_not_make_it_another_text() -> None:
    used = replace(B, version=7, touched_at=NOW + timedelta(days=1))
    assert tell(A, used, proposed=(waiting(1, A, B),))


def test_of_many_the_newest_are_told() -> None:
    many = tuple(waiting(number, A, kind=OperationKind.UPDATE) for number in range(100, 150))
    told = tell(A, proposed=tuple(replace(one, operation=replace(one.operation, reason=one.id)) for one in many))
    assert told[A.path][0] == "UPDATE (op_149) waits for a person"
    assert len(told[A.path]) == 20
