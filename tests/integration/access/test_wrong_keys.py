"""Wrong keys are limited by the address of their sender, and cost those with a right key nothing."""

from dataclasses import replace
from unittest.mock import patch
from uuid import uuid4

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from gateway.api.app import create_app
from gateway.api.http.failed_keys import network_of
from shared.all_ports import Ports
from tests.integration.api.api_support import a_token, bearer
from tests.support.one_loop import on_one_loop

LIMIT = 5


@pytest.fixture(scope="module")
def app(session_ports: Ports) -> FastAPI:
    limited = session_ports.settings.model_copy(update={"api_failed_keys_per_minute": LIMIT})
    return create_app(replace(session_ports, settings=limited))


def an_address() -> str:
    """An IPv4 address that no other test has."""
    number = uuid4().bytes
    return f"10.{number[0]}.{number[1]}.{number[2]}"


def at(app: FastAPI, address: str) -> TestClient:
    return on_one_loop(TestClient(app, client=(address, 50_000)))


def wrong() -> dict[str, str]:
    return bearer(f"swk_{uuid4().hex[:20]}_{'x' * 43}")


def test_wrong_keys_of_an_address_are_refused_without_a_question_to_the_database(app: FastAPI) -> None:
    client = at(app, an_address())
    for _ in range(LIMIT):
        assert client.get("/api/dreams", headers=wrong()).status_code == 401
    assert client.get("/api/dreams", headers=wrong()).status_code == 429
    with patch.object(type(app.state.ports.db), "find_key") as asked:
        for path in ("/api/dreams", "/v1/dreams", "/api/dreams/drm_0/events", "/v1/sessions/sesn_0/events/stream"):
            refused = client.get(path, headers=wrong())
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) >= 1
            assert "wrong keys came from this address" in refused.text
    asked.assert_not_called()


def test_a_right_key_works_at_an_address_that_is_limited(app: FastAPI, ports: Ports, tenant: str) -> None:
    address, right = an_address(), bearer(a_token(ports, tenant))
    client = at(app, address)
    assert client.get("/api/dreams", headers=right).status_code == 200
    while client.get("/api/dreams", headers=wrong()).status_code != 429:
        pass
    app.state.authenticator.clear_cache()  # as after two seconds without a request
    assert client.get("/api/dreams", headers=right).status_code == 200
    assert (
        at(app, an_address()).get("/api/dreams", headers=wrong()).status_code == 401
    )  # each address has its own count


def test_requests_without_a_key_are_not_counted(app: FastAPI) -> None:
    client = at(app, an_address())
    assert {client.get("/api/dreams").status_code for _ in range(3 * LIMIT)} == {401}


def test_an_ipv6_client_is_counted_by_its_network() -> None:
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::"
    assert network_of("2001:db8:1:3::4") != network_of("2001:db8:1:2::4")
    assert network_of("10.1.2.3") == "10.1.2.3"
