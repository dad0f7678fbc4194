"""A dream whose agent is busy sleeps longer each time, and wakes when the agent is idle."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.gates.snooze import (
    AGENT_BUSY,
    SnoozeTerms,
    decide_busy_wait,
    decide_snooze,
    decide_wake,
    find_busy_until,
)
from shared.core.policy.policy import GatePolicy
from shared.core.tenants.store import Store
from tests.unit.builders import NOW

MINUTE = timedelta(minutes=1)


def test_a_dream_backs_off_5_10_20_40_60_60_minutes_and_then_no_more() -> None:
    terms = SnoozeTerms()
    waits = [
        decide_snooze(terms, snoozes=number, wanted_seconds=decide_busy_wait(snoozes=number)) for number in range(7)
    ]
    assert [wait and wait / 60 for wait in waits] == [5, 10, 20, 40, 60, 60, None]


def asleep(**values: Any) -> Dream:
    """A dream that was put to sleep just now for five minutes, because its agent was busy."""
    kept = Dream(
        id="drm_1", tenant_id="t", store_id="s", store="default", state=DreamState.RUNNING, trigger=Trigger.SWEEP, epoch=1,
        is_forced=False, is_dry_run=False, created_at=NOW, reason=AGENT_BUSY, snooze_count=1, snoozed_at=NOW,
        next_attempt_at=NOW + 5 * MINUTE,
    )  # fmt: skip
    return replace(kept, **values)


def test_the_end_of_a_turn_wakes_a_dream_once_the_store_was_quiet_for_the_idle_window() -> None:
    assert decide_wake(asleep(), 120, NOW + MINUTE, is_busy=False) == NOW + 3 * MINUTE


def test_the_end_of_a_turn_never_makes_a_dream_sleep_longer() -> None:
    assert decide_wake(asleep(), 120, NOW + 4 * MINUTE, is_busy=False) == NOW + 5 * MINUTE


@pytest.mark.parametrize(("snoozes", "minutes"), [(1, 5), (2, 10), (3, 20)])
def test_a_turn_that_begins_sooner_lets_the_dream_sleep_as_long_as_it_was_to(snoozes: int, minutes: int) -> None:
    woken = asleep(snooze_count=snoozes, next_attempt_at=NOW + 2 * MINUTE)
    assert decide_wake(woken, 120, NOW + MINUTE, is_busy=True) == NOW + minutes * MINUTE


def test_a_turn_does_not_shorten_a_sleep() -> None:
    long = asleep(next_attempt_at=NOW + 30 * MINUTE)
    assert decide_wake(long, 120, NOW + MINUTE, is_busy=True) == NOW + 30 * MINUTE


@pytest.mark.parametrize(
    "values", [{"next_attempt_at": None}, {"snoozed_at": None}, {"reason": "Sleeps until the model takes calls again"}]
)
def test_a_dream_that_sleeps_for_another_reason_or_not_at_all_is_left_alone(values: dict[str, Any]) -> None:
    assert decide_wake(asleep(**values), 120, NOW, is_busy=False) is None


def test_an_agent_is_busy_until_its_mark_or_while_its_queue_has_tasks() -> None:
    store, policy = Store(id="s", tenant_id="t", name="default"), GatePolicy()
    assert find_busy_until(store, policy, NOW) is None
    assert find_busy_until(replace(store, active_until=NOW + MINUTE), policy, NOW) == NOW + MINUTE
    assert find_busy_until(replace(store, active_until=NOW), policy, NOW) is None
    assert find_busy_until(replace(store, pending_tasks=1), policy, NOW) == NOW + 5 * MINUTE
    assert find_busy_until(replace(store, pending_tasks=1), GatePolicy(require_empty_queue=False), NOW) is None
