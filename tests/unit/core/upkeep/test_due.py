"""Upkeep is due by its switch and SwarmClaw's published numbers, and begins when the gates that it shares are open."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.core.dream.model import UPKEEP_TRIGGERS, Trigger
from shared.core.gates.gates import GateFacts
from shared.core.gates.quarantine import EndedDream
from shared.core.policy.policy import GatePolicy, Policy
from shared.core.policy.profiles import PROFILES
from shared.core.policy.upkeep import CompactionPolicy, DigestPolicy
from shared.core.upkeep.due import (
    UpkeepDue,
    decide_compaction_due,
    decide_digest_due,
    decide_next_upkeep_check,
    decide_switched_on,
    decide_upkeep,
    local_day,
    start_of_next_day,
)

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
ON = replace(Policy(), digest=DigestPolicy(enabled=True), compaction=CompactionPolicy(enabled=True))
DUE = UpkeepDue(is_due=True, next_at=NOW + timedelta(hours=12))


def digest(fresh: int, *, is_done_today: bool = False, time_zone: str = "UTC") -> UpkeepDue:
    return decide_digest_due(ON.digest, fresh=fresh, is_done_today=is_done_today, now=NOW, time_zone=time_zone)


def compaction(
    *,
    has_unused: bool,
    has_room: bool = True,
    next_in_days: float | None = None,
    last_hours_ago: float | None = None,
) -> UpkeepDue:
    return decide_compaction_due(
        ON.compaction,
        has_unused=has_unused,
        has_room=has_room,
        next_unused_at=None if next_in_days is None else NOW + timedelta(days=next_in_days),
        last_at=None if last_hours_ago is None else NOW - timedelta(hours=last_hours_ago),
        now=NOW,
    )


def test_a_compaction_that_the_loss_cap_leaves_no_room_waits_for_a_person_and_says_so() -> None:
    due = compaction(has_unused=True, has_room=False)
    assert not due.is_due
    assert "until a person has reviewed it" in due.reason


@pytest.mark.parametrize(("fresh", "is_due"), [(0, False), (4, False), (5, True), (30, True), (500, True)])
def test_five_memories_in_24_hours_are_worth_a_digest(fresh: int, is_due: bool) -> None:
    assert digest(fresh).is_due is is_due


def test_too_few_memories_are_told_with_their_number_and_wait_for_more_activity() -> None:
    due = digest(4)
    assert (due.reason, due.next_at) == ("Not enough new memories (4 < 5 in 24 h)", None)


@pytest.mark.parametrize(
    ("time_zone", "day", "next_day_in_hours"),
    [("UTC", "2026-03-04", 12), ("Pacific/Auckland", "2026-03-05", 23), ("America/Los_Angeles", "2026-03-04", 20)],
)
def test_a_day_is_the_tenants_own(time_zone: str, day: str, next_day_in_hours: float) -> None:
    assert local_day(NOW, time_zone) == day
    assert start_of_next_day(NOW, time_zone) - NOW == timedelta(hours=next_day_in_hours)
    due = digest(9, is_done_today=True, time_zone=time_zone)
    assert (due.is_due, due.next_at) == (False, NOW + timedelta(hours=next_day_in_hours))


def test_a_compaction_is_due_when_a_durable_memory_was_unused_for_long_enough() -> None:
    assert compaction(has_unused=True).is_due


def test_a_store_is_compacted_at_most_once_a_day() -> None:
    due = compaction(has_unused=True, last_hours_ago=1)
    assert (due.is_due, due.next_at) == (False, NOW + timedelta(hours=23))
    assert compaction(has_unused=True, last_hours_ago=24).is_due


def test_a_store_without_candidates_is_looked_at_when_the_next_memory_comes_of_age() -> None:
    assert compaction(has_unused=False, next_in_days=17).next_at == NOW + timedelta(days=17)
    assert compaction(has_unused=False).next_at is None


@pytest.mark.parametrize("trigger", sorted(UPKEEP_TRIGGERS))
def test_upkeep_is_on_where_swarmclaw_has_it_and_off_elsewhere(trigger: Trigger) -> None:
    assert {name for name, policy in PROFILES.items() if decide_switched_on(policy, trigger)} == {"swarmclaw"}


@pytest.mark.parametrize("trigger", sorted(UPKEEP_TRIGGERS))
def test_upkeep_that_is_switched_off_is_not_checked_again(trigger: Trigger) -> None:
    verdict = decide_upkeep(Policy(), trigger, DUE, GateFacts(), NOW)
    assert (verdict.gate, verdict.reason) == ("off", f"Switched off ({trigger}.enabled=false)")
    assert decide_next_upkeep_check(verdict, trigger, DUE, NOW) is None


def test_upkeep_is_checked_next_when_it_is_due_or_a_gate_may_have_opened() -> None:
    later = UpkeepDue(is_due=False, next_at=NOW + timedelta(days=3), reason="one fresh memory")
    assert decide_next_upkeep_check(
        decide_upkeep(ON, Trigger.DIGEST, later, GateFacts(), NOW), Trigger.DIGEST, later, NOW
    ) == (NOW + timedelta(days=3))
    for gate, minutes in (("idle", 5), ("lock", 1), ("paused", 60)):
        verdict = decide_upkeep(ON, Trigger.DIGEST, DUE, SHUT[gate], NOW)
        assert decide_next_upkeep_check(verdict, Trigger.DIGEST, DUE, NOW) == NOW + timedelta(minutes=minutes)


#: Each gate, and the facts that shut it, for a whole dream as for upkeep.
SHUT = {
    "paused": GateFacts(paused_by="tenant"),
    "quarantine": GateFacts(ended=(EndedDream(has_failed=True),) * 3),
    "defer": GateFacts(deferred_percent=50),
    "quiet": GateFacts(quiet_hours="11:00-13:00"),
    "queue": GateFacts(pending_tasks=1),
    "idle": GateFacts(active_until=NOW + timedelta(minutes=5)),
    "lock": GateFacts(running_dream="drm_1"),
}


@pytest.mark.parametrize("trigger", sorted(UPKEEP_TRIGGERS))
@pytest.mark.parametrize("gate", SHUT)
def test_pause_quarantine_deferral_quiet_hours_idle_and_lock_hold_for_upkeep(gate: str, trigger: Trigger) -> None:
    verdict = decide_upkeep(ON, trigger, DUE, SHUT[gate], NOW)
    assert (verdict.is_open, verdict.gate) == (False, gate)
    looks_at = decide_next_upkeep_check(verdict, trigger, DUE, NOW)
    assert looks_at is not None
    assert looks_at > NOW


def test_the_tenants_slots_hold_for_upkeep() -> None:
    facts = GateFacts(tenant_dreams=1, tenant_cap=1)
    assert decide_upkeep(ON, Trigger.DIGEST, DUE, facts, NOW).reason == "No free slot (1 of 1 dreams running)"


def test_a_spent_token_budget_holds_for_what_asks_a_model_only() -> None:
    spent = GateFacts(tokens_today=10, tokens_per_day=10)
    assert decide_upkeep(ON, Trigger.DIGEST, DUE, spent, NOW).gate == "budget"
    assert decide_upkeep(ON, Trigger.COMPACTION, DUE, spent, NOW).is_open


@pytest.mark.parametrize("trigger", sorted(UPKEEP_TRIGGERS))
def test_gates_of_whole_dreams_do_not_hold_for_upkeep(trigger: Trigger) -> None:
    """As published: digests and compaction run also in stores that are not opted into dreaming."""
    policy = replace(ON, gates=GatePolicy(enabled=False))
    just_now = GateFacts(last_dream_at=NOW, last_check_at=NOW, curations=0, sessions=0)
    assert decide_upkeep(policy, trigger, DUE, just_now, NOW).is_open
