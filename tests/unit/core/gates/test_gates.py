"""The gates: cheapest first, the first failure wins, each with its reason and numbers."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.gates.gates import GateFacts, decide_gates
from shared.core.policy.policy import GatePolicy
from tests.unit.builders import NOW

BYTEROVER = GatePolicy(min_hours=12, min_curations=3, min_sessions=None, scan_throttle_minutes=0, idle_seconds=0)
SETTING = ", by the tenant's tokens per day or budget.tokens_per_day"
#: Every gate open.
GOOD = GateFacts(curations=3, sessions=5)
#: Every gate shut at once.
BAD = GateFacts(
    paused_by="tenant",
    tokens_today=50_000,
    tokens_per_day=50_000,
    last_dream_at=NOW - timedelta(hours=2.5),
    last_check_at=NOW - timedelta(minutes=3),
    curations=1,
    pending_tasks=3,
    active_until=NOW + timedelta(seconds=30),
    running_dream="drm_1",
    tenant_dreams=1,
)


def reason(facts: GateFacts, policy: GatePolicy | None = None, *, force: bool = False) -> str:
    return decide_gates(facts, policy or GatePolicy(), NOW, force=force).reason


def test_a_store_with_enough_activity_and_nothing_against_it_may_dream() -> None:
    verdict = decide_gates(GOOD, GatePolicy(), NOW, force=False)
    assert verdict.is_open
    assert verdict.reason == ""


def test_the_gates_come_in_the_published_order_and_the_first_shut_one_answers() -> None:
    seen = []
    facts = BAD
    for opened in (
        {"paused_by": ""},
        {"tokens_per_day": None},
        {"last_dream_at": None},
        {"last_check_at": None},
        {"curations": 3},
        {"pending_tasks": 0},
        {"active_until": None},
        {"running_dream": ""},
        {"tenant_dreams": 0},
    ):
        seen.append(decide_gates(facts, GatePolicy(), NOW, force=False).gate)
        facts = replace(facts, **opened)
    assert seen == ["paused", "budget", "time", "throttle", "activity", "queue", "idle", "lock", "lock"]
    assert decide_gates(facts, GatePolicy(), NOW, force=False).is_open


def test_a_pause_says_who_paused() -> None:
    assert reason(BAD) == "Dreaming is paused (tenant)"


def test_a_spent_daily_budget_says_both_numbers_with_separators() -> None:
    assert reason(replace(BAD, paused_by="")) == f"Daily token budget spent (50,000 of 50,000{SETTING})"


def test_a_spent_daily_budget_is_worth_asking_again_at_midnight() -> None:
    verdict = decide_gates(replace(BAD, paused_by=""), GatePolicy(), NOW, force=False)
    assert verdict.retry_at == NOW.replace(hour=0) + timedelta(days=1)


def test_one_token_less_than_the_budget_is_not_spent() -> None:
    assert reason(replace(GOOD, tokens_today=49_999, tokens_per_day=50_000)) == ""


def test_a_budget_of_zero_is_spent_from_the_start() -> None:
    assert reason(replace(GOOD, tokens_today=0, tokens_per_day=0)) == f"Daily token budget spent (0 of 0{SETTING})"


def test_without_a_budget_any_spending_passes() -> None:
    assert reason(replace(GOOD, tokens_today=10**9, tokens_per_day=None)) == ""


def test_too_recent_has_one_decimal() -> None:
    assert reason(replace(GOOD, last_dream_at=NOW - timedelta(hours=2.5))) == "Too recent (2.5h < 12h)"


def test_a_store_that_never_dreamed_passes_the_time_gate() -> None:
    assert reason(replace(GOOD, last_dream_at=None)) == ""


def test_exactly_the_minimum_hours_pass_because_only_less_fails() -> None:
    assert reason(replace(GOOD, last_dream_at=NOW - timedelta(hours=12))) == ""
    assert reason(replace(GOOD, last_dream_at=NOW - timedelta(hours=12) + timedelta(seconds=1))) != ""


def test_a_reason_is_rounded_down_so_that_it_never_contradicts_itself() -> None:
    almost = replace(GOOD, last_dream_at=NOW - timedelta(hours=11, minutes=59))
    assert reason(almost) == "Too recent (11.9h < 12h)"
    almost = replace(GOOD, last_check_at=NOW - timedelta(minutes=9, seconds=50))
    assert reason(almost) == "Checked 9m ago (< 10m)"
    almost = replace(GOOD, last_activity_at=NOW - timedelta(seconds=119.9))
    assert reason(almost) == "Agent is active (119s < 120s quiet)"


def test_a_dream_in_the_future_of_the_clock_counts_as_just_now() -> None:
    assert reason(replace(GOOD, last_dream_at=NOW + timedelta(hours=1))) == "Too recent (0.0h < 12h)"


def test_the_time_gate_opens_again_twelve_hours_after_the_last_dream() -> None:
    last = NOW - timedelta(hours=2.5)
    assert decide_gates(replace(GOOD, last_dream_at=last), GatePolicy(), NOW, force=False).retry_at == last + timedelta(
        hours=12
    )


def test_a_check_within_ten_minutes_is_throttled() -> None:
    assert reason(replace(GOOD, last_check_at=NOW - timedelta(minutes=3))) == "Checked 3m ago (< 10m)"
    assert reason(replace(GOOD, last_check_at=NOW - timedelta(minutes=10))) == ""


def test_byterover_has_no_throttle() -> None:
    assert reason(replace(GOOD, last_check_at=NOW), BYTEROVER) == ""


def test_too_little_activity_names_both_counts() -> None:
    facts = GateFacts(curations=1, sessions=0)
    assert reason(facts) == "Not enough activity (1 < 3 curations, 0 < 5 sessions)"


def test_byterover_counts_curations_only() -> None:
    assert reason(GateFacts(curations=1, sessions=100), BYTEROVER) == "Not enough activity (1 < 3 curations)"


@pytest.mark.parametrize(("curations", "sessions"), [(3, 0), (0, 5), (3, 5)])
def test_three_curations_or_five_sessions_are_enough(curations: int, sessions: int) -> None:
    assert reason(GateFacts(curations=curations, sessions=sessions)) == ""


def test_without_either_threshold_no_activity_is_asked_for() -> None:
    assert reason(GateFacts(), GatePolicy(min_curations=None, min_sessions=None)) == ""


def test_a_queue_with_tasks_shuts_and_says_how_many() -> None:
    assert reason(replace(GOOD, pending_tasks=3)) == "Queue not empty (3 tasks pending)"
    assert reason(replace(GOOD, pending_tasks=3), GatePolicy(require_empty_queue=False)) == ""


def test_an_agent_in_a_turn_is_active_until_its_mark_runs_out() -> None:
    assert reason(replace(GOOD, active_until=NOW + timedelta(seconds=1))) == "Agent is active"
    assert reason(replace(GOOD, active_until=NOW)) == ""


def test_the_store_must_have_been_quiet_for_a_while() -> None:
    assert reason(replace(GOOD, last_activity_at=NOW - timedelta(seconds=30))) == "Agent is active (30s < 120s quiet)"
    assert reason(replace(GOOD, last_activity_at=NOW - timedelta(seconds=120))) == ""


def test_another_dream_is_named() -> None:
    assert reason(replace(GOOD, running_dream="drm_42")) == "Another dream is running (drm_42)"


def test_a_tenant_without_a_free_slot_waits() -> None:
    assert reason(replace(GOOD, tenant_dreams=2, tenant_cap=2)) == "No free slot (2 of 2 dreams running)"
    assert reason(replace(GOOD, tenant_dreams=1, tenant_cap=2)) == ""


def test_force_skips_time_throttle_activity_and_queue() -> None:
    facts = replace(BAD, paused_by="", tokens_per_day=None, running_dream="", tenant_dreams=0)
    assert decide_gates(facts, GatePolicy(), NOW, force=True).is_open


@pytest.mark.parametrize(
    ("facts", "gate"),
    [
        (replace(GOOD, paused_by="store"), "paused"),
        (replace(GOOD, tokens_today=1, tokens_per_day=1), "budget"),
        (replace(GOOD, running_dream="drm_1"), "lock"),
        (replace(GOOD, tenant_dreams=1), "lock"),
    ],
)
def test_force_never_skips_pause_budget_or_lock(facts: GateFacts, gate: str) -> None:
    assert decide_gates(facts, GatePolicy(), NOW, force=True).gate == gate


@given(
    curations=st.integers(0, 10),
    hours=st.floats(0, 48),
    pending=st.integers(0, 3),
    running=st.sampled_from(["", "drm_1"]),
    paused=st.sampled_from(["", "tenant"]),
)
def test_whatever_opens_without_force_opens_with_it(
    curations: int, hours: float, pending: int, running: str, paused: str
) -> None:
    facts = GateFacts(
        curations=curations,
        pending_tasks=pending,
        running_dream=running,
        paused_by=paused,
        last_dream_at=NOW - timedelta(hours=hours),
    )
    unforced = decide_gates(facts, GatePolicy(), NOW, force=False)
    forced = decide_gates(facts, GatePolicy(), NOW, force=True)
    assert forced.is_open or not unforced.is_open
    assert unforced.is_open or unforced.reason


@pytest.mark.parametrize("force", [False, True])
def test_a_store_that_is_not_opted_in_says_so_and_force_does_not_open_it(force: bool) -> None:
    verdict = decide_gates(GOOD, GatePolicy(enabled=False), NOW, force=force)
    assert (verdict.gate, verdict.reason) == (
        "disabled",
        "Dreaming is not enabled for this store (gates.enabled=false)",
    )
