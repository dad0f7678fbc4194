"""A plan is carried out on the memories as they are by then: marks make none stale, edits are kept, nothing is lost."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.effects import Effect, plan_effects
from shared.core.dream.operations import Edit, Operation, OperationKind, Retire, Rewrite, Touch
from shared.core.dream.replan import find_unfit, keep_up, rebase_text, replan
from shared.core.errors import ConflictError, MootError
from shared.core.memory.frontmatter import body_of, read_fields
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


OTHER = replace(WAS, id="mem_2", path="b.md", content="# B\n\nGreen.\n")


def a_merge(text: str = "# A\n\nBlue.\n\nGreen.\n") -> Operation:
    retire = replace(RETIRE, memory_id="mem_2", path="b.md", state=MemoryState.SUPERSEDED, superseded_by="a.md")
    changes = (replace(REWRITE, content=text), retire)
    return Operation(kind=OperationKind.MERGE, phase="consolidate", reason="", changes=changes)


FIRST = replace(WAS, content="# A\n\nBlue.\n")
PLANNED = {FIRST.id: FIRST, OTHER.id: OTHER}


def replanned(operation: Operation, *now: Memory) -> tuple[Effect, ...]:
    current = {one.id: one for one in now}
    again = replan(operation, PLANNED, current)
    effects = plan_effects(again, current, NOW, lambda: "mem_new")
    before = plan_effects(operation, PLANNED, NOW, lambda: "mem_new")
    if (why := find_unfit(again, before, effects)) is not None:
        raise MootError(why)
    return effects


def test_a_merge_takes_along_what_was_added_to_either_memory() -> None:
    first = replace(FIRST, version=4, content="# A\n\nBlue.\n\nAdded to A.\n")
    second = replace(OTHER, version=4, content="# B\n\nGreen.\n\nAdded to B.\n")
    keeper, hidden = replanned(a_merge(), first, second)
    assert all(said in keeper.after.content for said in ("Blue.", "Green.", "Added to A.", "Added to B."))
    assert hidden.after.superseded_by == keeper.after.id


def test_a_merge_that_is_done_already_is_moot() -> None:
    done = replace(OTHER, version=4, state=MemoryState.SUPERSEDED, superseded_by="mem_1")
    with pytest.raises(MootError, match=r"b\.md is no longer live"):
        replanned(a_merge(), replace(FIRST, version=4), done)


def test_a_merge_of_a_memory_that_went_into_another_one_goes_on_with_that_one() -> None:
    third = replace(WAS, id="mem_3", path="c.md", content="# A\n\nBlue.\n\nRed.\n")
    gone = replace(FIRST, version=4, state=MemoryState.SUPERSEDED, superseded_by="mem_3")
    keeper, hidden = replanned(a_merge(), gone, third, OTHER)
    assert keeper.after.path == "c.md"
    assert all(said in keeper.after.content for said in ("Blue.", "Red.", "Green."))
    assert hidden.after.superseded_by == "mem_3"


def test_what_would_lose_a_statement_that_the_plan_kept_is_moot() -> None:
    first = replace(FIRST, version=4, content="# A\n\nBlue.\n\nGrey. Green.\n")
    with pytest.raises(MootError):
        replanned(a_merge("# A\n\nBlue.\n\nGreen.\n"), first, replace(OTHER, version=4, content="Something else.\n"))


@pytest.mark.parametrize("gone", [MemoryState.ARCHIVED, MemoryState.REMOVED])
def test_a_change_of_a_memory_that_is_gone_is_moot(gone: MemoryState) -> None:
    with pytest.raises(MootError, match=r"a\.md is no longer live, and nothing took its place"):
        replanned(a_merge(), replace(FIRST, state=gone), OTHER)


def test_frontmatter_keeps_what_each_side_has_set() -> None:
    base = "---\ntags: [a]\ntitle: Old\n---\nBlue.\n"
    planned = "---\ntags: [a, b]\ntitle: Old\nsource: x\n---\nBlue.\n\nGreen.\n"
    current = "---\ntags: [a, c]\ntitle: New\n---\nBlue.\n"
    text = rebase_text(base, planned, current)
    assert text is not None
    assert read_fields(text) == {"tags": ["a", "c", "b"], "title": "New", "source": "x"}
    assert body_of(text) == "Blue.\n\nGreen.\n"


def test_a_replaced_sentence_is_found_where_it_stands_by_now_and_nothing_falls_under_the_superseded_part() -> None:
    planned = "# A\n\nRed.\n\n## Superseded\n\n- “Blue” — corrected\n"
    text = rebase_text("# A\n\nBlue.\n", planned, "# A\n\n- Blue. It is kept.\n- Green.\n")
    assert text == "# A\n\n- Red. It is kept.\n- Green.\n\n## Superseded\n\n- “Blue” — corrected\n"


@given(st.lists(st.sampled_from(["Blue.", "Red.", "Green.", ""]), max_size=6).map("\n".join))
def test_a_plan_on_unchanged_text_is_the_plan(text: str) -> None:
    assert rebase_text(text, f"{text}\nPlanned.\n", text) == f"{text}\nPlanned.\n"
    assert rebase_text(text, text, f"{text}\nNow.\n") == f"{text}\nNow.\n"
