"""A backlog of sessions is read in one night: dreams follow at once, and each says what is left and when it comes."""

from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks.backlog.nights import dream_through, tell_backlog
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.dream.summary import render_summary
from shared.ports.llm import LlmOutcome
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.gates.gate_support import save_tenant
from tests.support.builders import get_store, run_dream
from workers.phases import CATALOG


def a_backlog(ports: Ports, tenant: str, sessions: int, *, windows: int) -> Ports:
    """Sessions of two statements each, in a store that reads a limited number of statements in one dream, once in 24 hours."""
    tell_backlog(ports, tenant, sessions)
    changes = StoreChanges(overrides={"gather.max_windows": windows})
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    return replace(ports, choose_llm=lambda _: OfflineLlm())


def count_waiting(ports: Ports, tenant: str) -> int:
    with ports.db.transaction(tenant) as uow:
        return uow.sessions(uow.stores.get("default").id).count_waiting()


def left_by(dreams: list[Dream]) -> list[int]:
    return [dream.summary.waiting_sessions for dream in dreams if dream.summary is not None]


def test_the_dreams_over_a_backlog_follow_each_other_at_once_although_24_hours_should_lie_between(
    fresh_ports: Ports,
) -> None:
    ports = a_backlog(fresh_ports, "acme", 7, windows=4)
    dreams = dream_through(ports, "acme")
    assert [dream.state for dream in dreams] == [DreamState.COMPLETED] * 4
    assert left_by(dreams) == [5, 3, 1, 0]
    assert count_waiting(ports, "acme") == 0
    assert sum(dream.summary.gathered for dream in dreams if dream.summary is not None) > 7
    store = get_store(ports, "acme")
    assert (store.waiting_sessions, store.sessions, store.next_check_at) == (0, 0, None)


def test_a_dream_says_how_many_sessions_wait_and_that_the_next_dream_follows_at_once(ports: Ports, tenant: str) -> None:
    a_backlog(ports, tenant, 3, windows=2)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert "2 sessions wait; the next dream follows at once" in render_summary(dream)
    store = get_store(ports, tenant)
    assert store.next_check_at is not None
    assert store.last_dream_at is not None
    assert store.next_check_at - store.last_dream_at < timedelta(seconds=1)
    assert "1 session waits;" in render_summary(run_dream(ports, tenant, OfflineLlm()))
    assert "wait" not in render_summary(run_dream(ports, tenant, OfflineLlm()))


def test_a_backlog_waits_for_the_gates_that_protect_people_and_money_and_says_so(ports: Ports, tenant: str) -> None:
    a_backlog(ports, tenant, 3, windows=2)
    save_tenant(ports, tenant, quiet_hours="00:00-23:59")
    told = render_summary(run_dream(ports, tenant, OfflineLlm()))
    assert "2 sessions wait; the next dream comes after " in told
    assert "Quiet hours" in told


@pytest.mark.parametrize("outcome", [LlmOutcome.REFUSED, LlmOutcome.UNPARSABLE])
def test_a_dream_that_has_read_no_session_is_not_followed_at_once(
    ports: Ports, tenant: str, outcome: LlmOutcome
) -> None:
    a_backlog(ports, tenant, 3, windows=2)
    dream = run_dream(ports, tenant, ScriptedLlm({"gather": outcome}))
    assert "the next dream follows at once" not in render_summary(dream)
    store = get_store(ports, tenant)
    assert store.waiting_sessions == 0
    assert store.next_check_at is None or store.next_check_at - dream.created_at > timedelta(minutes=5)
    assert count_waiting(ports, tenant) == 3
