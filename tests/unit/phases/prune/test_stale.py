"""Prune selects stale memories by ByteRover's two signals and their thresholds."""

from dataclasses import replace

import pytest

from shared.core.memory.model import Maturity, Memory, Signals
from shared.core.policy.policy import Policy
from shared.core.upkeep.stale import find_stale
from tests.unit.builders import NOW, days_ago, head_of, memory
from workers.phases.prune.plan import describe, without_put_back


def stale(*memories: Memory) -> list[str]:
    found, _ = find_stale([head_of(one) for one in memories], Policy(), NOW)
    return [candidate.head.path for candidate in found]


def signals_of(one: Memory) -> tuple[str, ...]:
    """The signals of a candidate, empty for what is none: a candidate has at least one."""
    found, _ = find_stale([head_of(one)], Policy(), NOW)
    assert all(candidate.signals for candidate in found)
    return found[0].signals if found else ()


@pytest.mark.parametrize(("days", "signals"), [(59.9, ()), (60, ("stale",)), (71, ("stale",))])
def test_a_draft_goes_stale_after_60_days(days: float, signals: tuple[str, ...]) -> None:
    assert signals_of(memory("a/x.md", untouched_days=days)) == signals


@pytest.mark.parametrize(("days", "signals"), [(119.9, ()), (120, ("stale",))])
def test_a_validated_memory_goes_stale_after_120_days(days: float, signals: tuple[str, ...]) -> None:
    one = memory("a/x.md", maturity=Maturity.VALIDATED, importance=79, untouched_days=days)
    assert signals_of(one) == signals


@pytest.mark.parametrize("path", ["logs/standup.md", "ops/logs/2024/deploys.md", "diary/2024-03-05.md"])
def test_daily_notes_are_never_candidates_for_pruning(path: str) -> None:
    assert stale(memory(path, untouched_days=900)) == []
    assert stale(memory("ops/catalogs/deploys.md", untouched_days=900)) == ["ops/catalogs/deploys.md"]


@pytest.mark.parametrize("importance", [1, 50, 100])
def test_a_core_memory_is_never_a_candidate(importance: float) -> None:
    assert stale(memory("a/x.md", maturity=Maturity.CORE, importance=importance, untouched_days=5_000)) == []


@pytest.mark.parametrize(("days", "signals"), [(26, ()), (27, ("low importance",))])
def test_a_draft_of_importance_40_drops_below_35_after_27_days(days: float, signals: tuple[str, ...]) -> None:
    assert signals_of(memory("a/x.md", importance=40, untouched_days=days)) == signals


def test_low_importance_is_a_signal_of_drafts_only() -> None:
    assert signals_of(memory("a/x.md", maturity=Maturity.VALIDATED, importance=1, untouched_days=30)) == ()


def test_exactly_the_threshold_is_not_below_it() -> None:
    assert signals_of(memory("a/x.md", importance=35)) == ()
    assert signals_of(memory("a/x.md", importance=34.9)) == ("low importance",)


def test_a_memory_with_both_signals_is_listed_once() -> None:
    both = memory("a/x.md", importance=40, untouched_days=90)
    assert stale(both) == ["a/x.md"]
    assert signals_of(both) == ("low importance", "stale")


def test_at_most_20_come_and_the_stalest_first() -> None:
    many = [memory(f"a/{number:02}.md", untouched_days=60 + number) for number in range(25)]
    found, more = find_stale([head_of(one) for one in many], Policy(), NOW)
    assert [candidate.head.path for candidate in found] == [f"a/{number:02}.md" for number in range(24, 4, -1)]
    assert more == 5


def test_equally_stale_memories_come_in_the_order_of_their_paths() -> None:
    assert stale(*(memory(path, untouched_days=70) for path in ("b/x.md", "a/x.md"))) == ["a/x.md", "b/x.md"]


@pytest.mark.parametrize(
    "one",
    [
        memory("a/x.md", untouched_days=900, signals=Signals(by_person=True)),
        memory("a/x.md", untouched_days=900, signals=Signals(pinned=True)),
        memory("a/x.md", untouched_days=900, signals=Signals(reinforcement_count=5)),
        memory("a/x.md", untouched_days=900, signals=Signals(importance=80)),
    ],
)
def test_protected_memories_are_not_candidates(one: Memory) -> None:
    assert stale(one) == []


@pytest.mark.parametrize("path", ["MEMORY.md", "a/_index.md", "a/x.stub.md", "a/x.abstract.md", "_archived/x.md"])
def test_generated_files_are_not_candidates(path: str) -> None:
    assert stale(memory(path, untouched_days=900)) == []


@pytest.mark.parametrize("field", ["category", "type"])
def test_insights_of_dreams_are_no_candidates_for_pruning(field: str) -> None:
    assert stale(memory("a/x.md", f"---\n{field}: dream_reflection\n---\nText.\n", untouched_days=900)) == []


def test_a_candidate_is_described_with_its_numbers() -> None:
    found, _ = find_stale([head_of(memory("a/x.md", untouched_days=72))], Policy(), NOW)
    assert describe(found[0]) == (
        "maturity draft",
        "importance 35",
        "untouched 72 days",
        "signal low importance, stale",
    )


def test_a_memory_that_was_put_back_is_a_candidate_again_after_a_write_or_30_days() -> None:
    old, other = head_of(memory("a/old.md", untouched_days=90)), head_of(memory("a/other.md", untouched_days=90))
    assert without_put_back([old, other], {old.path: days_ago(2)}, NOW) == [other]
    assert without_put_back([old, other], {old.path: days_ago(30)}, NOW) == [other]
    assert without_put_back([old, other], {old.path: days_ago(31)}, NOW) == [old, other]
    assert without_put_back([replace(old, updated_at=days_ago(2)), other], {old.path: days_ago(2)}, NOW) == [other]
    written = replace(old, updated_at=days_ago(1))
    assert without_put_back([written, other], {old.path: days_ago(2)}, NOW) == [written, other]
