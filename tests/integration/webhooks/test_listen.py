"""`webhooks listen` shows a developer each event on a machine that nothing reaches, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.core.errors import ConflictError
from shared.core.webhooks.endpoint import LISTEN, DeliveryState
from shared.services.webhooks.endpoints import NewEndpoint, claim_test, find_endpoints, queue_test
from shared.services.webhooks.replay import replay_delivery
from shared.services.webhooks.take import begin_listening, take_messages
from shared.settings import Settings
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.webhooks.webhook_support import (
    TENANT,
    Received,
    Receiver,
    a_message,
    an_endpoint,
    deliver_due,
    deliveries,
    verify,
)
from tests.support.builders import a_store

_INTERRUPTED = 130


@contextmanager
def listening(settings: Settings, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The command, once it listens; a test that fails does not leave it running."""
    command = [sys.executable, "-m", "gateway.cli", "webhooks", "listen", TENANT, *options]
    environment = os.environ | environment_of(settings)
    with subprocess.Popen(command, env=environment, stdout=-1, stderr=-1, text=True) as process:
        try:
            assert process.stderr is not None
            assert "Listening for dream.finished" in process.stderr.readline()
            yield process
        finally:
            process.kill()


def read_event(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def test_an_event_is_printed_forwarded_and_verified_and_ctrl_c_leaves_no_endpoint(
    hooked: Ports, fresh_settings: Settings, receiver: Receiver
) -> None:
    a_store(hooked, TENANT)
    with listening(fresh_settings, "--json", "--forward", receiver.url) as process:
        dream_id = a_message(hooked)
        told = read_event(process)
        assert (told["type"], told["data"]["dream_id"]) == ("dream.finished", dream_id)
        assert (told["is_verified"], told["forwarded"]) == (True, "HTTP 204")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == _INTERRUPTED
    (posted,) = receiver.received
    assert posted.headers["webhook-signature"] == told["headers"]["webhook-signature"]
    assert find_endpoints(hooked.db, TENANT) == []


def test_an_event_is_one_line_that_says_what_it_is_about(hooked: Ports, fresh_settings: Settings) -> None:
    a_store(hooked, TENANT)
    with listening(fresh_settings) as process:
        (made,) = find_endpoints(hooked.db, TENANT)
        queue_test(hooked, TENANT, made.id, actor="a test")
        assert process.stdout is not None
        line = process.stdout.readline()
    assert line.endswith(f" webhook.test endpoint_id {made.id} (signature verified)\n")


def test_messages_are_taken_over_the_api_each_once_and_signed_as_a_post(hooked: Ports) -> None:
    a_store(hooked, TENANT)
    client, header = a_client(an_app(hooked)), bearer(a_token(hooked, TENANT))
    made = client.post("/api/webhooks", json={"url": LISTEN}, headers=header).json()
    sent = [a_message(hooked) for _ in range(3)]
    address = f"/api/webhooks/{made['id']}/take"
    taken = client.post(address, headers=header).json()["data"]
    got = [Received(path="", headers=one["headers"], body=one["body"].encode()) for one in taken]
    assert [one.json["data"]["dream_id"] for one in got] == sent
    assert all(verify(made["secret"], one) for one in got)
    assert client.post(address, headers=header).json() == {"data": []}


def test_nothing_is_posted_to_an_endpoint_that_listens_and_others_are_not_taken_from(
    hooked: Ports, receiver: Receiver
) -> None:
    posted = an_endpoint(hooked, TENANT, receiver.url).endpoint
    listener = begin_listening(hooked, TENANT, NewEndpoint(url=LISTEN), actor="a test").endpoint
    a_message(hooked)
    queue_test(hooked, TENANT, listener.id, actor="a test")
    deliver_due(hooked, rounds=3)
    states = {(one.endpoint_id, str(one.message.event)): one.state for one in deliveries(hooked)}
    assert states[posted.id, "dream.finished"] is DeliveryState.DELIVERED
    assert states[listener.id, "dream.finished"] is DeliveryState.PENDING
    with pytest.raises(ConflictError, match="is posted to"):
        take_messages(hooked, TENANT, posted.id, actor="a test")
    with pytest.raises(ConflictError, match="webhooks listen"):
        claim_test(hooked, TENANT, listener.id, actor="a test")


def test_a_message_that_a_listener_lost_is_taken_again_after_a_replay(hooked: Ports) -> None:
    a_store(hooked, TENANT)
    listener = begin_listening(hooked, TENANT, NewEndpoint(url=LISTEN), actor="a test").endpoint
    a_message(hooked)
    (lost,) = take_messages(hooked, TENANT, listener.id, actor="a test")
    replay_delivery(hooked.db, TENANT, lost.delivery.id, actor="a test")
    assert deliver_due(hooked) == []
    assert [one.delivery.id for one in take_messages(hooked, TENANT, listener.id, actor="a test")] == [lost.delivery.id]


def test_a_listener_that_was_killed_is_cleared_away_by_a_later_one_and_one_that_asks_is_not(
    hooked: Ports, owner: psycopg.Connection
) -> None:
    a_store(hooked, TENANT)
    killed, asks = (begin_listening(hooked, TENANT, NewEndpoint(url=LISTEN), actor="a test").endpoint for _ in range(2))
    owner.execute("UPDATE webhook_endpoints SET created_at = now() - interval '2 hours'")
    take_messages(hooked, TENANT, asks.id, actor="a test")
    begun = begin_listening(hooked, TENANT, NewEndpoint(url=LISTEN), actor="a test").endpoint
    assert {one.id for one in find_endpoints(hooked.db, TENANT)} == {asks.id, begun.id}
    assert killed.id not in {asks.id, begun.id}
