"""Endpoints of webhooks: secrets that rotate and are sealed, and what is disabled, enabled, tested, deleted, purged."""

import json
from dataclasses import replace

import psycopg
import pytest

from shared.adapters.secrets.sealer import FernetSealer
from shared.adapters.webhooks.http_sender import HttpWebhookSender
from shared.all_ports import Ports
from shared.core.errors import ConflictError, PermanentError
from shared.core.webhooks.endpoint import DeliveryState
from shared.ports.webhooks import PostResult
from shared.services.tenants.delete import delete_tenant
from shared.services.tenants.purge import purge_expired
from shared.services.webhooks.deliver import deliver_webhook
from shared.services.webhooks.endpoints import (
    claim_test,
    delete_endpoint,
    enable_endpoint,
    find_endpoints,
    queue_test,
    rotate_endpoint,
)
from tests.integration.webhooks.webhook_support import (
    TENANT,
    Receiver,
    a_message,
    a_receiver,
    an_endpoint,
    deliver_due,
    deliveries,
    endpoint,
    local_ports,
    make_due,
    verify,
)
from tests.support.builders import a_store


def test_for_a_while_after_a_rotation_both_secrets_verify_then_only_the_new_one(
    hooked: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    old = an_endpoint(hooked, TENANT, receiver.url)
    new = rotate_endpoint(hooked, TENANT, old.endpoint.id, grace_hours=24, actor="a test")
    assert new.secret != old.secret
    a_message(hooked)
    deliver_due(hooked)
    owner.execute("UPDATE webhook_endpoints SET previous_until = now() - interval '1 second'")
    a_message(hooked)
    deliver_due(hooked)
    seen = [(verify(old.secret, one), verify(new.secret, one)) for one in receiver.received]
    assert seen == [(True, True), (False, True)]


def test_a_rotation_without_grace_ends_the_old_secret_at_once(hooked: Ports, receiver: Receiver) -> None:
    old = an_endpoint(hooked, TENANT, receiver.url)
    rotate_endpoint(hooked, TENANT, old.endpoint.id, grace_hours=0, actor="a leak")
    a_message(hooked)
    deliver_due(hooked)
    assert not verify(old.secret, receiver.received[0])


def test_an_endpoint_that_stays_dead_is_disabled_with_a_reason_and_comes_back_by_hand(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    ports = local_ports(fresh_ports, attempts=2)
    with a_receiver(500) as receiver:
        made = an_endpoint(ports, TENANT, receiver.url).endpoint
        a_message(ports)
        for _ in range(3):
            deliver_due(ports)
            make_due(owner)
        found = endpoint(ports)
        assert found.disabled_at is not None
        assert "2 attempts" in found.disabled_reason
        assert "HTTP 500" in found.disabled_reason
        assert len(receiver.received) == 2
        a_message(ports)  # no message is made of what happens meanwhile
        assert [one.state for one in deliveries(ports)] == [DeliveryState.FAILED]
        with pytest.raises(ConflictError, match="disabled"):
            queue_test(ports, TENANT, made.id, actor="a test")
        receiver.answers[:] = [204]
        enable_endpoint(ports.db, TENANT, made.id, actor="a test")
        last = a_message(ports)
        deliver_due(ports)
        assert receiver.received[-1].json["data"]["dream_id"] == last
    with pytest.raises(ConflictError, match="enabled already"):
        enable_endpoint(ports.db, TENANT, made.id, actor="a test")


def test_messages_held_for_a_disabled_endpoint_are_sent_when_it_is_enabled(
    hooked: Ports, owner: psycopg.Connection
) -> None:
    with a_receiver(500, 410, 204) as receiver:
        made = an_endpoint(hooked, TENANT, receiver.url).endpoint
        first, second = a_message(hooked), a_message(hooked)
        deliver_due(hooked)
        assert endpoint(hooked).disabled_reason == "It answered 410: gone"
        make_due(owner)
        assert deliver_due(hooked) == []
        _, released = enable_endpoint(hooked.db, TENANT, made.id, actor="a test")
        assert released == 1
        deliver_due(hooked)
        assert receiver.received[-1].json["data"]["dream_id"] in {first, second}
        assert endpoint(hooked).failures == 0


def test_an_endpoint_that_is_reached_now_and_then_is_not_disabled(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    """One message that it never takes says nothing about the others."""
    ports = local_ports(fresh_ports, attempts=2)
    with a_receiver(500, 204, 500) as receiver:
        an_endpoint(ports, TENANT, receiver.url)
        a_message(ports)
        deliver_due(ports)
        a_message(ports)
        deliver_due(ports)
        make_due(owner)
        deliver_due(ports)
        states = {one.state for one in deliveries(ports)}
    assert states == {DeliveryState.FAILED, DeliveryState.DELIVERED}
    assert endpoint(ports).disabled_at is None


def test_a_deleted_endpoint_is_sent_nothing_and_keeps_no_secret(
    hooked: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    made = an_endpoint(hooked, TENANT, receiver.url).endpoint
    a_message(hooked)
    assert delete_endpoint(hooked.db, TENANT, made.id, actor="a test") == 1
    a_message(hooked)
    assert deliver_due(hooked) == []
    assert find_endpoints(hooked.db, TENANT) == []
    assert owner.execute("SELECT sealed, previous_sealed FROM webhook_endpoints").fetchall() == [("", None)]


def test_an_endpoint_that_is_deleted_during_a_post_stays_deleted(hooked: Ports, receiver: Receiver) -> None:
    made = an_endpoint(hooked, TENANT, receiver.url).endpoint
    a_message(hooked)

    class Slow(HttpWebhookSender):
        def post(self, *_: object) -> PostResult:
            delete_endpoint(hooked.db, TENANT, made.id, actor="a test")
            return PostResult(status=500, latency_ms=1, error="HTTP 500")

    deliver_due(replace(hooked, webhooks=Slow(hooked.settings.webhooks)))
    (delivery,) = deliveries(hooked)
    assert (delivery.state, delivery.error) == (DeliveryState.FAILED, "The endpoint was deleted")
    assert len(delivery.tries) == 1


def test_the_database_alone_does_not_give_secrets_away(
    hooked: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    issued = an_endpoint(hooked, TENANT, receiver.url)
    dump = json.dumps(owner.execute("SELECT row_to_json(e) FROM webhook_endpoints e").fetchall())
    dump += json.dumps(owner.execute("SELECT row_to_json(a) FROM audit_log a").fetchall())
    assert issued.secret.removeprefix("whsec_") not in dump
    assert issued.secret not in repr(issued) + repr(issued.endpoint)
    assert issued.endpoint.sealed not in repr(issued.endpoint)


def test_a_lost_key_costs_no_attempt_and_is_said(hooked: Ports, receiver: Receiver, owner: psycopg.Connection) -> None:
    an_endpoint(hooked, TENANT, receiver.url)
    a_message(hooked)
    with pytest.raises(PermanentError, match="another SLOWWAVE_SECRETS_KEY"):
        deliver_due(replace(hooked, sealer=FernetSealer(lambda: ["x" * 32])))
    make_due(owner)
    deliver_due(hooked)
    assert (deliveries(hooked)[0].attempts, len(receiver.received)) == (1, 1)


def test_a_test_message_goes_out_whatever_the_endpoint_listens_to(hooked: Ports, receiver: Receiver) -> None:
    issued = an_endpoint(hooked, TENANT, receiver.url, events=["review.needed"])
    done = deliver_webhook(hooked, claim_test(hooked, TENANT, issued.endpoint.id, actor="a test"))
    assert done is not None
    assert done.state is DeliveryState.DELIVERED
    assert receiver.received[0].json["type"] == "webhook.test"
    assert verify(issued.secret, receiver.received[0])


def test_a_tenant_has_so_many_endpoints_and_no_more(hooked: Ports) -> None:
    for _ in range(20):
        an_endpoint(hooked, TENANT, "http://127.0.0.1:9/")
    with pytest.raises(ConflictError, match="at most 20"):
        an_endpoint(hooked, TENANT, "http://127.0.0.1:9/")


def test_age_and_the_end_of_a_tenant_take_the_deliveries(
    hooked: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    an_endpoint(hooked, TENANT, receiver.url)
    a_message(hooked)
    owner.execute("UPDATE webhook_deliveries SET created_at = now() - interval '31 days'")
    a_message(hooked)
    purged = purge_expired(hooked.db, TENANT, hooked.settings.retention)
    assert purged["deliveries"] == 1
    assert len(deliveries(hooked)) == 1
    delete_tenant(hooked.db, hooked.lock, TENANT, actor="a test")
    assert owner.execute(
        "SELECT (SELECT count(*) FROM webhook_endpoints), (SELECT count(*) FROM webhook_deliveries)"
    ).fetchone() == (0, 0)


def test_without_a_key_to_seal_with_no_endpoint_is_made(hooked: Ports) -> None:
    a_store(hooked, TENANT)
    keyless = replace(hooked, sealer=FernetSealer(list))
    with pytest.raises(PermanentError, match="SLOWWAVE_SECRETS_KEY"):
        an_endpoint(keyless, TENANT, "http://127.0.0.1:9/")
    assert find_endpoints(hooked.db, TENANT) == []
