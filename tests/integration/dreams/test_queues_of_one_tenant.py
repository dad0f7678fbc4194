"""A tenant with a long queue, an unknown message, a full broker: no other tenant waits, and nothing is given up."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweep import Sweep
from scheduler.sweeps import due_stores, stalled_dreams
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.errors import ReportedFailureError
from shared.settings import Settings
from tests.integration.gates.gate_support import start, start_and_claim
from tests.support.builders import a_store, get_dream, get_store, write
from tests.support.servers import plain_url
from workers.dream import begin
from workers.dream.begin import begin_dream

ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}


@pytest.fixture
def owner(fresh_settings: Settings) -> Iterator[psycopg.Connection]:
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as connection:
        yield connection


def queue_many(ports: Ports, owner: psycopg.Connection, tenant: str, number: int) -> None:
    """Dreams that a tenant has ordered for many stores at once, an hour ago."""
    for n in range(number):
        a_store(ports, tenant, f"store{n}")
        assert start(ports, tenant, f"store{n}", force=True, trigger=Trigger.API).dream is not None
    owner.execute("UPDATE dreams SET created_at = now() - interval '1 hour' WHERE tenant_id = %s", [tenant])


def make_due(owner: psycopg.Connection, tenant: str) -> None:
    owner.execute(
        "UPDATE stores SET next_check_at = now() - interval '1 minute', last_activity_at = now() - interval '1 day'"
        " WHERE tenant_id = %s",
        [tenant],
    )


def test_a_long_queue_of_one_tenant_keeps_no_due_store_of_another_from_its_dream(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    two = replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 2}))
    queue_many(fresh_ports, owner, "big", 3)
    write(fresh_ports, "small", ENOUGH)
    make_due(owner, "small")
    run_sweep(two, due_stores.SWEEP)
    assert dispatch.checks == [("small", "default")]


def test_a_lost_dream_is_rescued_before_a_long_queue_of_another_tenant_and_queues_take_turns(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    queue_many(fresh_ports, owner, "big", 5)
    queue_many(fresh_ports, owner, "other", 1)
    a_store(fresh_ports, "lost")
    lost = start_and_claim(fresh_ports, "lost")
    owner.execute("UPDATE dreams SET lease_until = now() - interval '1 second' WHERE id = %s", [lost.id])
    found = fresh_ports.db.sweeps.find_stalled_dreams(3, 30.0)
    assert [one.tenant_id for one in found[:1]] == ["lost"]
    assert {one.tenant_id for one in found[1:]} == {"big", "other"}


def test_a_dream_whose_chain_the_broker_did_not_take_is_sent_again_and_no_rescue_is_counted(
    fresh_ports: Ports, dispatch: RecordingDispatch
) -> None:
    write(fresh_ports, "acme", ENOUGH)
    queued = start(fresh_ports, "acme", force=True).dream
    assert queued is not None
    for _ in range(fresh_ports.settings.max_rescues + 1):
        dispatch.is_down = True
        begin_dream(fresh_ports, "acme", "default", force=True, dream_id=queued.id)
        dispatch.is_down = False
        assert run_sweep(fresh_ports, stalled_dreams.SWEEP) == {"found": 1, "acted": 1, "failed": 0}
    assert begin_dream(fresh_ports, "acme", "default", force=True, dream_id=queued.id) == queued.id
    dream = get_dream(fresh_ports, "acme", queued.id)
    assert (dream.state, dream.rescue_count) == (DreamState.RUNNING, 0)
    assert dispatch.chains[-1].phases, "the whole chain, not only its end"


def test_a_message_about_what_the_database_does_not_know_is_dropped_quietly(
    fresh_ports: Ports, dispatch: RecordingDispatch
) -> None:
    a_store(fresh_ports, "acme")
    for tenant, store in (("unknown", "default"), ("acme", "nowhere"), ("acme", "default")):
        assert begin_dream(fresh_ports, tenant, store, force=False, dream_id="drm_of_tomorrow") is None
    assert check_eligibility(fresh_ports, "unknown", "default") is None
    assert check_eligibility(fresh_ports, "acme", "nowhere") is None
    assert dispatch.chains == []


@pytest.mark.parametrize(("tenant", "store"), [("unknown", "default"), ("acme", "nowhere")])
def test_a_wish_for_a_dream_of_what_does_not_exist_fails_its_task_and_is_counted(
    fresh_ports: Ports, monkeypatch: pytest.MonkeyPatch, tenant: str, store: str
) -> None:
    a_store(fresh_ports, "acme")
    counted: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(begin, "count", lambda name, **labels: counted.append((name, labels)))
    with pytest.raises(ReportedFailureError, match=r"unknown|nowhere"):
        begin_dream(fresh_ports, tenant, store, force=False, dream_id=None)
    assert counted == [("slowwave_refusals_total", {"gate": "unknown"})]


def test_a_row_that_a_sweep_cannot_cope_with_stops_no_other(fresh_ports: Ports) -> None:
    acted: list[str] = []

    def act(_: Ports, row: str) -> bool:
        if row == "odd":
            raise KeyError(row)
        acted.append(row)
        return True

    sweep = Sweep(name="odd", every=due_stores.every, find=lambda _: ["a", "odd", "b"], act=act)
    assert run_sweep(fresh_ports, sweep) == {"found": 3, "acted": 2, "failed": 1}
    assert acted == ["a", "b"]


def test_a_store_with_unreadable_settings_says_so_and_keeps_no_other_from_its_dream(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    for name in ("odd", "even"):
        write(fresh_ports, name, ENOUGH)
        make_due(owner, name)
    owner.execute("UPDATE stores SET profile = 'of-tomorrow' WHERE tenant_id = 'odd'")
    run_sweep(fresh_ports, due_stores.SWEEP)
    assert ("even", "default") in dispatch.checks
    assert check_eligibility(fresh_ports, "odd", "default") is None
    odd = get_store(fresh_ports, "odd")
    assert odd.last_verdict is not None
    assert "of-tomorrow" in odd.last_verdict.reason
    assert odd.next_check_at is not None
    assert odd.next_check_at - odd.last_verdict.at > timedelta(minutes=30)
