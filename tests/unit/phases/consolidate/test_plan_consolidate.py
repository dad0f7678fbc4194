"""Consolidate: SKIP, the order of actions, and what holds whatever a model says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, OperationKind, Retire, Rewrite
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from tests.unit.builders import NOW, codes, group, paths_of
from tests.unit.phases.consolidate.consolidating import AUTH, LIMITS, OAUTH, TEXT, does, merge, only, plan
from workers.phases.consolidate.answer import ConsolidateAction
from workers.phases.consolidate.plan import ConsolidateView, plan_consolidation


def test_skip_makes_no_operation_and_is_counted() -> None:
    found = plan(does("SKIP", AUTH, OAUTH, reason="other topics"))
    assert found.operations == ()
    assert [(skip.code, skip.detail) for skip in found.skips] == [
        ("left_alone", "api/auth.md, api/oauth.md: other topics")
    ]


def test_a_group_without_an_answer_changes_nothing() -> None:
    view = ConsolidateView(
        groups=(group(AUTH, OAUTH),), live_paths=frozenset(), policy=Policy(), now=NOW, loss=LossBudget(allowed=3)
    )
    found = plan_consolidation(view, {})
    assert found.operations == ()
    assert codes(found) == ["no_answer"]


def test_a_memory_is_in_one_operation_only_and_the_first_wins() -> None:
    found = plan(
        merge(AUTH, OAUTH),
        does("TEMPORAL_UPDATE", AUTH, updatedContent=f"{AUTH.content} Since 2026."),
        does("CROSS_REFERENCE", OAUTH, LIMITS),
    )
    assert [operation.kind for operation in found.operations] == [OperationKind.MERGE]
    assert codes(found) == ["already_changed", "already_changed"]


def test_links_give_way_to_a_merge_that_comes_later_in_the_answer() -> None:
    found = plan(does("CROSS_REFERENCE", OAUTH, LIMITS), merge(AUTH, OAUTH))
    assert [operation.kind for operation in found.operations] == [OperationKind.MERGE]
    assert codes(found) == ["already_changed"]


def test_one_action_that_fails_does_not_stop_the_rest() -> None:
    found = plan(merge(AUTH, OAUTH, text=""), does("CROSS_REFERENCE", AUTH, LIMITS))
    assert [operation.kind for operation in found.operations] == [OperationKind.CROSS_REFERENCE]


@pytest.mark.parametrize("confidence", [-0.1, 1.1, 99, float("nan"), float("inf")])
def test_a_garbage_confidence_is_no_confidence(confidence: float) -> None:
    assert only(merge(AUTH, OAUTH, confidence=confidence)).confidence is None


_PATHS = st.sampled_from([AUTH.path, OAUTH.path, LIMITS.path, "ops/secret.md", "../x.md", ""])
_BODIES = st.none() | st.sampled_from([TEXT, AUTH.content, "", f"{TEXT} Clients may send 600 requests per minute."])
_ACTIONS = st.builds(
    ConsolidateAction,
    type=st.sampled_from(["MERGE", "TEMPORAL_UPDATE", "CROSS_REFERENCE", "SKIP"]),
    files=st.lists(_PATHS, max_size=4).map(tuple),
    confidence=st.none() | st.floats(),
    output_file=st.none() | _PATHS | st.sampled_from(["api/new.md", "MEMORY.md", "/x.md"]),
    merged_content=_BODIES,
    updated_content=_BODIES | st.text(max_size=20),
)


@given(st.lists(_ACTIONS, max_size=6), st.integers(0, 2))
def test_whatever_the_model_says_the_rules_hold(actions: list[ConsolidateAction], allowed: int) -> None:
    found = plan(*actions, allowed=allowed, live=("ops/secret.md",))
    changes = [change for operation in found.operations for change in operation.changes]
    paths = paths_of(changes)
    assert len(paths) == len(set(paths))
    assert set(paths) <= {AUTH.path, OAUTH.path, LIMITS.path, "api/new.md"}
    applied = [op for op in found.operations if op.propose_only is None]
    assert sum(isinstance(change, Retire) for op in applied for change in op.changes) <= allowed
    for operation in found.operations:
        if operation.kind is OperationKind.MERGE:
            assert operation.needs_review
        for change in operation.changes:
            assert isinstance(change, Rewrite | Retire | Create)


def test_a_file_that_was_shown_as_the_rest_of_its_folder_may_be_merged() -> None:
    shown = replace(group(AUTH), beside=(OAUTH,))
    operation = only(merge(AUTH, OAUTH, into=AUTH.path), of=shown)
    changed = {change.path for change in operation.changes if isinstance(change, Rewrite | Retire)}
    assert changed == {AUTH.path, OAUTH.path}
