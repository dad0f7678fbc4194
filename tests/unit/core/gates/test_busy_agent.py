"""A busy agent delays its store's dreams, for 24 hours at most."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from shared.core.gates.busy_agent import decide_busy_since, find_busy_since
from shared.core.gates.gates import GateFacts, decide_gates
from shared.core.gates.snooze import find_busy_until
from shared.core.policy.policy import GatePolicy
from shared.core.tenants.store import Store, Verdict
from tests.unit.builders import NOW

BUSY = GateFacts(curations=3, pending_tasks=2, active_until=NOW + timedelta(minutes=5), last_activity_at=NOW)
STORE = Store(id="s", tenant_id="t", name="default", active_until=NOW + timedelta(minutes=5))
DAY = timedelta(hours=24)


def after(store: Store, gate: str, at: datetime) -> Store:
    """The store once a check found this gate shut; empty: all open."""
    since = decide_busy_since(store, gate, at)
    return replace(store, last_verdict=Verdict(at=at, is_open=not gate, gate=gate, busy_since=since))


def test_a_store_whose_agent_was_busy_for_24_hours_is_checked_as_if_it_were_idle() -> None:
    almost = replace(BUSY, busy_since=NOW - DAY + timedelta(seconds=1))
    assert decide_gates(almost, GatePolicy(), NOW, force=False).gate == "queue"
    assert decide_gates(replace(BUSY, busy_since=NOW - DAY), GatePolicy(), NOW, force=False).is_open


def test_the_other_gates_hold_after_24_hours_too() -> None:
    waited = replace(BUSY, busy_since=NOW - DAY)
    for facts, gate in (
        (replace(waited, curations=0), "activity"),
        (replace(waited, paused_by="store"), "paused"),
        (replace(waited, running_dream="drm_1"), "lock"),
    ):
        assert decide_gates(facts, GatePolicy(), NOW, force=False).gate == gate


def test_the_wait_begins_with_the_first_busy_verdict_and_goes_on_through_other_gates() -> None:
    store = after(STORE, "idle", NOW)
    for minutes, gate in ((5, "throttle"), (10, "queue"), (60, "quiet"), (600, "lock"), (700, "idle")):
        store = after(store, gate, NOW + timedelta(minutes=minutes))
    assert find_busy_since(store) == NOW


@pytest.mark.parametrize("gate", ["time", "activity"])
def test_the_wait_is_over_when_nothing_waits(gate: str) -> None:
    assert find_busy_since(after(after(STORE, "idle", NOW), gate, NOW)) is None


def test_a_dream_that_was_let_through_does_not_snooze_whatever_is_checked_meanwhile() -> None:
    store = after(after(STORE, "idle", NOW - DAY), "", NOW)
    assert find_busy_until(store, GatePolicy(), NOW) is None
    assert find_busy_until(after(store, "throttle", NOW), GatePolicy(), NOW) is None


def test_a_dream_that_found_its_agent_idle_still_snoozes_when_a_turn_begins() -> None:
    store = after(after(STORE, "idle", NOW - timedelta(hours=1)), "", NOW)
    assert find_busy_until(store, GatePolicy(), NOW) == STORE.active_until


def test_the_next_wait_begins_anew_after_a_dream() -> None:
    dreamt = replace(after(after(STORE, "idle", NOW - DAY), "", NOW), last_dream_at=NOW)
    later = NOW + timedelta(hours=1)
    assert find_busy_since(dreamt) is None
    assert find_busy_since(after(dreamt, "idle", later)) == later
