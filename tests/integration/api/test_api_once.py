"""`Idempotency-Key`: every POST takes one, and one whose answer holds a secret does nothing twice and keeps nothing."""

from collections.abc import Callable

import psycopg
import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.access.api_routes import NEEDS
from tests.integration.api.api_support import a_client, a_token, an_app, bearer, id_of

POSTS = [path for method, path in NEEDS if method == "post"]


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    opened = a_client(an_app(ports))
    opened.headers.update(bearer(a_token(ports, tenant, Role.OPERATOR)) | {"Idempotency-Key": "once"})
    return opened


@pytest.mark.parametrize("path", POSTS)
def test_every_post_takes_an_idempotency_key(path: str, session_ports: Ports) -> None:
    operation = an_app(session_ports).openapi()["paths"][path]["post"]
    assert "Idempotency-Key" in {one["name"] for one in operation["parameters"]}
    assert path.startswith("/v1") or "409" in operation["responses"]


def a_hook(client: TestClient) -> str:
    body = {"url": "https://example.com/hooks"}
    return str(client.post("/api/webhooks", json=body, headers={"Idempotency-Key": "a-hook"}).json()["id"])


def a_key(client: TestClient) -> str:
    body = {"name": "k", "role": "agent"}
    return str(client.post("/api/keys", json=body, headers={"Idempotency-Key": "a-key"}).json()["id"])


def test_a_test_of_a_webhook_that_is_asked_for_again_is_sent_once(client: TestClient) -> None:
    where = f"/api/webhooks/{a_hook(client)}"
    first, second = (client.post(f"{where}/test") for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert len(client.get(f"{where}/deliveries").json()["data"]) == 1


def test_a_pause_that_comes_late_for_the_second_time_does_not_end_a_resume(client: TestClient) -> None:
    assert client.post("/api/stores/mine/pause").json()["paused"]
    client.post("/api/stores/mine/resume", headers={"Idempotency-Key": "go-on"})
    assert client.post("/api/stores/mine/pause").headers["Idempotency-Replayed"] == "true"
    assert not client.get("/api/stores/mine").json()["paused"]


SECRETS: dict[str, tuple[Callable[[TestClient], str], dict[str, str] | None, str]] = {
    "a new key": (lambda _: "/api/keys", {"name": "k", "role": "agent"}, "token"),
    "a rotated key": (lambda client: f"/api/keys/{a_key(client)}/rotate", None, "token"),
    "a new webhook": (lambda _: "/api/webhooks", {"url": "https://example.com/hooks"}, "secret"),
    "a rotated webhook": (lambda client: f"/api/webhooks/{a_hook(client)}/rotate", None, "secret"),
}


@pytest.mark.parametrize("what", SECRETS)
def test_a_secret_that_is_shown_once_is_created_once_and_stored_nowhere(
    what: str, client: TestClient, tenant: str, owner_connection: psycopg.Connection
) -> None:
    where, body, field = SECRETS[what]
    address = where(client)
    first, second = (client.post(address, json=body) for _ in range(2))
    assert first.status_code in {200, 201}
    assert second.status_code == 409
    assert "already carried out" in second.json()["detail"]
    query = "SELECT body FROM api_requests WHERE tenant_id = %s"
    kept = str(owner_connection.execute(query, (tenant,)).fetchall())
    assert first.json()[field] not in kept
    if field == "token":  # the second request changed nothing: the first answer's secret still opens it
        assert client.get("/api/stores", headers=bearer(first.json()["token"])).status_code == 200
        ids = [one["id"] for one in client.get("/api/keys").json()["data"]]
        assert ids.count(id_of(first.json()["token"])) == 1
