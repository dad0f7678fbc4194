"""Cancelling a dream whose worker is gone: nothing waits for a worker that will not come, unless something was changed."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from gateway.cli.dreams.progress import progress_json, progress_line
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState
from shared.core.errors import LostLeaseError
from shared.services.dreams.cancel import cancel_dream, wake_dream
from tests.integration.failures.crash_support import let_lapse
from tests.integration.gates.gate_support import start, start_and_claim
from tests.support.builders import a_store, get_dream


@pytest.fixture
def running(ports: Ports, tenant: str) -> Dream:
    """A dream that a worker has claimed."""
    a_store(ports, tenant)
    return start_and_claim(ports, tenant)


def change_something(owner: psycopg.Connection, dream: Dream) -> None:
    owner.execute(
        "INSERT INTO phase_runs (tenant_id, dream_id, phase, state, runner, reason, counts)"
        " VALUES (%s, %s, 'consolidate', %s, '', '', %s)",
        (dream.tenant_id, dream.id, PhaseState.RUNNING, '{"MERGE": 1}'),
    )


def test_a_dream_whose_worker_is_gone_ends_at_once_and_its_worker_writes_no_more(
    ports: Ports, owner_connection: psycopg.Connection, tenant: str, running: Dream
) -> None:
    let_lapse(owner_connection, running.id)
    assert cancel_dream(ports.db, tenant, running.id, actor="person") is DreamState.CANCELED
    assert get_dream(ports, tenant, running.id).reason == "canceled by person"
    with pytest.raises(LostLeaseError), ports.db.transaction(tenant) as uow:
        uow.dreams.fence(running.id, running.epoch, 60)
    assert start(ports, tenant, force=True).dream is not None, "the store is free"


def test_a_dream_whose_worker_lives_stops_at_its_next_step(
    ports: Ports, dispatch: RecordingDispatch, tenant: str, running: Dream
) -> None:
    assert cancel_dream(ports.db, tenant, running.id, actor="person") is DreamState.RUNNING
    wake_dream(ports.db, ports.dispatch, tenant, running.id)
    assert dispatch.dreams == []


def test_changes_of_a_lost_worker_are_checked_by_the_next_one_which_is_called_at_once(
    ports: Ports, dispatch: RecordingDispatch, owner_connection: psycopg.Connection, tenant: str, running: Dream
) -> None:
    change_something(owner_connection, running)
    let_lapse(owner_connection, running.id)
    assert cancel_dream(ports.db, tenant, running.id, actor="person") is DreamState.RUNNING
    wake_dream(ports.db, ports.dispatch, tenant, running.id)
    assert dispatch.dreams == [(tenant, running.store, running.id)]


def test_an_active_dream_says_since_when_where_and_until_when(ports: Ports, tenant: str, running: Dream) -> None:
    dream = get_dream(ports, tenant, running.id)
    assert dream.started_at is not None
    assert dream.lease_until is not None
    now = dream.started_at + timedelta(seconds=30)
    assert progress_line(dream, "worker-7@here", now) == "Began 30s ago; worker-7@here, lease expires in 30s"
    lost = progress_line(dream, None, dream.lease_until + timedelta(minutes=5))
    assert lost is not None
    assert "its lease expired 5m ago: its worker is gone" in lost
    assert "slowwave reconcile" in lost
    told = progress_json(dream, "worker-7@here", now)
    assert (told["age_seconds"], told["worker"], told["has_lost_worker"]) == (30, "worker-7@here", False)


def test_a_queued_dream_says_that_no_worker_has_taken_it(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    queued = start(ports, tenant, force=True).dream
    assert queued is not None
    line = progress_line(queued, None, datetime.now(UTC))
    assert line is not None
    assert "no worker has claimed it" in line
