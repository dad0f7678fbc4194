"""An order over `/v1/dreams` passes no shut gate, makes no store with an agent's key, and waits in a bounded queue."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.orders import MAX_WAITING
from shared.services.sessions.ingest import ImportTarget
from shared.services.sessions.live import open_live_session
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import a_store


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


def an_order(ports: Ports, tenant: str, behavior: str) -> dict[str, Any]:
    store = a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="api", is_current=True)
    session = open_live_session(ports.db, target, "chat-1")
    named = {"memory_store_id": store.id} if behavior == "update_existing" else {}
    return {
        "inputs": [
            {"type": "memory_store", "memory_store_id": store.id},
            {"type": "sessions", "session_ids": [session.id]},
        ],
        "model": "any",
        "output_behavior": {"type": behavior, **named},
    }


def key(ports: Ports, tenant: str, role: Role) -> Mapping[str, str]:
    return bearer(a_token(ports, tenant, role, rate_per_minute=10_000))


def store_names(ports: Ports, tenant: str) -> list[str]:
    with ports.db.transaction(tenant) as uow:
        return [store.name for store in uow.stores.find_all()]


def test_an_agents_order_stops_at_the_gate_that_stops_its_dream(client: TestClient, ports: Ports, tenant: str) -> None:
    order, agent = an_order(ports, tenant, "update_existing"), key(ports, tenant, Role.AGENT)
    with ports.db.transaction(tenant) as uow:
        dreamt = uow.stores.get(DEFAULT_STORE)
        uow.stores.save(replace(dreamt, last_dream_at=uow.now() - timedelta(hours=1)))
    plain = client.post("/api/dreams", json={"store": DEFAULT_STORE}, headers=agent)
    ordered = client.post("/v1/dreams", json=order, headers=agent)
    assert (plain.status_code, ordered.status_code) == (409, 409)
    assert "Too recent" in plain.json()["detail"]
    assert ordered.json()["error"]["message"] == plain.json()["detail"]
    assert client.post("/v1/dreams", json=order, headers=key(ports, tenant, Role.ADMIN)).status_code == 200


def test_an_agents_key_makes_no_store_by_ordering_a_copy(client: TestClient, ports: Ports, tenant: str) -> None:
    order, agent = an_order(ports, tenant, "create_new"), key(ports, tenant, Role.AGENT)
    before = store_names(ports, tenant)
    for wanted in (order, {name: value for name, value in order.items() if name != "output_behavior"}):
        refused = client.post("/v1/dreams", json=wanted, headers=agent)
        assert refused.status_code == 403
        assert refused.json()["error"]["type"] == "permission_error"
    assert store_names(ports, tenant) == before


def test_a_tenants_orders_wait_in_a_queue_of_a_bounded_length(client: TestClient, ports: Ports, tenant: str) -> None:
    order, admin = an_order(ports, tenant, "create_new"), key(ports, tenant, Role.ADMIN)
    answers = [client.post("/v1/dreams", json=order, headers=admin) for _ in range(MAX_WAITING + 1)]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert len(store_names(ports, tenant)) == MAX_WAITING + len({DEFAULT_STORE, "mine"})
