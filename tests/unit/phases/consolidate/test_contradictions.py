"""Contradictions: (winner, loser, reason) under the published rules and ours."""

import pytest

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire
from shared.core.memory.model import MemoryState
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from tests.unit.builders import NOW, group, memory
from tests.unit.phases.consolidate.consolidating import merge
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction
from workers.phases.consolidate.plan import ConsolidateView, plan_consolidation

AUTH = memory("api/auth.md", "Access tokens last 15 minutes.")
OAUTH = memory("api/auth-old.md", "Access tokens last 30 minutes.")
LIMITS = memory("api/auth-older.md", "Access tokens last 60 minutes.")
SHOWN = group(AUTH, OAUTH, related=(LIMITS,))


def plan(*pairs: tuple[str, str], **more: object) -> Plan:
    named = [{"winner": winner, "loser": loser, "reason": "15 is not 20"} for winner, loser in pairs]
    answer = ConsolidateAnswer.model_validate({"contradictions": named, **more})
    view = ConsolidateView(
        groups=(SHOWN,),
        live_paths=frozenset(m.path for m in (AUTH, OAUTH, LIMITS)),
        policy=Policy(),
        now=NOW,
        loss=LossBudget(allowed=10),
    )
    return plan_consolidation(view, {SHOWN.key: answer})


def only(found: Plan) -> tuple[Operation, Retire]:
    (operation,) = found.operations
    (change,) = operation.changes
    assert isinstance(change, Retire)
    return operation, change


def codes(found: Plan) -> list[str]:
    return [skip.code for skip in found.skips]


def test_a_person_decides_whether_the_loser_is_superseded_by_the_winner() -> None:
    operation, retired = only(plan((AUTH.path, OAUTH.path)))
    assert operation.kind is OperationKind.RETIRE
    assert (retired.memory_id, retired.successor_id, retired.state) == (OAUTH.id, AUTH.id, MemoryState.SUPERSEDED)
    assert operation.needs_review
    assert "15 is not 20" in operation.reason
    assert operation.propose_only is not None


@pytest.mark.parametrize(
    ("pair", "code"),
    [
        (("", "api/auth.md"), "contradiction_empty"),
        (("api/auth.md", " "), "contradiction_empty"),
        (("api/auth.md", "api/auth.md"), "contradiction_self"),
        (("api/auth.md", "other/store.md"), "not_offered"),
        (("../../etc/passwd", "api/auth.md"), "not_offered"),
    ],
)
def test_unknown_equal_and_empty_ids_are_ignored_and_counted(pair: tuple[str, str], code: str) -> None:
    found = plan(pair)
    assert found.operations == ()
    assert codes(found) == [code]


def test_a_memory_loses_once_and_is_merged_into_nothing_afterwards() -> None:
    action = merge(AUTH, OAUTH).model_dump(by_alias=True)
    found = plan((LIMITS.path, OAUTH.path), (AUTH.path, OAUTH.path), actions=[action])
    assert [op.kind for op in found.operations] == [OperationKind.RETIRE]
    assert codes(found) == ["already_changed", "already_changed"]


def test_a_deletion_without_a_replacement_is_only_proposed() -> None:
    operation, retired = only(plan(toDelete=[LIMITS.path]))
    assert retired.state is MemoryState.ARCHIVED
    assert operation.propose_only is not None


def test_a_deletion_of_what_was_not_offered_is_refused_and_counted() -> None:
    found = plan(toDelete=["mem_of_another_store"])
    assert found.operations == ()
    assert codes(found) == ["not_offered"]


def test_the_published_names_winner_id_and_loser_id_are_understood() -> None:
    pair = Contradiction.model_validate({"winnerId": "a.md", "loserId": "b.md", "reason": "r"})
    assert (pair.winner, pair.loser) == ("a.md", "b.md")
