"""Dreams that sleep because of a turn: its end wakes them, in the idle window, and only them."""

import psycopg
import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.services.dreams.claim import claim_dream
from shared.services.dreams.start import start_dream
from shared.services.sessions.activity import mark_activity
from tests.integration.failures.crash_support import CountingLlm
from tests.integration.gates.gate_support import TERMS
from tests.integration.runner.snooze_support import NOTES, TURNED_AWAY, go, pass_time
from tests.support.builders import get_dream, texts, write

pytestmark = pytest.mark.usefixtures("endpoint_open_again")


def a_dream_that_waits_for_its_agent(ports: Ports, owner: psycopg.Connection) -> Dream:
    write(ports, "acme", texts(NOTES))
    owner.execute("UPDATE stores SET last_activity_at = now() - interval '1 day'")
    queued = start_dream(ports.db, "acme", trigger=Trigger.SWEEP).dream
    assert queued is not None
    turn(ports, 1800)
    assert claim_dream(ports.db, ports.lock, "acme", queued.id, TERMS).dream is None
    return get_dream(ports, "acme", queued.id)


def turn(ports: Ports, seconds: float, pending: int = 0) -> None:
    mark_activity(ports.db, "acme", "default", busy_seconds=seconds, pending_tasks=pending)


def sleeps_for(ports: Ports, dream: Dream) -> float:
    now = get_dream(ports, "acme", dream.id)
    assert now.next_attempt_at is not None
    assert now.snoozed_at is not None
    return (now.next_attempt_at - now.snoozed_at).total_seconds()


def test_the_end_of_a_turn_wakes_a_dream_that_waits_for_it_after_the_idle_window(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    dream = a_dream_that_waits_for_its_agent(fresh_ports, owner)
    assert sleeps_for(fresh_ports, dream) == 300
    turn(fresh_ports, 0)
    assert 120 <= sleeps_for(fresh_ports, dream) < 300
    pass_time(owner, dream.id, 200)
    ended = go(fresh_ports, "acme", CountingLlm(), dream.id)
    assert ended is not None
    assert ended.state is DreamState.COMPLETED


def test_a_turn_that_begins_in_the_idle_window_has_the_dream_sleep_on_without_another_snooze(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    dream = a_dream_that_waits_for_its_agent(fresh_ports, owner)
    turn(fresh_ports, 0)
    turn(fresh_ports, 60)
    assert sleeps_for(fresh_ports, dream) == 300
    assert get_dream(fresh_ports, "acme", dream.id).snooze_count == 1


def test_a_turn_that_ends_with_tasks_in_the_queue_wakes_no_dream(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    dream = a_dream_that_waits_for_its_agent(fresh_ports, owner)
    turn(fresh_ports, 0, pending=2)
    assert sleeps_for(fresh_ports, dream) == 300


def test_the_end_of_a_turn_does_not_wake_a_dream_that_its_model_turned_away(
    fresh_ports: Ports,
) -> None:
    write(fresh_ports, "acme", texts(NOTES))
    dream = go(fresh_ports, "acme", ScriptedLlm(lambda _: TURNED_AWAY))
    assert dream is not None
    before = get_dream(fresh_ports, "acme", dream.id).next_attempt_at
    turn(fresh_ports, 60)
    turn(fresh_ports, 0)
    assert get_dream(fresh_ports, "acme", dream.id).next_attempt_at == before
