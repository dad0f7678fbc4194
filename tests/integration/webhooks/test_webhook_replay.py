"""Webhooks are sent again on request: the same message under the same id, by command, over the API and in the console."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from gateway.cli.console.options import read_moment
from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError, NotFoundError
from shared.core.webhooks.endpoint import Delivery, DeliveryState
from shared.services.webhooks.deliver import claim_deliveries, deliver_webhook
from shared.services.webhooks.endpoints import delete_endpoint, enable_endpoint
from shared.services.webhooks.replay import replay_delivery, replay_failed
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor, send
from tests.integration.console.test_console_webhooks import disable
from tests.integration.webhooks.webhook_support import (
    TENANT,
    a_message,
    a_receiver,
    an_endpoint,
    deliver_due,
    deliveries,
    endpoint,
    local_ports,
)

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture
def hooked(fresh_ports: Ports) -> Ports:
    return local_ports(fresh_ports, attempts=1)


def again(ports: Ports, **wanted: datetime | str) -> int:
    given = {"since": LONG_AGO, "actor": "cli:ann"} | wanted
    return replay_failed(ports.db, TENANT, **given).replayed  # type: ignore[arg-type] # both kinds of words


def fail(ports: Ports, number: int = 1) -> list[Delivery]:
    """Messages that used up their only attempt, at an endpoint that was enabled again."""
    for _ in range(number):
        a_message(ports)
        deliver_due(ports)
        enable_endpoint(ports.db, TENANT, endpoint(ports).id, actor="a test")
    return [one for one in deliveries(ports) if one.state is DeliveryState.FAILED]


def test_a_failed_delivery_is_replayed_under_the_same_id_with_the_same_bytes_and_keeps_its_log(hooked: Ports) -> None:
    with a_receiver(500, 204) as receiver:
        an_endpoint(hooked, TENANT, receiver.url)
        [failed] = fail(hooked)
        pending = replay_delivery(hooked.db, TENANT, failed.id, actor="cli:ann")
        assert (pending.state, pending.attempts, pending.error) == (DeliveryState.PENDING, 0, "")
        deliver_due(hooked)
        first, second = receiver.received
        assert first.id == second.id == failed.message.id
        assert first.body == second.body
    [after] = deliveries(hooked)
    assert (after.state, [one.status for one in after.tries]) == (DeliveryState.DELIVERED, [500, 204])


def test_a_delivered_one_can_be_sent_again_for_a_receiver_that_lost_it(hooked: Ports) -> None:
    with a_receiver() as receiver:
        an_endpoint(hooked, TENANT, receiver.url)
        a_message(hooked)
        deliver_due(hooked)
        replay_delivery(hooked.db, TENANT, deliveries(hooked)[0].id, actor="cli:ann")
        deliver_due(hooked)
        assert len(receiver.received) == 2
        assert len({(one.id, one.body) for one in receiver.received}) == 1


def test_a_replay_sends_waiting_messages_now_and_their_attempts_still_count(fresh_ports: Ports) -> None:
    ports = local_ports(fresh_ports, attempts=3, backoff_seconds=600)
    with a_receiver(500, 204) as receiver:
        an_endpoint(ports, TENANT, receiver.url)
        a_message(ports)
        deliver_due(ports, rounds=2)
        assert len(receiver.received) == 1
        replay_delivery(ports.db, TENANT, deliveries(ports)[0].id, actor="cli:ann")
        deliver_due(ports)
    assert (deliveries(ports)[0].state, deliveries(ports)[0].attempts) == (DeliveryState.DELIVERED, 2)


def test_one_that_is_under_way_is_not_sent_a_second_time_beside_it(hooked: Ports) -> None:
    with a_receiver() as receiver:
        an_endpoint(hooked, TENANT, receiver.url)
        a_message(hooked)
        (claimed,) = claim_deliveries(hooked)
        with pytest.raises(ConflictError, match="right now"):
            replay_delivery(hooked.db, TENANT, claimed.delivery_id, actor="cli:ann")
        deliver_webhook(hooked, claimed)
        assert len(receiver.received) == 1


def test_all_that_failed_since_a_moment_go_again_and_nothing_else(hooked: Ports, owner: psycopg.Connection) -> None:
    with a_receiver(500, 500, 500, 204) as receiver:
        an_endpoint(hooked, TENANT, receiver.url)
        failed = fail(hooked, 3)
        owner.execute(
            "UPDATE webhook_deliveries SET ended_at = now() - interval '3 days' WHERE id = %s", [failed[0].id]
        )
        assert again(hooked, since=datetime.now(UTC) - timedelta(hours=24)) == 2
        assert again(hooked, since=datetime.now(UTC) - timedelta(hours=24)) == 0
        assert again(hooked) == 1
        deliver_due(hooked, rounds=3)
    assert {one.state for one in deliveries(hooked)} == {DeliveryState.DELIVERED}


def test_a_disabled_endpoint_is_left_out_and_named_a_deleted_one_has_nowhere_to_go(hooked: Ports) -> None:
    dead = an_endpoint(hooked, TENANT, "http://127.0.0.1:9/").endpoint
    a_message(hooked)
    deliver_due(hooked)  # its only attempt: it is disabled
    [failed] = deliveries(hooked)
    found = replay_failed(hooked.db, TENANT, since=LONG_AGO, actor="cli:ann")
    assert (found.replayed, found.disabled) == (0, (dead.id,))
    with pytest.raises(ConflictError, match="enable it first"):
        replay_delivery(hooked.db, TENANT, failed.id, actor="cli:ann")
    with pytest.raises(ConflictError, match="enable it first"):
        again(hooked, endpoint_id=dead.id)
    delete_endpoint(hooked.db, TENANT, dead.id, actor="a test")
    with pytest.raises(ConflictError, match="was deleted"):
        replay_delivery(hooked.db, TENANT, failed.id, actor="cli:ann")
    with pytest.raises(NotFoundError):
        again(hooked, endpoint_id=dead.id)


def test_the_api_replays_one_and_all_of_an_endpoint(hooked: Ports) -> None:
    client = a_client(an_app(hooked))
    client.headers.update(bearer(a_token(hooked, TENANT)))
    with a_receiver(500, 500, 204) as receiver:
        where = f"/api/webhooks/{an_endpoint(hooked, TENANT, receiver.url).endpoint.id}"
        other = f"/api/webhooks/{an_endpoint(hooked, 'another', receiver.url).endpoint.id}"
        fail(hooked, 2)
        first = client.get(f"{where}/deliveries?state=failed").json()["data"][0]
        one = client.post(f"{where}/deliveries/{first['id']}/replay")
        assert (one.status_code, one.json()["state"], one.json()["message_id"]) == (202, "pending", first["message_id"])
        assert client.post(f"{other}/deliveries/{first['id']}/replay").status_code == 404
        body = {"failed_since": "2024-01-01T00:00:00Z"}
        assert client.post(f"{where}/replay", json=body).json() == {"replayed": 1}
        assert client.post(f"{where}/replay", json={"failed_since": "2024-01-01T00:00:00"}).status_code == 422


def test_the_console_has_a_button_for_one_and_for_all(hooked: Ports) -> None:
    with a_receiver(500, 204) as receiver:
        issued = an_endpoint(hooked, TENANT, receiver.url)
        [failed] = fail(hooked)
        browser, where = a_visitor(hooked, TENANT), f"/console/t/{TENANT}/settings/webhooks"
        assert f"{where}/deliveries/{failed.id}/replay" in browser.get(where).text
        send(browser, f"{where}/deliveries/{failed.id}/replay")
        assert "is sent again" in browser.get(where).text
        send(browser, f"{where}/replay", days="7")
        assert "Nothing failed in that time" in browser.get(where).text
    disable(hooked, TENANT, issued.endpoint.id, "It answered 410")
    assert "/replay" not in browser.get(where).text
    send(browser, f"{where}/deliveries/{failed.id}/replay")
    assert "is disabled; enable it first" in browser.get(where).text


def test_since_takes_spans_and_moments_and_says_so() -> None:
    assert read_moment("2026-03-05T10:00") == read_moment("2026-03-05T10:00Z") == datetime(2026, 3, 5, 10, tzinfo=UTC)
    assert datetime.now(UTC) - read_moment("2d") < timedelta(days=2, minutes=1)
    assert datetime.now(UTC) - read_moment("2w") < timedelta(weeks=2, minutes=1)
    for raw in ("yesterday", "24", "h", "9999999999h"):
        with pytest.raises(BadInputError, match="--since takes 30m, 24h, 7d"):
            read_moment(raw)
