"""Signing in through an identity provider: a visitor that it vouches for gets in, and no other."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.services.tenants.delete import delete_tenant
from tests.integration.console.console_support import a_browser
from tests.integration.console.oidc_provider import Provider, a_provider
from tests.support.builders import a_store


@pytest.fixture(scope="module")
def shared_provider() -> Iterator[Provider]:
    with a_provider() as found:
        yield found


@pytest.fixture
def provider(shared_provider: Provider, tenant: str) -> Provider:
    shared_provider.overrides = {}
    shared_provider.claims = {
        "sub": "ada", "name": "Ada", "slowwave_tenant": tenant, "slowwave_role": "reviewer",
    }  # fmt: skip
    return shared_provider


@pytest.fixture(scope="module")
def trusting(session_ports: Ports, shared_provider: Provider) -> Ports:
    """Ports whose settings name the provider; one value, so that all tests here share one application."""
    settings = session_ports.settings.model_copy(update={"oidc_issuer": shared_provider.issuer})
    return replace(session_ports, settings=settings)


@pytest.fixture
def browser(trusting: Ports, provider: Provider, tenant: str) -> TestClient:
    assert provider.claims, "the provider vouches for a visitor of this test"
    a_store(trusting, tenant)
    return a_browser(trusting)


def come_back(browser: TestClient) -> str:
    """Go to the provider, and return the address to which it sends the browser."""
    sent = browser.get("/console/oidc/start")
    assert sent.status_code == 302, sent.text
    return httpx.get(sent.headers["location"]).headers["location"]


def test_claims_with_a_tenant_and_a_role_sign_in_as_that(browser: TestClient, tenant: str) -> None:
    assert "Sign in with your organisation" in browser.get("/console/sign-in").text
    assert browser.get(come_back(browser)).status_code == 303
    text = browser.get(f"/console/t/{tenant}").text
    assert "Ada · reviewer" in text
    assert browser.get("/console").headers["location"] == f"/console/t/{tenant}"


@pytest.mark.parametrize(
    "claims",
    [
        {"slowwave_role": "emperor"}, {"slowwave_role": ""}, {"slowwave_tenant": ""},
        {"slowwave_tenant": "no-such-tenant"}, {"slowwave_tenant": "../x"},
    ],
)  # fmt: skip
def test_claims_without_either_are_refused_with_the_reason(
    browser: TestClient, provider: Provider, claims: dict[str, Any]
) -> None:
    provider.claims |= claims
    answer = browser.get(come_back(browser))
    assert answer.status_code == 403
    assert "ask for a tenant and a role" in answer.text


@pytest.mark.parametrize(
    "wrong", [{"aud": "another"}, {"iss": "https://evil.test"}, {"nonce": "old"}, {"exp": 1_000_000_000}], ids=str
)
def test_a_token_that_was_not_made_for_this_sign_in_is_refused(
    browser: TestClient, provider: Provider, wrong: dict[str, Any], tenant: str
) -> None:
    provider.overrides = wrong
    assert browser.get(come_back(browser)).status_code == 403
    assert browser.get(f"/console/t/{tenant}").status_code == 303


def test_an_answer_for_another_browser_or_a_second_time_is_refused(
    browser: TestClient, ports: Ports, provider: Provider
) -> None:
    settings = ports.settings.model_copy(update={"oidc_issuer": provider.issuer})
    back = come_back(browser)
    victim = a_browser(replace(ports, settings=settings))
    victim.get("/console/oidc/start")
    assert victim.get(back).status_code == 403
    assert browser.get(back).status_code == 303
    browser.cookies.clear()
    assert browser.get(back).status_code == 403


def test_a_session_ends_with_its_tenant(browser: TestClient, ports: Ports, tenant: str) -> None:
    browser.get(come_back(browser))
    assert browser.get(f"/console/t/{tenant}").status_code == 200
    delete_tenant(ports.db, ports.lock, tenant, actor="a test")
    assert browser.get(f"/console/t/{tenant}").status_code == 303


def test_a_provider_that_is_away_is_said_and_keys_still_work(ports: Ports) -> None:
    settings = ports.settings.model_copy(update={"oidc_issuer": "http://127.0.0.1:1"})
    answer = a_browser(replace(ports, settings=settings)).get("/console/oidc/start")
    assert answer.status_code == 403
    assert "sign in with a key" in answer.text


def test_without_a_provider_there_is_no_such_way_in(ports: Ports) -> None:
    browser = a_browser(ports)
    assert "organisation" not in browser.get("/console/sign-in").text
    assert browser.get("/console/oidc/start").status_code == 404
