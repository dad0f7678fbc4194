"""Webhooks over the API: a secret is shown once, an address inside is refused, a test is in the log, and pages go on."""

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.webhooks.webhook_support import a_receiver, deliver_due, local_ports, verify


@pytest.fixture
def local(fresh_ports: Ports) -> Ports:
    return local_ports(fresh_ports)


@pytest.fixture
def client(local: Ports) -> TestClient:
    found = a_client(an_app(local))
    found.headers.update(bearer(a_token(local, "acme")))
    return found


def test_a_secret_is_in_the_answer_that_made_it_and_in_no_other(client: TestClient) -> None:
    made = client.post("/api/webhooks", json={"url": "https://hooks.example.com/"}).json()
    rotated = client.post(f"/api/webhooks/{made['id']}/rotate").json()
    assert made["secret"] != rotated["secret"]
    assert rotated["previous_secret_until"] is not None
    later = client.get("/api/webhooks").text + client.get(f"/api/webhooks/{made['id']}").text
    assert made["id"] in later
    assert "whsec_" not in later
    assert client.delete(f"/api/webhooks/{made['id']}").json() == {"id": made["id"], "dropped": 0}
    assert client.get(f"/api/webhooks/{made['id']}").status_code == 404


@pytest.mark.parametrize(
    "url", ["https://10.0.0.1/", "https://[::1]/", "ftp://example.com/", "https://a:b@example.com/"]
)
def test_an_address_that_webhooks_may_not_go_to_is_a_422_that_says_why(client: TestClient, url: str) -> None:
    answer = client.post("/api/webhooks", json={"url": url})
    assert answer.status_code == 422
    assert "webhook's address" in answer.json()["detail"].lower()


def test_a_test_message_is_in_the_log_with_its_outcome_and_the_log_comes_in_pages(
    client: TestClient, local: Ports
) -> None:
    with a_receiver(500, 204) as receiver:
        made = client.post("/api/webhooks", json={"url": receiver.url}).json()
        address = f"/api/webhooks/{made['id']}"
        queued = [client.post(f"{address}/test") for _ in range(3)]
        assert {answer.status_code for answer in queued} == {202}
        deliver_due(local, rounds=3)
        assert all(verify(made["secret"], one) for one in receiver.received)
    ids: list[str] = []
    cursor: str | None = None
    while len(ids) < 3:
        page = client.get(f"{address}/deliveries", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        ids += [one["id"] for one in page["data"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert sorted(ids, reverse=True) == ids == [answer.json()["id"] for answer in reversed(queued)]
    delivered = client.get(f"{address}/deliveries", params={"state": "delivered"}).json()["data"]
    assert {attempt["status"] for one in delivered for attempt in one["tries"]} >= {204}


def test_enabling_what_is_enabled_is_a_409(client: TestClient) -> None:
    made = client.post("/api/webhooks", json={"url": "https://hooks.example.com/"}).json()
    assert client.post(f"/api/webhooks/{made['id']}/enable").status_code == 409
