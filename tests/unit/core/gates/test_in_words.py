"""A shut gate says to a person in a sentence what the published reason says in numbers."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.gates.gates import GateFacts, decide_gates
from shared.core.gates.in_words import say_span
from shared.core.policy.policy import GatePolicy
from tests.unit.builders import NOW

GOOD = GateFacts(curations=3, sessions=5)
SAID = (
    (
        {"last_dream_at": NOW - timedelta(minutes=3, seconds=20)},
        "Too soon: the last dream was 3 minutes 20 seconds ago, and dreams are at least 12 hours apart",
    ),
    ({"last_dream_at": NOW}, "Too soon: the last dream was just now, and dreams are at least 12 hours apart"),
    (
        {"last_check_at": NOW - timedelta(minutes=3)},
        "It was checked 3 minutes ago, and checks are at least 10 minutes apart",
    ),
    (
        {"curations": 1, "sessions": 0},
        "Not enough is new since the last dream: 1 of 3 writes or 0 of 5 sessions",
    ),
    ({"pending_tasks": 1}, "Its agent has 1 task to do first"),
    ({"pending_tasks": 3}, "Its agent has 3 tasks to do first"),
    ({"active_until": NOW + timedelta(seconds=30)}, "Its agent is at work"),
    (
        {"last_activity_at": NOW - timedelta(seconds=5)},
        "Its agent was active 5 seconds ago; a dream waits until it has been quiet for 2 minutes",
    ),
    ({"tenant_dreams": 2, "tenant_cap": 2}, "It waits for another dream to end: 2 of at most 2 at a time run"),
    ({"paused_by": "tenant"}, "Dreaming is paused for the whole tenant"),
    ({"deferred_percent": 20}, "Put off, as 20 % of all dreams are today"),
)


@pytest.mark.parametrize(("facts", "said"), SAID)
def test_a_shut_gate_says_to_a_person_what_holds_the_dream(facts: dict[str, object], said: str) -> None:
    verdict = decide_gates(replace(GOOD, **facts), GatePolicy(), NOW, force=False)  # type: ignore[arg-type] # any of its fields
    assert verdict.in_words == said


def test_a_reason_that_is_a_sentence_is_said_as_it_is() -> None:
    verdict = decide_gates(replace(GOOD, running_dream="drm_42"), GatePolicy(), NOW, force=False)
    assert verdict.in_words == verdict.reason == "Another dream is running (drm_42)"


@given(seconds=st.floats(0, 10**7))
def test_a_span_is_said_in_at_most_two_units_and_never_as_more_than_it_is(seconds: float) -> None:
    sizes = {"hour": 3_600, "minute": 60, "second": 1}
    parts = say_span(seconds).split()
    said = sum(
        int(number.replace(",", "")) * sizes[unit.rstrip("s")]
        for number, unit in zip(parts[::2], parts[1::2], strict=True)
    )
    assert len(parts) <= 4
    assert said <= seconds < said + (1 if seconds < 3_600 else 60)
