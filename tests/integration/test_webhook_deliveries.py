"""Webhooks from the end of a dream to a receiver: what is told, when again, and when no more."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_deliveries
from shared.adapters.secrets.sealer import FernetSealer
from shared.core.dream import DreamState, Trigger
from shared.core.errors import ConflictError, PermanentError
from shared.core.webhook import Attempt, Delivery, DeliveryState, WebhookEndpoint, WebhookEvent
from shared.core.webhook_policy import AttemptVerdict
from shared.ports.all_ports import Ports
from shared.ports.webhook_books import DeliveryFilter
from shared.ports.webhook_sender import PostResult
from shared.services.cancel_dream import cancel_dream
from shared.services.delete_tenant import delete_tenant
from shared.services.deliver_webhook import claim_deliveries, deliver_webhook
from shared.services.manage_webhooks import (
    delete_endpoint,
    enable_endpoint,
    find_deliveries,
    find_endpoints,
    queue_test,
    rotate_endpoint,
)
from shared.services.purge_expired import purge_expired
from shared.services.undo_dream import undo_dream
from shared.settings import Settings
from tests.builders import a_store, run_dream
from tests.integration.gate_support import start
from tests.integration.undo_support import a_rich_store, dream_of_everything
from tests.integration.webhook_support import Receiver, a_receiver, an_endpoint, deliver_due, local_ports, verify
from tests.recording_dispatch import RecordingDispatch
from tests.servers import plain_url

TENANT = "acme"


@pytest.fixture
def hooked(fresh_ports: Ports) -> Ports:
    return local_ports(fresh_ports)


@pytest.fixture
def owner(fresh_settings: Settings) -> Iterator[psycopg.Connection]:
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as connection:
        yield connection


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with a_receiver() as found:
        yield found


def make_due(owner: psycopg.Connection) -> None:
    """As if all waiting were over."""
    owner.execute(
        "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 second', lease_until = NULL WHERE state = 'pending' AND next_attempt_at IS NOT NULL"
    )


def deliveries(ports: Ports, tenant: str = TENANT) -> list[Delivery]:
    return find_deliveries(ports.db, tenant, DeliveryFilter(), limit=100)


def endpoint(ports: Ports, tenant: str = TENANT) -> WebhookEndpoint:
    return find_endpoints(ports.db, tenant)[0]


def a_message(ports: Ports, tenant: str = TENANT) -> str:
    """A dream that ended, which is told."""
    dream_id = queue_dream(ports, tenant)
    cancel_dream(ports.db, tenant, dream_id, actor="a test")
    return dream_id


def queue_dream(ports: Ports, tenant: str = TENANT) -> str:
    dream = start(ports, tenant, force=True).dream
    assert dream is not None
    return dream.id


def test_the_end_of_a_dream_and_its_reviews_are_told_once_each_and_signed(hooked: Ports, receiver: Receiver) -> None:
    a_rich_store(hooked, TENANT)
    issued = an_endpoint(hooked, TENANT, receiver.url)
    dream = dream_of_everything(hooked, TENANT)
    deliver_due(hooked, rounds=3)
    told = {one.json["type"]: one for one in receiver.received}
    assert len(receiver.received) == 2
    assert set(told) == {"dream.finished", "review.needed"}
    assert all(verify(issued.secret, one) for one in receiver.received)
    finished = told["dream.finished"].json["data"]
    assert finished["dream_id"] == dream.id
    assert finished["state"] == "completed"
    assert finished["store"] == "default"
    with hooked.db.transaction(TENANT) as uow:
        pending = [one for one in uow.operations.find_pending(limit=100) if one.dream_id == dream.id]
    assert told["review.needed"].json["data"]["pending_reviews"] == len(pending) > 0
    assert {one.state for one in deliveries(hooked)} == {DeliveryState.DELIVERED}


def test_nothing_but_ids_states_and_numbers_is_told(hooked: Ports, receiver: Receiver) -> None:
    """Whatever text a memory, a path, a reason or a log has, none of it leaves in a webhook."""
    a_rich_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    dream = dream_of_everything(hooked, TENANT)
    deliver_due(hooked, rounds=3)
    allowed = {dream.id, dream.store_id, dream.store, TENANT, "completed", str(dream.trigger)}
    for one in receiver.received:
        data = dict(one.json["data"])
        numbers = list(data.pop("counts", {}).values()) + [v for v in data.values() if not isinstance(v, str)]
        assert {value for value in data.values() if isinstance(value, str)} <= allowed
        assert all(isinstance(number, int | float) for number in numbers)


@pytest.mark.parametrize("is_running", [False, True])
def test_a_canceled_dream_is_told_whoever_ends_it(hooked: Ports, receiver: Receiver, is_running: bool) -> None:
    a_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    if is_running:
        with hooked.db.transaction(TENANT) as uow:
            dream_id = uow.dreams.add(uow.stores.get("default").id, trigger=Trigger.API, force=True, dry_run=False).id
            uow.dreams.request_cancel(dream_id)
        run_dream_to_its_cancel(hooked, dream_id)
    else:
        dream_id = a_message(hooked)
    deliver_due(hooked)
    data = [one.json["data"] for one in receiver.received]
    assert [(one["dream_id"], one["state"]) for one in data] == [(dream_id, "canceled")]


def run_dream_to_its_cancel(ports: Ports, dream_id: str) -> None:
    """The claim finds the request and ends the dream."""
    with pytest.raises(AssertionError, match="did not begin"):
        run_dream(ports, TENANT, dream_id=dream_id)


def test_an_undo_is_not_the_end_of_a_dream(hooked: Ports, receiver: Receiver) -> None:
    a_rich_store(hooked, TENANT)
    dream = dream_of_everything(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    undo_dream(hooked.db, TENANT, dream.id, actor="a test")
    assert deliveries(hooked) == []


def test_a_dream_whose_end_is_rolled_back_is_not_told(hooked: Ports, receiver: Receiver) -> None:
    a_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    dream_id = queue_dream(hooked)

    def end_and_crash() -> None:
        with hooked.db.transaction(TENANT) as uow:
            uow.dreams.finish(dream_id, DreamState.CANCELED, reason="no")
            raise RuntimeError("crash")

    with pytest.raises(RuntimeError, match="crash"):
        end_and_crash()
    assert deliveries(hooked) == []


def test_an_endpoint_hears_what_it_asked_for_and_nothing_else(hooked: Ports, receiver: Receiver) -> None:
    a_rich_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url, events=[WebhookEvent.REVIEW_NEEDED])
    dream_of_everything(hooked, TENANT)
    deliver_due(hooked, rounds=2)
    assert [one.json["type"] for one in receiver.received] == ["review.needed"]


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
        """Posts, and the process is gone before it can say so."""

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
        a_message(ports)  # nobody is told of what happens meanwhile
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


def test_what_waits_when_an_endpoint_is_disabled_goes_out_when_it_is_enabled(
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

    class Slow:
        def post(self, *_: object) -> PostResult:
            delete_endpoint(hooked.db, TENANT, made.id, actor="a test")
            return PostResult(status=500, latency_ms=1, error="HTTP 500")

    deliver_due(replace(hooked, webhooks=Slow()))
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
    done = deliver_webhook(hooked, queue_test(hooked, TENANT, issued.endpoint.id, actor="a test"))
    assert done is not None
    assert done.state is DeliveryState.DELIVERED
    assert receiver.received[0].json["type"] == "webhook.test"
    assert verify(issued.secret, receiver.received[0])


def test_a_dead_endpoint_holds_up_neither_another_tenant_nor_its_neighbour(fresh_ports: Ports) -> None:
    """Of a tenant with a backlog so many attempts are under way, and its endpoints take turns in them."""
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
