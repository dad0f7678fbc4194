"""The cost of a request for the servers; nothing cached between requests opens another tenant's data."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from anyio import to_thread
from fastapi import FastAPI
from starlette.testclient import TestClient

from gateway.api.http.auth import Authenticator
from shared.adapters.postgres.database import PostgresDatabase
from shared.adapters.redis.rate_limit import RedisRateLimit
from shared.all_ports import Ports
from shared.bootstrap import database_url, redis_url
from shared.core.memory.model import Memory
from shared.core.tenants.roles import Role
from shared.settings import Settings
from tests.integration.access.test_api_timing_class import asked
from tests.integration.api.api_support import a_client, a_token, an_app, bearer, id_of
from tests.support.builders import write


@pytest.fixture
def memory(ports: Ports, tenant: str) -> Memory:
    write(ports, tenant, {"a.md": "# A\n\nOne."})
    with ports.db.transaction(tenant) as uow:
        return uow.memories(uow.stores.get("default").id).find_live()[0]


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


def test_a_read_asks_the_database_one_question_and_an_access_none(
    client: TestClient, ports: Ports, tenant: str, memory: Memory
) -> None:
    headers = bearer(a_token(ports, tenant, rate_per_minute=100_000))
    with asked() as statements:
        answer = client.get(f"/api/stores/default/memories/{memory.id}", headers=headers)
    assert answer.json()["content"] == memory.content
    assert len([one for one in statements if "set_config" not in one]) == 1


def test_the_question_of_one_tenant_finds_nothing_of_another_and_leaves_no_tenant_behind(
    settings: Settings, memory: Memory, tenant: str
) -> None:
    database = PostgresDatabase(database_url(settings), pool_size=1)
    try:
        assert database.find_memory(tenant, "default", memory.id) == memory
        assert database.find_memory(f"x{uuid4().hex}", "default", memory.id) is None
        assert database.find_memory(tenant, "other", memory.id) is None
        with database._engine.connect() as connection:  # the only one that the pool has
            left = connection.exec_driver_sql("SELECT current_setting('slowwave.tenant_id', true)").scalar_one()
            seen = connection.exec_driver_sql("SELECT count(*) FROM memories").scalar_one()
        assert (left, seen) == ("", 0)
    finally:
        database.dispose()


def test_a_question_over_a_connection_that_died_is_asked_again(settings: Settings, memory: Memory, tenant: str) -> None:
    database = PostgresDatabase(database_url(settings), pool_size=1)
    try:
        with database._engine.connect() as connection:
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        other = PostgresDatabase(database_url(settings), pool_size=1)
        with other._engine.connect() as killer:
            killer.exec_driver_sql(f"SELECT pg_terminate_backend({pid}, 5000)")
        other.dispose()
        assert database.find_memory(tenant, "default", memory.id) == memory
    finally:
        database.dispose()


def test_processes_together_let_through_what_the_key_may(settings: Settings) -> None:
    key = f"key_{uuid4().hex}"
    processes = [RedisRateLimit(redis_url(settings)) for _ in range(2)]
    try:
        verdicts = [processes[turn % 2].acquire(key, per_minute=600) for turn in range(900)]
    finally:
        for one in processes:
            one.close()
    passed = sum(one.is_allowed for one in verdicts)
    # What refills while the test runs comes on top, ten a second; tokens that lapsed are missing, on a slow machine.
    assert 500 <= passed < 900
    assert all(0 < one.retry_after_seconds <= 0.1 for one in verdicts if not one.is_allowed)


def test_a_revoked_key_that_is_remembered_ends_at_once_here_and_within_moments_elsewhere(
    client: TestClient, ports: Ports, tenant: str
) -> None:
    now = 0.0
    elsewhere = Authenticator(ports.db, clock=lambda: now)
    token, admin = a_token(ports, tenant, Role.AGENT), bearer(a_token(ports, tenant))
    assert elsewhere.find(token)
    assert client.get("/api/stores", headers=bearer(token)).status_code == 200
    assert client.delete(f"/api/keys/{id_of(token)}", headers=admin).status_code == 200
    assert client.get("/api/stores", headers=bearer(token)).status_code == 401
    assert elsewhere.find_cached(token)
    now = 2.0
    assert elsewhere.find_cached(token) is None
    assert elsewhere.find(token) is None


def test_only_the_whole_token_is_remembered(ports: Ports, tenant: str) -> None:
    authenticator = Authenticator(ports.db)
    token = a_token(ports, tenant)
    assert authenticator.find(token)
    assert authenticator.find_cached(token)
    assert authenticator.find_cached(f"{token[:-1]}{'a' if token[-1] != 'a' else 'b'}") is None


def test_the_use_of_a_key_is_noted_once_in_a_burst(ports: Ports) -> None:
    now = 0.0
    authenticator = Authenticator(ports.db, clock=lambda: now)
    assert [authenticator.is_use_due("key_1") for _ in range(3)] == [True, False, False]
    assert authenticator.is_use_due("key_2")
    now = 60.0
    assert authenticator.is_use_due("key_1")


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The work that has taken a thread since the list was cleared."""
    taken: list[str] = []
    run_sync = to_thread.run_sync

    def noted(work: Callable[[], Any], *more: Any, **how: Any) -> Any:
        taken.append(repr(work))
        return run_sync(work, *more, **how)

    monkeypatch.setattr(to_thread, "run_sync", noted)
    return taken


