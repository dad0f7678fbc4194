"""Watching a dream ends by itself when there is nothing to watch any more, or when the key is over."""

import threading
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from gateway.api.app import create_app
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.tenants.delete import delete_tenant
from tests.integration.api.api_support import a_client, a_token, bearer, id_of
from tests.support.builders import a_store

_LONG_SECONDS = 60


def revoke(client: TestClient, _ports: Ports, tenant: str, token: str, admin: dict[str, str]) -> None:
    assert tenant
    assert client.delete(f"/api/keys/{id_of(token)}", headers=admin).status_code == 200


def rotate(client: TestClient, _ports: Ports, tenant: str, token: str, admin: dict[str, str]) -> None:
    assert tenant
    assert client.post(f"/api/keys/{id_of(token)}/rotate", headers=admin).status_code == 200


def delete(_client: TestClient, ports: Ports, tenant: str, _token: str, _admin: dict[str, str]) -> None:
    delete_tenant(ports.db, ports.lock, tenant, actor="a test", force=True)


@pytest.mark.parametrize("end", [revoke, rotate, delete])
def test_a_watch_ends_with_its_key_or_its_tenant(end: Callable[..., None], ports: Ports, tenant: str) -> None:
    app = create_app(ports)
    client = a_client(app)
    a_store(ports, tenant)
    token, admin = a_token(ports, tenant, Role.REVIEWER), bearer(a_token(ports, tenant))
    queued = client.post("/api/dreams", json={"store": DEFAULT_STORE, "force": True}, headers=admin).json()
    seen: list[str] = []
    watch = _watching(app, queued["id"], token, seen)
    end(client, ports, tenant, token, admin)
    watch.join(_LONG_SECONDS)
    is_over = not watch.is_alive()
    app.state.stopping.set()  # so that nothing is left behind when it is not
    watch.join(_LONG_SECONDS)
    assert is_over
    assert [line for line in seen[0].splitlines() if line.startswith("event")] == ["event: dream", "event: bye"]


def _watching(app: FastAPI, dream_id: str, token: str, seen: list[str]) -> threading.Thread:
    """A watch that has begun: its key was asked for."""
    begun = threading.Event()
    find = app.state.authenticator.find

    def noting(given: str) -> object:
        found = find(given)
        if given == token:
            begun.set()
        return found

    app.state.authenticator.find = noting

    def watch() -> None:
        seen.append(a_client(app).get(f"/api/dreams/{dream_id}/events", headers=bearer(token)).text)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    assert begun.wait(_LONG_SECONDS)
    return thread
