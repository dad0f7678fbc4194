"""The kill switch and the deferred share, on a real database."""

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import BadInputError, NotFoundError
from shared.core.gates.jitter import with_jitter
from shared.services.dreams.explain import explain_store
from shared.services.tenants.pause import set_all_paused, set_defer
from shared.settings import Settings
from tests.integration.gates.gate_support import claim, start, start_and_claim
from tests.support.builders import a_store, get_dream, get_store, write
from tests.support.servers import plain_url
from workers.phases import get_catalog

ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}


def make_due(ports: Ports, owner: psycopg.Connection, tenant: str) -> None:
    write(ports, tenant, ENOUGH)
    owner.execute(
        "UPDATE stores SET next_check_at = now() - interval '1 minute', last_activity_at = now() - interval '1 day'"
    )


def test_force_does_not_get_past_the_kill_switch(fresh_ports: Ports) -> None:
    a_store(fresh_ports, "acme")
    set_all_paused(fresh_ports.db, paused=True)
    assert start(fresh_ports, "acme", force=True).verdict.reason == "Dreaming is paused (operator)"
    set_all_paused(fresh_ports.db, paused=False)
    assert start(fresh_ports, "acme", force=True).dream is not None


def test_a_dream_that_was_queued_when_the_switch_was_thrown_does_not_begin(fresh_ports: Ports) -> None:
    a_store(fresh_ports, "acme")
    dream = start(fresh_ports, "acme", force=True).dream
    assert dream is not None
    set_all_paused(fresh_ports.db, paused=True)
    assert claim(fresh_ports, dream).dream is None
    assert get_dream(fresh_ports, "acme", dream.id).state is DreamState.CANCELED


def test_a_running_dream_keeps_its_lease_through_a_pause(fresh_ports: Ports) -> None:
    a_store(fresh_ports, "acme")
    dream = start_and_claim(fresh_ports, "acme")
    set_all_paused(fresh_ports.db, paused=True)
    with fresh_ports.db.transaction("acme") as uow:
        assert uow.dreams.fence(dream.id, dream.epoch, 60).state is DreamState.RUNNING


def test_due_stores_stay_due_through_a_pause_and_are_checked_right_after(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    make_due(fresh_ports, owner, "acme")
    set_all_paused(fresh_ports.db, paused=True)
    assert run_sweep(fresh_ports, due_stores.SWEEP)["found"] == 0
    set_all_paused(fresh_ports.db, paused=False)
    assert run_sweep(fresh_ports, due_stores.SWEEP)["found"] == 1
    assert dispatch.checks == [("acme", "default")]


def test_throwing_a_switch_twice_changes_nothing_the_second_time(fresh_ports: Ports) -> None:
    assert [set_all_paused(fresh_ports.db, paused=paused) for paused in (True, True, False, False)] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("whose", [None, "acme"])
def test_a_deferred_store_waits_says_why_and_force_gets_past_it(
    whose: str | None, fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    make_due(fresh_ports, owner, "acme")
    set_defer(fresh_ports.db, whose, 100, actor="test")
    assert start(fresh_ports, "acme").verdict.reason == "Deferred (100 % of dreams)"
    store = get_store(fresh_ports, "acme")
    assert store.last_verdict is not None
    assert store.last_verdict.retry_at is not None
    assert store.next_check_at == with_jitter(store.id, store.last_verdict.retry_at, store.last_verdict.at)
    assert explain_store(fresh_ports.db, "acme", "default", get_catalog).verdict.gate == "defer"
    set_defer(fresh_ports.db, whose, 0, actor="test")
    assert start(fresh_ports, "acme").dream is not None


def test_a_tenants_share_leaves_the_others_alone(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    make_due(fresh_ports, owner, "acme")
    make_due(fresh_ports, owner, "beta")
    set_defer(fresh_ports.db, "acme", 100, actor="test")
    assert start(fresh_ports, "acme").dream is None
    assert start(fresh_ports, "beta").dream is not None


def test_a_share_for_an_unknown_tenant_or_beyond_a_hundred_is_refused(fresh_ports: Ports) -> None:
    with pytest.raises(NotFoundError):
        set_defer(fresh_ports.db, "unknown", 10, actor="test")
    with pytest.raises(BadInputError):
        set_defer(fresh_ports.db, None, 101, actor="test")


def test_a_sweep_leaves_its_time(fresh_ports: Ports) -> None:
    assert fresh_ports.db.installation.get().last_sweep_at is None
    run_sweep(fresh_ports, due_stores.SWEEP)
    assert fresh_ports.db.installation.get().last_sweep_at is not None


@pytest.mark.parametrize("statement", [b"INSERT INTO installation (id) VALUES (1)", b"UPDATE installation SET id = 1"])
def test_the_application_may_throw_switches_and_nothing_else(statement: bytes, fresh_settings: Settings) -> None:
    with (
        psycopg.connect(plain_url(fresh_settings.database_url)) as connection,
        pytest.raises(InsufficientPrivilege),
    ):
        connection.execute(statement)


def test_the_operators_log_says_who_stopped_all_tenants_and_when(fresh_ports: Ports) -> None:
    set_all_paused(fresh_ports.db, paused=True, actor="ann")
    set_defer(fresh_ports.db, None, 30, actor="ben")
    set_all_paused(fresh_ports.db, paused=False, actor="ann")
    found = [(entry.actor, entry.action, entry.detail) for entry in fresh_ports.db.installation.find_log(10)]
    assert found == [("ann", "resume", {}), ("ben", "defer", {"percent": 30}), ("ann", "pause", {})]


def test_a_tenants_own_share_is_not_the_operators_business(fresh_ports: Ports) -> None:
    a_store(fresh_ports, "acme")
    set_defer(fresh_ports.db, "acme", 30, actor="ben")
    assert fresh_ports.db.installation.find_log(10) == []
