"""Effects: what an operation does, and how it is taken back."""

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.effects import Effect, decide_undo_conflict, plan_effects, plan_restore, touched_ids
from shared.core.dream.operations import Change, Create, Operation, OperationKind, Retire, Rewrite, SuggestMerge, Touch
from shared.core.errors import ConflictError
from shared.core.memory.importance import accessed
from shared.core.memory.model import Author, Maturity, Memory, MemoryState, Signals
from tests.unit.builders import NOW, memory

AUTH = memory("api/auth.md", "Tokens last 15 minutes.", untouched_days=9, version=4)
OAUTH = memory("api/oauth.md", "OAuth tokens last 15 minutes.", untouched_days=7, version=2)


def operation(*changes: Change) -> Operation:
    return Operation(kind=OperationKind.MERGE, phase="consolidate", reason="", changes=changes)


def rewrite(of: Memory, content: str, signals: Signals | None = None) -> Rewrite:
    return Rewrite(
        memory_id=of.id, version=of.version, path=of.path, content=content, signals=signals or Signals(importance=60)
    )


def retire(of: Memory, successor: str | None = None) -> Retire:
    state = MemoryState.SUPERSEDED if successor else MemoryState.ARCHIVED
    return Retire(memory_id=of.id, version=of.version, path=of.path, state=state, superseded_by=successor, stub="a cue")


def touch(of: Memory) -> Touch:
    return Touch(memory_id=of.id, version=of.version, path=of.path)


def effects(*changes: Change, current: tuple[Memory, ...] = (AUTH, OAUTH)) -> tuple[Effect, ...]:
    numbers = count(1)
    return plan_effects(operation(*changes), {m.id: m for m in current}, NOW, lambda: f"new_{next(numbers)}")


def test_a_rewrite_makes_the_next_version_by_the_dream() -> None:
    (effect,) = effects(rewrite(AUTH, "Better."))
    assert effect.before == AUTH
    assert effect.after == replace(
        AUTH,
        content="Better.",
        signals=Signals(importance=60),
        version=5,
        author=Author.DREAM,
        updated_at=NOW,
        touched_at=NOW,
        is_dirty=False,
    )


def test_a_dreams_own_writes_are_not_in_the_next_changed_set() -> None:
    made = effects(rewrite(AUTH, "Better."), Create(path="api/new.md", content="New."))
    assert [effect.after.is_dirty for effect in made] == [False, False]


def test_a_created_memory_was_not_there_before() -> None:
    (effect,) = effects(Create(path="api/new.md", content="New.", signals=Signals(maturity=Maturity.VALIDATED)))
    assert effect.before is None
    assert (effect.after.id, effect.after.path, effect.after.version) == ("new_1", "api/new.md", 1)
    assert effect.after.author is Author.DREAM


def test_a_superseded_source_points_at_the_memory_that_was_rewritten() -> None:
    merged, source = effects(rewrite(AUTH, "Both."), retire(OAUTH, AUTH.path))
    assert source.after.state is MemoryState.SUPERSEDED
    assert source.after.superseded_by == merged.after.id == AUTH.id


def test_a_superseded_source_points_at_the_memory_that_was_created() -> None:
    made, one, two = effects(
        Create(path="api/all.md", content="Both."), retire(AUTH, "api/all.md"), retire(OAUTH, "api/all.md")
    )
    assert one.after.superseded_by == two.after.superseded_by == made.after.id


def test_an_archived_memory_keeps_its_text_and_gets_its_stub() -> None:
    (effect,) = effects(retire(AUTH))
    assert effect.after == replace(AUTH, state=MemoryState.ARCHIVED, stub="a cue", version=5)


def test_a_touch_resets_the_clock_and_nothing_else() -> None:
    (effect,) = effects(touch(AUTH))
    assert effect.after == replace(AUTH, touched_at=NOW, version=5)


def test_a_merge_suggestion_changes_no_memory() -> None:
    assert effects(SuggestMerge(source_path="a.md", target_path="b.md", reason="")) == ()


@pytest.mark.parametrize("change", [rewrite(AUTH, "x"), retire(AUTH), touch(AUTH)])
def test_a_memory_that_was_edited_since_the_plan_is_a_conflict(change: Change) -> None:
    edited = replace(AUTH, version=5)
    with pytest.raises(ConflictError, match=r"api/auth\.md was edited in the meantime \(version 5, planned on 4\)"):
        effects(change, current=(edited,))


@pytest.mark.parametrize("state", [MemoryState.ARCHIVED, MemoryState.SUPERSEDED, MemoryState.REMOVED])
def test_a_memory_that_is_no_longer_live_is_a_conflict(state: MemoryState) -> None:
    with pytest.raises(ConflictError, match=r"api/auth\.md is no longer live"):
        effects(rewrite(AUTH, "x"), current=(replace(AUTH, state=state),))