def test_a_refusal_of_a_known_key_takes_no_thread_from_other_tenants(
    client: TestClient, ports: Ports, tenant: str, threads: list[str]
) -> None:
    headers = bearer(a_token(ports, tenant, Role.AGENT, rate_per_minute=100_000))
    order = {"inputs": [{"type": "memory_store", "memory_store_id": "default"}], "model": "any"}
    refused = [partial(client.post, "/v1/dreams", json=order), partial(client.get, "/api/tenants")]
    assert client.get("/api/stores", headers=headers).status_code == 200  # the key is known from here on
    threads.clear()
    assert [ask(headers=headers).status_code for ask in refused] == [403, 403]
    of_the_key = ("admitted", "record_use")  # asked of Redis and noted in the database once for many requests
    assert [one for one in threads if not any(name in one for name in of_the_key)] == []


def test_a_request_without_a_key_or_a_route_takes_no_thread(client: TestClient, threads: list[str]) -> None:
    assert [client.get(path).status_code for path in ("/api/stores", "/v1/dreams", "/api/absent")] == [401, 401, 404]
    assert threads == []


def test_a_key_at_its_rate_limit_is_refused_without_a_thread_until_a_moment_has_passed(
    client: TestClient, ports: Ports, tenant: str, threads: list[str]
) -> None:
    headers = bearer(a_token(ports, tenant, rate_per_minute=1))
    assert [client.get("/api/stores", headers=headers).status_code for _ in range(2)] == [200, 429]
    threads.clear()
    answer = client.get("/api/stores", headers=headers)
    assert (answer.status_code, answer.headers["RateLimit-Remaining"]) == (429, "0")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert threads == []


def test_a_refused_request_is_answered_before_its_body_has_come(client: TestClient, ports: Ports, tenant: str) -> None:
    app, spent = an_app(ports), bearer(a_token(ports, tenant, rate_per_minute=1))
    client.get("/api/stores", headers=spent)
    unknown, agent = bearer("swk_0123456789abcdef_0123456789abcdef"), bearer(a_token(ports, tenant, Role.AGENT))
    for path in ("/api/stores/default/memories", "/v1/dreams"):
        assert [answer_without_body(app, path, one) for one in ({}, unknown, spent)] == [401, 401, 429]
        assert answer_without_body(app, path, {**agent, "Content-Length": "900000000"}) == 413
    assert answer_without_body(app, "/api/tenants", agent) == 403
    assert answer_without_body(app, "/api/absent", agent) == 404


def answer_without_body(app: FastAPI, path: str, headers: Mapping[str, str]) -> int:
    """Return the status of the answer to a POST of which nothing but its head ever comes."""
    sent: list[Any] = []

    async def receive() -> Any:
        raise AssertionError("the body was asked for")

    async def send(message: Any) -> None:
        sent.append(message)

    given = {"Content-Length": "20", "Content-Type": "application/json", "Host": "testserver", **headers}
    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
        "asgi": {"version": "3.0"},
    }
    asyncio.run(app(scope, receive, send))
    return next(int(one["status"]) for one in sent if one["type"] == "http.response.start")
