"""The doctor tries every model key that the installation and its tenants use, with questions that cost nothing."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import SecretStr

from gateway.model_keys import examine_model_keys
from shared.adapters.llm.health import KeyInUse, examine_keys
from shared.all_ports import Ports
from shared.core.health import Finding, Health
from shared.settings import Settings

KEY = "sk-invented"
OTHER = "sk-of-another-customer"
NOWHERE = "http://127.0.0.1:9"


class Endpoint(ThreadingHTTPServer):
    """Answers every question with one status, but for the list of models; remembers what was asked with which key."""

    def __init__(self, status: int, *, list_status: int | None = None, waits_for: int = 1) -> None:
        self.status, self.list_status = status, list_status or status
        self.all_are_here = threading.Barrier(waits_for, timeout=4)
        self.asked: list[str] = []
        self.keys: list[str] = []
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Endpoint)
        self._answer(self.server.list_status, {"data": [], "has_more": False, "first_id": None, "last_id": None})

    def do_POST(self) -> None:
        assert isinstance(self.server, Endpoint)
        self.rfile.read(int(self.headers["content-length"]))
        self._answer(self.server.status, {"input_tokens": 1})

    def _answer(self, status: int, found: Mapping[str, object]) -> None:
        assert isinstance(self.server, Endpoint)
        key = self.headers["authorization"].removeprefix("Bearer ")
        self.server.asked.append(f"{self.command} {self.path.split('?')[0]}")
        self.server.keys.append(key)
        self.server.all_are_here.wait()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        error = {
            "type": "error",
            "error": {"type": "authentication_error", "message": f"bad key {key}, or {key[:9]}..."},
        }
        self.wfile.write(json.dumps(found if status == 200 else error).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def an_endpoint(status: int, *, list_status: int | None = None, waits_for: int = 1) -> Iterator[Endpoint]:
    with Endpoint(status, list_status=list_status, waits_for=waits_for) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def examine(url: str, key: str = KEY) -> Finding:
    (found,) = examine_keys([in_use(url, key)])
    return found


def in_use(url: str, key: str = KEY) -> KeyInUse:
    return KeyInUse(name="THE_KEY", users="acme", key=SecretStr(key), base_url=url, model="claude-haiku-4-5")


@pytest.mark.parametrize(
    ("status", "health", "found"),
    [
        (200, Health.OK, "THE_KEY: accepted; used by acme"),
        (401, Health.FAIL, "THE_KEY: refused (401) bad key [key], or [key]...; used by acme"),
        (403, Health.FAIL, "THE_KEY: refused (403) bad key [key], or [key]...; used by acme"),
        (500, Health.WARN, "THE_KEY: answered 500 bad key [key], or [key]...; used by acme"),
    ],
)
def test_a_key_is_tried_with_a_question_that_costs_nothing(status: int, health: Health, found: str) -> None:
    with an_endpoint(status) as endpoint:
        finding = examine(endpoint.url)
        assert endpoint.asked == ["GET /v1/models"]
    assert (finding.health, finding.found) == (health, found)
    assert bool(finding.advice) == (health is not Health.OK)


@pytest.mark.parametrize(("status", "health"), [(200, Health.OK), (401, Health.FAIL), (501, Health.WARN)])
def test_a_server_without_a_list_of_models_is_asked_to_count_tokens(status: int, health: Health) -> None:
    with an_endpoint(status, list_status=501) as endpoint:
        assert examine(endpoint.url).health is health
        assert endpoint.asked == ["GET /v1/models", "POST /v1/messages/count_tokens"]


def test_keys_are_tried_side_by_side_within_a_time_for_all_of_them() -> None:
    with an_endpoint(200, waits_for=6) as endpoint:
        found = examine_keys([in_use(endpoint.url, f"sk-number-{number}") for number in range(6)])
        assert [finding.health for finding in found] == [Health.OK] * 6, "each is answered when all six have asked"
        (late,) = examine_keys([in_use(endpoint.url)], seconds_together=0)
    assert (late.health, late.found) == (Health.WARN, "THE_KEY: not tried; used by acme")


def test_a_key_that_no_header_can_carry_is_not_sent() -> None:
    finding = examine(NOWHERE, "sk\nsecret")
    assert (finding.health, "secret" in repr(finding)) == (Health.FAIL, False)


def test_a_key_is_wanted_only_by_a_model_that_is_asked_over_the_network() -> None:
    assert [found.health for found in examine_model_keys(Settings(llm="offline"), None)] == [Health.OK]
    (missing,) = examine_model_keys(Settings(llm="anthropic", llm_api_key=None), None)
    assert (missing.health, missing.found) == (
        Health.FAIL,
        "SLOWWAVE_LLM_API_KEY: none in this environment; used by the installation",
    )
    (silent,) = examine_model_keys(Settings(llm="anthropic", llm_api_key=SecretStr("sk"), llm_base_url=NOWHERE), None)
    assert silent.found == (
        "SLOWWAVE_LLM_API_KEY at 127.0.0.1:9: the endpoint does not answer; used by the installation"
    )


def store_model(ports: Ports, tenant: str, llm: dict[str, str], store: str = "") -> None:
    """Store a tenant's or a store's own model as an older version may have done, unchecked."""
    with ports.db.transaction(tenant) as uow:
        if store:
            uow.stores.save(replace(uow.stores.ensure(store), llm=llm))
        else:
            uow.stores.save_tenant(replace(uow.stores.ensure_tenant(), llm=llm))


def test_the_key_of_one_store_is_tried_too(fresh_ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_LLM_API_KEY_OWN", OTHER)
    with an_endpoint(200) as theirs:
        store_model(fresh_ports, "acme", {"api_key_variable": "SLOWWAVE_LLM_API_KEY_OWN"}, store="own")
        settings = Settings(llm="anthropic", llm_api_key=SecretStr(KEY), llm_base_url=theirs.url)
        findings = examine_model_keys(settings, fresh_ports.db)
        assert sorted(theirs.keys) == sorted([KEY, OTHER])
    assert [one.found.rpartition("used by ")[2] for one in findings if "_OWN" in one.found] == ["1 tenant (acme/own)"]


def test_each_distinct_key_of_all_tenants_is_tried_once_and_says_who_uses_it(
    fresh_ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_LLM_API_KEY_OWN", OTHER)
    with an_endpoint(200) as theirs, an_endpoint(401) as refusing:
        own = {"api_key_variable": "SLOWWAVE_LLM_API_KEY_OWN", "base_url": refusing.url}
        for name, llm in {
            "asks-as-all": {},
            "asks-another-model": {"model": "claude-opus-4-8"},
            "by-rules": {"adapter": "offline"},
            "has-own": own,
            "has-own-too": own,
            "has-none": {"api_key_variable": "SLOWWAVE_LLM_API_KEY_UNSET"},
            "is-mistaken": {"api_key_variable": "HOME"},
        }.items():
            store_model(fresh_ports, name, llm)
        settings = Settings(llm="anthropic", llm_api_key=SecretStr(KEY), llm_base_url=theirs.url)
        findings = examine_model_keys(settings, fresh_ports.db)
        assert (theirs.keys, refusing.keys) == ([KEY], [OTHER])
    at_theirs, at_refusing = theirs.url.removeprefix("http://"), refusing.url.removeprefix("http://")
    assert "\n".join(f"{finding.health} {finding.found}" for finding in findings) == (
        f"ok SLOWWAVE_LLM_API_KEY at {at_theirs}: accepted; used by the installation and 2 tenants"
        " (asks-as-all, asks-another-model)\n"
        f"fail SLOWWAVE_LLM_API_KEY_OWN at {at_refusing}: refused (401) bad key [key], or [key]...; used by 2 tenants"
        " (has-own, has-own-too)\n"
        "warn SLOWWAVE_LLM_API_KEY_UNSET: none in this environment; used by 1 tenant (has-none)\n"
        "fail Tenant 'is-mistaken' names 'HOME' as its key's variable; it must begin with SLOWWAVE_LLM_API_KEY"
    )
    assert not any(secret in repr(findings) for secret in (KEY, OTHER))
