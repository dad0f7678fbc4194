"""The API behaves as a platform team relies on: keys end, requests count once, limits, preconditions, events."""

import json
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.errors import ServiceUnavailableError
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_tenant_with_everything, a_token, an_app, bearer, id_of
from tests.support.builders import a_store, write


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def admin(ports: Ports, tenant: str) -> dict[str, str]:
    return bearer(a_token(ports, tenant))


def test_a_rotated_key_has_a_new_secret_and_its_old_one_is_over(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    old = a_token(ports, tenant, Role.AGENT)
    assert client.get("/api/stores", headers=bearer(old)).status_code == 200
    new = client.post(f"/api/keys/{id_of(old)}/rotate", headers=admin).json()["token"]
    assert client.get("/api/stores", headers=bearer(old)).status_code == 401
    assert client.get("/api/stores", headers=bearer(new)).status_code == 200


def test_with_a_grace_both_secrets_open_the_key(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    old = a_token(ports, tenant, Role.AGENT)
    body = {"grace_minutes": 60}
    new = client.post(f"/api/keys/{id_of(old)}/rotate", headers=admin, json=body).json()["token"]
    assert [client.get("/api/stores", headers=bearer(token)).status_code for token in (old, new)] == [200, 200]


def test_a_revoked_key_is_over_and_stays_on_record(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    token = a_token(ports, tenant, Role.AGENT)
    assert client.get("/api/stores", headers=bearer(token)).status_code == 200
    assert client.delete(f"/api/keys/{id_of(token)}", headers=admin).json()["revoked_at"]
    assert client.get("/api/stores", headers=bearer(token)).status_code == 401
    kept = {key["id"]: key for key in client.get("/api/keys", headers=admin).json()["data"]}
    assert kept[id_of(token)]["revoked_at"]


def test_an_admin_cannot_make_itself_an_operator(client: TestClient, admin: dict[str, str]) -> None:
    assert client.post("/api/keys", headers=admin, json={"name": "x", "role": "operator"}).status_code == 403


def test_the_use_of_a_key_is_noted(client: TestClient, admin: dict[str, str]) -> None:
    client.get("/api/stores", headers=admin)
    assert client.get("/api/keys", headers=admin).json()["data"][0]["last_used_at"]


def test_a_key_that_asks_too_often_is_told_when_to_come_back(client: TestClient, ports: Ports, tenant: str) -> None:
    headers = bearer(a_token(ports, tenant, rate_per_minute=2))
    answers = [client.get("/api/stores", headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 31


def test_the_same_request_again_starts_no_second_dream(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str], dispatch: RecordingDispatch
) -> None:
    a_store(ports, tenant)
    headers = admin | {"Idempotency-Key": "tonight"}
    first, second = (client.post("/api/dreams", headers=headers, json={"force": True}) for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert second.headers["idempotency-replayed"] == "true"
    assert len(dispatch.dreams) == 1
    assert client.post("/api/dreams", headers=headers, json={"force": False}).status_code == 422


def test_a_refusal_is_not_kept_for_the_next_try(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    headers = admin | {"Idempotency-Key": "soon"}
    assert client.post("/api/dreams", headers=headers, json={"force": True}).status_code == 404
    a_store(ports, tenant)
    assert client.post("/api/dreams", headers=headers, json={"force": True}).status_code == 202


def test_a_broker_that_is_away_delays_a_dream_and_loses_none(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str], dispatch: RecordingDispatch
) -> None:
    a_store(ports, tenant)
    dispatch.is_down = True
    assert client.post("/api/dreams", headers=admin, json={"force": True}).json()["state"] == "queued"


def test_only_admins_force_a_dream(client: TestClient, ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    agent = bearer(a_token(ports, tenant, Role.AGENT))
    assert client.post("/api/dreams", headers=agent, json={"force": True}).status_code == 403


def test_a_shut_gate_is_a_409_with_its_reason(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    a_store(ports, tenant)
    answer = client.post("/api/memory/dream", headers=admin, json={"agentId": "default"})
    assert answer.status_code == 409
    assert answer.json()["detail"] == "Not enough activity (0 < 3 curations, 0 < 5 sessions)"


def test_pages_go_through_all_memories_once(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    paths = [f"notes/{number:02}.md" for number in range(7)]
    write(ports, tenant, dict.fromkeys(paths, "text"))
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 3}
    while query:
        page = client.get("/api/stores/default/memories", headers=admin, params=query).json()
        seen += [memory["path"] for memory in page["data"]]
        query = {"limit": 3, "cursor": page["next_cursor"]} if page["next_cursor"] else {}
    assert seen == paths


def test_a_file_that_is_no_markdown_is_taken_only_where_its_writer_says_so(
    client: TestClient, ports: Ports, tenant: str
) -> None:
    headers = bearer(a_token(ports, tenant))
    address, file = "/api/stores/mine/memories", {"path": "guidelines.xml", "content": "<rule>Greet customers</rule>"}
    assert "does not end in .md" in client.post(address, json=file, headers=headers).json()["detail"]
    made = client.post(address, json=file | {"any_ending": True}, headers=headers).json()
    moved = client.patch(f"{address}/{made['id']}", json={"path": "a.txt", "any_ending": True}, headers=headers)
    assert moved.json()["path"] == "a.txt"
    (hit,) = client.get("/api/stores/mine/search?q=greet customers", headers=headers).json()["data"]
    assert hit["id"] == made["id"]


def test_a_change_over_another_change_is_refused(
    client: TestClient, ports: Ports, tenant: str, admin: dict[str, str]
) -> None:
    write(ports, tenant, {"a.md": "one"})
    found = client.get("/api/stores/default/memories", headers=admin).json()["data"][0]
    address = f"/api/stores/default/memories/{found['id']}"
    sha = client.get(address, headers=admin).json()["content_sha256"]
    body = {"content": "two", "content_sha256": sha}
    answers = [client.patch(address, headers=admin, json=body).status_code for _ in range(2)]
    assert answers == [200, 412]
    assert client.delete(address, headers=admin | {"If-Match": '"1"'}).status_code == 412
    assert client.delete(address, headers=admin | {"If-Match": '"2"'}).json()["state"] == "archived"
    versions = client.get(f"{address}/history", headers=admin).json()["data"]
    assert [version["change"] for version in versions] == ["archive", "update", "create"]


def test_a_body_beyond_the_limit_is_refused_whatever_it_says_about_its_length(
    ports: Ports, admin: dict[str, str]
) -> None:
    small = replace(ports, settings=ports.settings.model_copy(update={"api_max_body_bytes": 1_000}))
    client = a_client(an_app(small))
    text = json.dumps({"name": "x" * 2_000}).encode()
    for content in (text, iter([text[:900], text[900:]])):
        answer = client.post("/api/stores", headers=admin | {"Content-Type": "application/json"}, content=content)
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"


def test_an_unexpected_error_is_a_500_that_says_nothing_about_the_inside(
    client: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr("gateway.api.resources.tenants.stores.find_stores", fail)
    answer = client.get("/api/stores", headers=admin)
    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_database_that_is_away_makes_the_server_unready_and_its_answers_503(
    client: TestClient, admin: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ServiceUnavailableError("The database at 10.0.0.1 does not answer")

    monkeypatch.setattr("gateway.api.resources.tenants.stores.find_stores", fail)
    monkeypatch.setattr("shared.adapters.postgres.tenants.operators.PostgresOperatorRepository.check_schema", fail)
    answer = client.get("/api/stores", headers=admin)
    assert answer.status_code == 503
    assert "10.0.0.1" not in answer.text
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_an_ended_dream_is_one_event_and_the_end_and_can_be_undone_once_and_redone_once(
    client: TestClient, ports: Ports
) -> None:
    found = a_tenant_with_everything(ports)
    headers = bearer(a_token(ports, found.tenant, Role.REVIEWER))
    text = client.get(f"/api/dreams/{found.dream_id}/events", headers=headers).text
    assert [line for line in text.splitlines() if line.startswith("event")] == ["event: dream", "event: end"]
    address = f"/api/dreams/{found.dream_id}/undo"
    assert [client.post(address, headers=headers).status_code for _ in range(2)] == [200, 409]
    address = f"/api/dreams/{found.dream_id}/redo"
    assert [client.post(address, headers=headers).status_code for _ in range(2)] == [200, 409]
    assert client.get(f"/api/dreams/{found.dream_id}", headers=headers).json()["state"] == "completed"


def test_every_answer_tells_what_is_left_of_the_keys_rate(client: TestClient, ports: Ports, tenant: str) -> None:
    """Also a repeated answer, and a refusal: a client that paces itself by them must not be misled."""
    key = bearer(a_token(ports, tenant, rate_per_minute=6))
    once = {**key, "Idempotency-Key": "one"}
    body = {"path": "a.md", "content": "a"}
    answers = [
        client.post("/api/stores/mine/memories", headers=once, json=body),
        client.post("/api/stores/mine/memories", headers=once, json=body),
        client.post("/api/stores/mine/memories", headers=key, json=body),
        client.get("/api/dreams/drm_0", headers=key),
        client.get("/v1/dreams/drm_0", headers=key),
    ]
    assert [one.status_code for one in answers] == [201, 201, 409, 404, 404]
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    left = [int(one.headers["RateLimit-Remaining"]) for one in answers]
    assert left == sorted(left, reverse=True)
    assert len(set(left)) == len(left)
    assert {one.headers["RateLimit-Limit"] for one in answers} == {"6"}


def test_dreams_are_listed_by_when_they_were_asked_for(client: TestClient, ports: Ports) -> None:
    found = a_tenant_with_everything(ports)
    headers = bearer(a_token(ports, found.tenant, Role.REVIEWER))
    asked_at = client.get(f"/api/dreams/{found.dream_id}", headers=headers).json()["created_at"]

    def listed(**query: str) -> list[str]:
        return [one["id"] for one in client.get("/api/dreams", params=query, headers=headers).json()["data"]]

    assert listed(since=asked_at) == [found.dream_id]
    assert listed(until=asked_at) == []
    assert listed(since=asked_at, until="2999-01-01T00:00:00Z", state="completed") == [found.dream_id]
    assert listed(since="2999-01-01T00:00:00Z") == []
    assert client.get("/api/dreams", params={"since": "yesterday"}, headers=headers).status_code == 422
