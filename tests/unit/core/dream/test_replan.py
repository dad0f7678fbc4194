"""What changes no text makes no plan stale, and stays as it is when the plan is carried out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.core.dream.effects import plan_effects
from shared.core.dream.operations import Edit, Operation, OperationKind, Retire, Rewrite, Touch
from shared.core.dream.replan import keep_up
from shared.core.errors import ConflictError
from shared.core.memory.model import Memory, MemoryState, Signals, Tier

NOW = datetime(2026, 5, 1, tzinfo=UTC)
WAS = Memory(
    id="mem_1", path="a.md", content="Blue.", signals=Signals(importance=40, access_count=2), version=3,
    created_at=NOW, updated_at=NOW, touched_at=NOW,
)  # fmt: skip
KEPT = replace(
    WAS,
    version=5,
    touched_at=NOW + timedelta(days=3),
    signals=Signals(importance=45, access_count=4, tier=Tier.DURABLE, pinned=True),
)
REWRITE = Rewrite(
    memory_id="mem_1", version=3, path="a.md", content="Blue and red.", signals=Signals(importance=70, access_count=3)
)
RETIRE = Retire(memory_id="mem_1", version=3, path="a.md", state=MemoryState.ARCHIVED)


def plan(change: Edit, now: Memory) -> Memory:
    operation = Operation(kind=OperationKind.MERGE, phase="consolidate", reason="", changes=(change,))
    kept_up = keep_up(operation, {WAS.id: WAS}, {now.id: now})
    (effect,) = plan_effects(kept_up, {now.id: now}, NOW, lambda: "mem_new")
    assert effect.before == now
    return effect.after


@pytest.mark.parametrize("change", [REWRITE, RETIRE, Touch(memory_id="mem_1", version=3, path="a.md")])
def test_a_plan_holds_while_a_memory_says_the_same(change: Edit) -> None:
    assert plan(change, KEPT).version == KEPT.version + 1


def test_a_rewrite_keeps_the_marks_and_the_counts_that_came_after_its_plan() -> None:
    written = plan(REWRITE, KEPT)
    assert written.content == "Blue and red."
    assert written.signals == Signals(importance=75, access_count=5, tier=Tier.DURABLE, pinned=True)


@pytest.mark.parametrize(
    "now", [replace(KEPT, content="Green."), replace(KEPT, path="b.md"), replace(KEPT, state=MemoryState.ARCHIVED)]
)
@pytest.mark.parametrize("change", [REWRITE, RETIRE])
def test_a_plan_does_not_hold_for_another_text_or_place(change: Edit, now: Memory) -> None:
    with pytest.raises(ConflictError):
        plan(change, now)