def test_a_memory_that_is_gone_is_a_conflict() -> None:
    with pytest.raises(ConflictError, match="no longer live"):
        effects(touch(AUTH), current=())


def test_the_touched_memories_are_those_that_exist() -> None:
    wanted = operation(
        rewrite(AUTH, ""), retire(OAUTH), Create(path="n.md", content=""), SuggestMerge(source_path="a", target_path="b", reason="")
    )  # fmt: skip
    assert touched_ids(wanted) == {AUTH.id, OAUTH.id}


_CHANGES = st.sampled_from(
    [rewrite(AUTH, "Other.", Signals(importance=99)), retire(AUTH, "x.md"), retire(AUTH), touch(AUTH)]
)


@given(_CHANGES)
def test_undo_after_apply_is_the_identity_except_for_the_version(change: Change) -> None:
    (effect,) = effects(change)
    assert decide_undo_conflict(effect, effect.after) is None
    assert plan_restore(effect, effect.after) == replace(AUTH, version=AUTH.version + 2)


def test_undoing_a_creation_removes_the_memory() -> None:
    (effect,) = effects(Create(path="api/new.md", content="New."))
    assert plan_restore(effect, effect.after).state is MemoryState.REMOVED


def test_signals_that_moved_since_the_dream_survive_its_undo() -> None:
    before = replace(AUTH, signals=Signals(importance=50, access_count=2))
    effect = Effect(before=before, after=replace(before, signals=Signals(importance=60, access_count=7), version=5))
    read_since = replace(effect.after, signals=Signals(importance=66, access_count=9, pinned=True))
    restored = plan_restore(effect, read_since).signals
    assert restored == Signals(importance=56, access_count=4, pinned=True)


def test_a_touch_since_the_dream_survives_its_undo() -> None:
    (effect,) = effects(rewrite(AUTH, "Better."))
    assert plan_restore(effect, effect.after).touched_at == AUTH.touched_at
    later = NOW + timedelta(hours=1)
    assert plan_restore(effect, replace(effect.after, touched_at=later)).touched_at == later


@given(st.integers(0, 5), _CHANGES)
def test_an_undone_dream_leaves_a_memory_as_if_only_the_accesses_had_been(times: int, change: Change) -> None:
    (effect,) = effects(change)
    current, alone = effect.after.signals, AUTH.signals
    for _ in range(times):
        current, alone = accessed(current, NOW), accessed(alone, NOW)
    restored = plan_restore(effect, replace(effect.after, signals=current)).signals
    assert restored.access_count == alone.access_count
    assert restored.importance <= alone.importance
    assert restored.importance >= AUTH.signals.importance


@pytest.mark.parametrize(
    ("current", "conflict"),
    [
        (None, "api/auth.md is gone"),
        (replace(AUTH, content="By a person."), "api/auth.md was edited after the dream"),
        (replace(AUTH, content="Better.", state=MemoryState.ARCHIVED), "api/auth.md was archived in the meantime"),
    ],
)
def test_undo_never_clobbers_a_later_edit(current: Memory | None, conflict: str) -> None:
    (effect,) = effects(rewrite(AUTH, "Better."))
    assert decide_undo_conflict(effect, current) == conflict


def test_an_access_after_the_dream_is_no_conflict() -> None:
    (effect,) = effects(rewrite(AUTH, "Better."))
    accessed = replace(effect.after, version=6, signals=Signals(importance=63, access_count=1))
    assert decide_undo_conflict(effect, accessed) is None


def test_accesses_that_came_while_the_dream_was_thinking_are_kept() -> None:
    read = replace(AUTH, signals=Signals(importance=56, access_count=2, last_seen_at=NOW))
    wanted = Operation(kind=OperationKind.CROSS_REFERENCE, phase="p", reason="r", changes=(rewrite(AUTH, "Better."),))
    (effect,) = plan_effects(wanted, {AUTH.id: read}, NOW, lambda: "mem_new")
    assert (effect.after.signals.access_count, effect.after.signals.last_seen_at) == (2, NOW)
    assert plan_restore(effect, effect.after).signals == read.signals


def test_a_preference_that_was_recalled_while_the_dream_was_thinking_is_not_unratified() -> None:
    read = replace(AUTH, signals=Signals(access_count=1))
    wanted = Operation(kind=OperationKind.UNRATIFY, phase="p", reason="r", changes=(retire(AUTH),))
    with pytest.raises(ConflictError, match="was recalled in the meantime"):
        plan_effects(wanted, {AUTH.id: read}, NOW, lambda: "mem_new")
