"""The contract of `ActivityRepository`: nothing is lost between writers, dreams and checks."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest

from shared.all_ports import Ports
from shared.core.gates.next_check import is_timer
from shared.core.tenants.store import Store, Verdict
from tests.support.builders import a_store, get_store

WRITERS = 10
LATER = datetime(2100, 1, 1, tzinfo=UTC)


def record(ports: Ports, store: Store, *, curations: int = 0, sessions: int = 0) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.record(store.id, curations=curations, sessions=sessions)


def consume(ports: Ports, store: Store, *, curations: int, sessions: int) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.consume(store.id, curations=curations, sessions=sessions)


def look(ports: Ports, store: Store) -> Store:
    return get_store(ports, store.tenant_id, store.name)


def counts(ports: Ports, store: Store) -> tuple[int, int]:
    found = look(ports, store)
    return found.curations, found.sessions


def test_ten_writers_at_once_count_ten(ports: Ports, store: Store) -> None:
    together = Barrier(WRITERS)

    def one(_: int) -> None:
        together.wait(timeout=30)
        record(ports, store, curations=1, sessions=2)

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(one, range(WRITERS)))
    assert counts(ports, store) == (WRITERS, 2 * WRITERS)


def test_a_dream_takes_what_it_has_read_and_leaves_what_came_meanwhile(ports: Ports, store: Store) -> None:
    record(ports, store, curations=3, sessions=5)
    read = look(ports, store)
    record(ports, store, curations=2, sessions=1)
    consume(ports, store, curations=read.curations, sessions=read.sessions)
    assert counts(ports, store) == (2, 1)


def test_counts_never_fall_below_nothing(ports: Ports, store: Store) -> None:
    record(ports, store, curations=1)
    consume(ports, store, curations=5, sessions=5)
    assert counts(ports, store) == (0, 0)


def test_an_undo_gives_back_what_its_dream_took(ports: Ports, store: Store) -> None:
    record(ports, store, curations=1)
    consume(ports, store, curations=-4, sessions=-2)
    assert counts(ports, store) == (5, 2)


def test_saving_a_store_that_was_read_a_moment_ago_loses_no_activity(ports: Ports, store: Store) -> None:
    record(ports, store, curations=3)
    with ports.db.transaction(store.tenant_id) as uow:
        uow.stores.save(store)
    found = look(ports, store)
    assert found.curations == 3
    assert found.last_activity_at is not None


def test_activity_has_a_store_looked_at_once_it_is_quiet(ports: Ports, store: Store) -> None:
    assert store.next_check_at is None
    record(ports, store, curations=1)
    first = look(ports, store)
    assert first.last_activity_at is not None
    assert first.next_check_at is not None
    assert first.next_check_at > first.last_activity_at
    record(ports, store, curations=1)
    second = look(ports, store)
    assert second.last_activity_at is not None
    assert second.last_activity_at > first.last_activity_at
    assert second.next_check_at == first.next_check_at


def test_activity_does_not_move_a_check_that_has_a_reason_for_its_time(ports: Ports, store: Store) -> None:
    record(ports, store, curations=1)
    verdict = Verdict(at=LATER, is_open=False, gate="time", reason="Too recent (1.0h < 12h)", retry_at=LATER)
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.record_verdict(store.id, verdict, LATER, is_full_check=False)
    record(ports, store, curations=1)
    assert look(ports, store).next_check_at == LATER


@pytest.mark.parametrize("gate", ["activity", "unchanged"])
def test_activity_brings_a_check_forward_that_only_a_timer_has_set(ports: Ports, store: Store, gate: str) -> None:
    record(ports, store, curations=int(gate == "activity"))
    verdict = Verdict(at=LATER, is_open=False, gate=gate, reason="Too little")
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.record_verdict(store.id, verdict, LATER, is_full_check=True)
    assert is_timer(look(ports, store)), "the core decides as the database does"
    record(ports, store, curations=1)
    found = look(ports, store)
    assert found.next_check_at is not None
    assert found.last_activity_at is not None
    assert found.next_check_at < found.last_activity_at + timedelta(minutes=5)


def test_a_verdict_is_kept_with_its_numbers_and_only_a_full_check_counts_for_the_throttle(
    ports: Ports, store: Store
) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    verdict = Verdict(at=at, is_open=False, gate="activity", reason="Not enough activity (1 < 3 curations)")
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.record_verdict(store.id, verdict, None, is_full_check=True)
    found = look(ports, store)
    assert (found.last_verdict, found.last_check_at, found.next_check_at) == (verdict, at, None)
    later = Verdict(at=at + timedelta(minutes=1), is_open=False, gate="throttle", reason="Checked 1m ago (< 10m)")
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.record_verdict(store.id, later, LATER, is_full_check=False)
    found = look(ports, store)
    assert (found.last_verdict, found.last_check_at, found.next_check_at) == (later, at, LATER)


def test_a_store_says_what_its_agent_is_doing(ports: Ports, store: Store) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.set_busy(store.id, pending_tasks=3, active_until=LATER)
    busy = look(ports, store)
    assert (busy.pending_tasks, busy.active_until) == (3, LATER)
    with ports.db.transaction(store.tenant_id) as uow:
        uow.activity.set_busy(store.id, pending_tasks=0, active_until=None)
    idle = look(ports, store)
    assert (idle.pending_tasks, idle.active_until) == (0, None)


def test_activity_of_one_store_is_not_anothers(ports: Ports, tenant: str, store: Store) -> None:
    other = a_store(ports, tenant, "other")
    record(ports, store, curations=2)
    assert counts(ports, other) == (0, 0)
    assert look(ports, other).next_check_at is None
