"""Deliveries of webhooks: tried again, never under another id, and no tenant in the way of another."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_deliveries
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.webhooks.endpoint import Attempt, DeliveryState
from shared.core.webhooks.retries import AttemptVerdict
from shared.ports.webhooks import PostResult
from shared.services.webhooks.deliver import claim_deliveries, deliver_webhook
from tests.integration.webhooks.webhook_support import (
    TENANT,
    Receiver,
    a_message,
    a_receiver,
    an_endpoint,
    deliver_due,
    deliveries,
    local_ports,
    make_due,
    verify,
)
from tests.support.builders import a_store


def test_after_a_500_the_same_message_comes_again_with_the_same_bytes(hooked: Ports, owner: psycopg.Connection) -> None:
    with a_receiver(500, 503, 200) as receiver:
        issued = an_endpoint(hooked, TENANT, receiver.url)
        a_message(hooked)
        for _ in range(3):
            deliver_due(hooked)
            make_due(owner)
        assert len({(one.id, one.body) for one in receiver.received}) == 1
        assert len(receiver.received) == 3
        assert all(verify(issued.secret, one) for one in receiver.received)
    delivery = deliveries(hooked)[0]
    assert [one.status for one in delivery.tries] == [500, 503, 200]
    assert (delivery.state, delivery.attempts) == (DeliveryState.DELIVERED, 3)


def test_a_retry_waits_for_its_time(fresh_ports: Ports) -> None:
    ports = local_ports(fresh_ports, backoff_seconds=600)
    with a_receiver(500) as receiver:
        an_endpoint(ports, TENANT, receiver.url)
        a_message(ports)
        deliver_due(ports, rounds=3)
        assert len(receiver.received) == 1
    delivery = deliveries(ports)[0]
    assert delivery.next_attempt_at is not None
    assert 600 <= (delivery.next_attempt_at - delivery.tries[0].at).total_seconds() <= 720


def test_a_crash_between_post_and_mark_posts_again_under_the_same_id(
    hooked: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    class Dying:
        """Posts, and the process dies before it can record that."""

        def post(self, url: str, headers: dict[str, str], body: str) -> PostResult:
            hooked.webhooks.post(url, headers, body)
            raise KeyboardInterrupt

    an_endpoint(hooked, TENANT, receiver.url)
    a_message(hooked)
    with pytest.raises(KeyboardInterrupt):
        deliver_due(replace(hooked, webhooks=Dying()))  # type: ignore[arg-type] # headers are a dict here
    assert deliver_due(hooked) == []  # the claim holds
    owner.execute("UPDATE webhook_deliveries SET lease_until = now(), next_attempt_at = now()")
    deliver_due(hooked)
    assert len(receiver.received) == 2
    assert len({(one.id, one.body) for one in receiver.received}) == 1
    assert deliveries(hooked)[0].state is DeliveryState.DELIVERED


def test_a_message_of_the_broker_that_comes_twice_posts_once(hooked: Ports, receiver: Receiver) -> None:
    an_endpoint(hooked, TENANT, receiver.url)
    a_message(hooked)
    (claimed,) = claim_deliveries(hooked)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: deliver_webhook(hooked, claimed), range(4)))
    assert len(receiver.received) == 1


def test_the_sweep_hands_out_what_is_due_and_a_broker_that_is_away_loses_nothing(
    hooked: Ports, receiver: Receiver, dispatch: RecordingDispatch, owner: psycopg.Connection
) -> None:
    an_endpoint(hooked, TENANT, receiver.url)
    a_message(hooked)
    dispatch.is_down = True
    assert run_sweep(hooked, due_deliveries.SWEEP)["failed"] == 1
    make_due(owner)
    dispatch.is_down = False
    assert run_sweep(hooked, due_deliveries.SWEEP)["acted"] == 1
    for claimed in dispatch.deliveries:
        deliver_webhook(hooked, claimed)
    assert len(receiver.received) == 1
    assert deliveries(hooked)[0].attempts == 1


def test_a_dead_endpoint_holds_up_neither_another_tenant_nor_its_neighbour(fresh_ports: Ports) -> None:
    """A tenant's backlog has a limited number of attempts under way, in which its endpoints take turns."""
    ports = local_ports(fresh_ports, at_once=6, tenant_at_once=2)
    for tenant in ("busy", "calm"):
        a_store(ports, tenant)
    dead = an_endpoint(ports, "busy", "http://127.0.0.1:9/dead").endpoint
    for _ in range(10):
        a_message(ports, "busy")
    alive = an_endpoint(ports, "busy", "http://127.0.0.1:9/alive").endpoint
    an_endpoint(ports, "calm", "http://127.0.0.1:9/calm")
    a_message(ports, "busy")
    a_message(ports, "calm")
    claimed = claim_deliveries(ports)
    assert sorted(one.tenant_id for one in claimed) == ["busy", "busy", "calm"]
    with ports.db.transaction("busy") as uow:
        taken = {uow.deliveries.get(one.delivery_id).endpoint_id for one in claimed if one.tenant_id == "busy"}
    assert taken == {dead.id, alive.id}
    assert claim_deliveries(ports) == []  # both slots of the one tenant are taken, the other has nothing left


def test_no_more_attempts_are_under_way_than_the_installation_has_slots(fresh_ports: Ports) -> None:
    ports = local_ports(fresh_ports, at_once=3, tenant_at_once=2)
    for tenant in ("a", "b", "c", "d"):
        an_endpoint(ports, tenant, "http://127.0.0.1:9/")
        a_message(ports, tenant)
    first = claim_deliveries(ports)
    assert len(first) == 3
    assert claim_deliveries(ports) == []
    with ports.db.transaction(first[0].tenant_id) as uow:
        delivery = uow.deliveries.begin(first[0].delivery_id, first[0].claim)
        assert delivery is not None
        attempt = Attempt(at=uow.now(), status=204, latency_ms=1)
        uow.deliveries.end(delivery, attempt, AttemptVerdict(state=DeliveryState.DELIVERED))
    assert len(claim_deliveries(ports)) == 1
