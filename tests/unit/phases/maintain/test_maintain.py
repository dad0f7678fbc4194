"""Maintain, as values: what is folded, promoted and archived, in few operations, under the loss cap."""

from dataclasses import replace
from datetime import date

import pytest

from shared.core.dream.operations import Absorb, OperationKind, Plan, Promote, Retire
from shared.core.policy.policy import Policy
from shared.core.policy.upkeep import MaintainPolicy
from shared.core.upkeep.maintenance import CHANGES_AN_OPERATION, Expired, Subject, Twin
from tests.unit.builders import codes
from tests.unit.phases.reading import around
from workers.phases.maintain.phase import PHASE, Inputs

SWARMCLAW = replace(Policy(), maintain=MaintainPolicy(archive_after_days=90))


def subject(name: str, version: int = 1) -> Subject:
    return Subject(id=f"mem_{name}", version=version, path=f"a/{name}.md")


def twin(name: str, *, accesses: int = 0, reinforcements: int = 0, may_promote: bool = True) -> Twin:
    return Twin(
        subject=subject(name),
        access_count=accesses,
        reinforcement_count=reinforcements,
        may_promote=may_promote,
    )


def planned(
    *,
    duplicates: tuple[tuple[Twin, ...], ...] = (),
    promotable: tuple[Subject, ...] = (),
    stale: tuple[Subject, ...] = (),
    expired: tuple[Expired, ...] = (),
    decayed: int = 0,
    live: int = 10_000,
) -> Plan:
    inputs = Inputs(duplicates=duplicates, promotable=promotable, expired=expired, stale=stale, decayed=decayed)
    return PHASE.plan(inputs, {}, around(live=live, policy=SWARMCLAW))


def changes(plan: Plan, kind: OperationKind) -> list[object]:
    return [change for operation in plan.operations if operation.kind is kind for change in operation.changes]


def test_exact_duplicates_are_superseded_by_the_first_of_their_group() -> None:
    plan = planned(duplicates=((twin("kept"), twin("one"), twin("two")),))
    absorb, *retired = changes(plan, OperationKind.FOLD)
    assert isinstance(absorb, Absorb)
    assert (absorb.memory_id, absorb.folded) == ("mem_kept", ("mem_one", "mem_two"))
    assert [c.superseded_by for c in retired if isinstance(c, Retire)] == ["a/kept.md", "a/kept.md"]


def test_a_thousand_changes_are_few_operations() -> None:
    plan = planned(promotable=tuple(subject(str(number)) for number in range(1_000)))
    assert len(plan.operations) == 1_000 / CHANGES_AN_OPERATION
    assert sum(len(operation.changes) for operation in plan.operations) == 1_000


def test_duplicates_and_their_keeper_are_never_torn_apart() -> None:
    groups = tuple((twin(f"k{n}"), twin(f"a{n}"), twin(f"b{n}")) for n in range(400))
    for operation in planned(duplicates=groups).operations:
        absorbs = [c for c in operation.changes if isinstance(c, Absorb)]
        retired = {c.memory_id for c in operation.changes if isinstance(c, Retire)}
        assert retired == {one for absorb in absorbs for one in absorb.folded}


def test_no_more_is_retired_than_the_loss_cap_allows_and_the_rest_waits() -> None:
    plan = planned(duplicates=((twin("kept"), twin("one")),), stale=tuple(subject(f"s{n}") for n in range(9)), live=20)
    retired = [c for op in plan.operations for c in op.changes if isinstance(c, Retire)]
    assert len(retired) == 5
    assert codes(plan) == ["loss_cap"] * 5


def test_folding_beyond_the_loss_cap_folds_what_it_may() -> None:
    plan = planned(duplicates=(tuple(twin(f"t{n}") for n in range(8)),), live=4)
    assert len([c for c in changes(plan, OperationKind.FOLD) if isinstance(c, Retire)]) == 1
    assert codes(plan) == ["loss_cap"] * 6


def test_a_keeper_that_has_earned_it_together_with_its_duplicates_is_promoted_at_once() -> None:
    plan = planned(
        duplicates=((twin("kept", accesses=2, reinforcements=1), twin("one", accesses=1, reinforcements=1)),)
    )
    assert changes(plan, OperationKind.MAKE_DURABLE) == [Promote(memory_id="mem_kept", version=2, path="a/kept.md")]


def test_a_keeper_whose_duplicate_is_durable_or_exempt_is_not_promoted() -> None:
    pair = (twin("kept", accesses=9, reinforcements=9), twin("one", may_promote=False))
    assert changes(planned(duplicates=(pair,)), OperationKind.MAKE_DURABLE) == []


def test_unused_duplicates_are_folded_and_archived_in_one_run() -> None:
    plan = planned(duplicates=((twin("kept"), twin("one")),), stale=(subject("kept"), subject("one")))
    (archived,) = changes(plan, OperationKind.ARCHIVE_STALE)
    assert isinstance(archived, Retire)
    assert (archived.memory_id, archived.version) == ("mem_kept", 2)


def test_a_stale_duplicate_of_a_memory_in_use_is_folded_not_archived() -> None:
    plan = planned(duplicates=((twin("kept", accesses=1), twin("one")),), stale=(subject("one"),))
    assert changes(plan, OperationKind.ARCHIVE_STALE) == []


def test_archives_of_maintain_are_flagged_for_review_and_folded_duplicates_are_not() -> None:
    plan = planned(duplicates=((twin("kept"), twin("one")),), stale=(subject("s"),))
    assert {op.kind: op.needs_review for op in plan.operations} == {
        OperationKind.FOLD: False,
        OperationKind.ARCHIVE_STALE: True,
    }


def test_what_has_expired_is_archived_by_its_day_before_what_is_stale_and_within_the_loss_cap() -> None:
    over = [Expired(subject=subject(f"e{n}"), on=date(2026, 3, 1 + n // 2)) for n in range(4)]
    plan = planned(expired=tuple(over), stale=tuple(subject(f"s{n}") for n in range(4)), live=20)
    assert [(op.reason, len(op.changes)) for op in plan.operations if op.kind is OperationKind.EXPIRE] == [
        ("Archive 2: expired on 2026-03-01", 2),
        ("Archive 2: expired on 2026-03-02", 2),
    ]
    assert len(changes(plan, OperationKind.ARCHIVE_STALE)) == 1
    assert codes(plan) == ["loss_cap"] * 3


@pytest.mark.parametrize("decayed", [0, 7])
def test_decay_is_counted_and_changes_nothing(decayed: int) -> None:
    plan = planned(decayed=decayed)
    assert plan.operations == ()
    assert plan.counts.get("decayed", 0) == decayed
