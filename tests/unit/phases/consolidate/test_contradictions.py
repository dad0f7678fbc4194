"""Contradictions: (winner, loser, reason) under the published rules and ours."""

from dataclasses import replace

import pytest

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory, MemoryState, Signals
from shared.core.merging.calls import Group
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from tests.unit.builders import NOW, days_ago, group, memory
from tests.unit.phases.consolidate.consolidating import merge
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction
from workers.phases.consolidate.plan import ConsolidateView, plan_consolidation

AUTH = replace(memory("api/auth.md", "Access tokens last 15 minutes."), updated_at=days_ago(2))
OAUTH = replace(memory("api/auth-old.md", "Access tokens last 30 minutes."), updated_at=days_ago(9))
LIMITS = replace(memory("api/auth-older.md", "Access tokens last 60 minutes."), updated_at=days_ago(20))
FIXED = replace(
    memory("api/auth-fixed.md", "---\ntags: [correction]\n---\nAccess tokens last 20 minutes.\n"),
    updated_at=days_ago(99),
)
SHOWN = group(AUTH, OAUTH, related=(LIMITS, FIXED))


def plan(*pairs: tuple[str, str], allowed: int = 10, shown: Group = SHOWN, **more: object) -> Plan:
    answer = ConsolidateAnswer.model_validate({"contradictions": [_named(w, x, shown) for w, x in pairs], **more})
    view = ConsolidateView(
        groups=(shown,),
        live_paths=frozenset(m.path for m in (AUTH, OAUTH, LIMITS, FIXED)),
        policy=Policy(),
        now=NOW,
        loss=LossBudget(allowed=allowed),
    )
    return plan_consolidation(view, {SHOWN.key: answer}, {})


def _named(winner: str, loser: str, shown: Group) -> dict[str, str]:
    """A contradiction as a careful model gives it: with what both say."""
    said = {m.path: body_of(m.content).strip() for m in (*shown.changed, *shown.related)}
    quotes = {"winnerQuote": said.get(winner, ""), "loserQuote": said.get(loser, "")}
    return {"winner": winner, "loser": loser, "reason": "15 is not 20", **quotes}


def only(found: Plan) -> tuple[Operation, Retire]:
    (operation,) = found.operations
    (change,) = operation.changes
    assert isinstance(change, Retire)
    return operation, change


def codes(found: Plan) -> list[str]:
    return [skip.code for skip in found.skips]


def test_the_loser_is_superseded_by_the_winner_and_not_deleted() -> None:
    operation, retired = only(plan((AUTH.path, OAUTH.path)))
    assert operation.kind is OperationKind.RETIRE
    assert (retired.memory_id, retired.successor_id, retired.state) == (OAUTH.id, AUTH.id, MemoryState.SUPERSEDED)
    assert operation.needs_review
    assert operation.propose_only is None


def test_the_older_of_two_does_not_win_because_it_calls_itself_a_correction() -> None:
    operation, retired = only(plan((AUTH.path, FIXED.path)))
    assert (retired.memory_id, retired.successor_id) == (FIXED.id, AUTH.id)
    assert operation.propose_only is None
    operation, _ = only(plan((FIXED.path, AUTH.path)))
    assert "is not later" in str(operation.propose_only)


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


@pytest.mark.parametrize("values", [{"signals": Signals(pinned=True)}, {"signals": Signals(by_person=True)}])
def test_a_protected_loser_is_proposed_never_superseded_without_a_person(values: dict[str, object]) -> None:
    pinned: Memory = replace(OAUTH, **values)  # type: ignore[arg-type] # values of a Memory
    operation, _ = only(plan((AUTH.path, OAUTH.path), shown=group(AUTH, pinned)))
    assert operation.propose_only is not None
    assert "protected" in operation.propose_only


def test_losers_count_for_the_loss_cap() -> None:
    found = plan((AUTH.path, OAUTH.path), (AUTH.path, LIMITS.path), allowed=1)
    assert [bool(op.propose_only) for op in found.operations] == [False, True]


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
