"""A dream ordered over `/v1` brings what its sessions correct into the output store, also without a model."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import run_dream

_CORRECTION = "No, that is wrong. The staging database runs on host pg-9."


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    made = a_client(an_app(ports))
    made.headers.update(bearer(a_token(ports, tenant, Role.ADMIN, rate_per_minute=10_000)))
    return made


def post(client: TestClient, where: str, /, **body: Any) -> dict[str, Any]:
    answer = client.post(where, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def a_vault_and_a_session(client: TestClient) -> tuple[str, str]:
    vault = post(client, "/v1/memory_stores", name="Vault")["id"]
    text = "# Staging\n\nThe staging database runs on host pg-7.\n"
    post(client, f"/v1/memory_stores/{vault}/memories", path="/ops/staging.md", content=text)
    session = post(client, "/v1/sessions", agent="helper", environment_id="env_1")["id"]
    said = [
        {"type": "user.message", "content": [{"type": "text", "text": "Where does the staging database run?"}]},
        {"type": "user.message", "content": [{"type": "text", "text": _CORRECTION}]},
    ]
    post(client, f"/v1/sessions/{session}/events", events=said)
    return vault, session


def dreamt(client: TestClient, ports: Ports, tenant: str, vault: str, session: str) -> dict[str, str]:
    ordered = post(
        client, "/v1/dreams", model="any",
        inputs=[{"type": "memory_store", "memory_store_id": vault}, {"type": "sessions", "session_ids": [session]}],
    )  # fmt: skip
    with ports.db.transaction(tenant) as uow:
        store = uow.dreams.get(ordered["id"]).store
    run_dream(ports, tenant, OfflineLlm(), store=store, dream_id=ordered["id"])
    with ports.db.transaction(tenant) as uow:
        live = uow.memories(uow.stores.get(store).id).find_live()
    return {memory.path: memory.content for memory in live}


def test_a_correction_in_a_session_changes_the_memory_of_the_output_store(
    client: TestClient, ports: Ports, tenant: str
) -> None:
    vault, session = a_vault_and_a_session(client)
    found = dreamt(client, ports, tenant, vault, session)
    current = found["ops/staging.md"].partition("## Superseded")[0]
    assert "pg-9" in current
    assert "pg-7" not in current
