"""A store may hide from agents what is less trusted than it says (`recall.least_rank`); the answer says how much is hidden."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import Result

from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import texts, write

CommandLine = Callable[..., Result]
_NOTE = "1 hit is hidden: recall.least_rank is user"
_SEARCH = "/api/stores/default/search"


@pytest.fixture
def server(ports: Ports) -> FastAPI:
    return a_server(ports)


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def agent(ports: Ports, tenant: str, command_line: CommandLine) -> dict[str, str]:
    """An agent's key, in a store with a page of an owner and one of an agent that shows what users and owners say."""
    write(ports, tenant, texts({"ops/deploy.md": "# Deploy\n\nThe plumbus ships on Mondays.\n"}), author=Author.USER)
    write(ports, tenant, texts({"ops/agent.md": "# Agent\n\nThe plumbus ships on Fridays.\n"}), author=Author.AGENT)
    command_line("stores", "set", f"{tenant}/default", "--set", "recall.least_rank=user")
    return bearer(a_token(ports, tenant, Role.AGENT))


def test_a_search_leaves_out_what_is_hidden_and_says_how_much(
    tenant: str, agent: dict[str, str], server: FastAPI, client: TestClient, command_line: CommandLine
) -> None:
    by_api = client.get(_SEARCH, headers=agent, params={"q": "plumbus"}).json()
    both = client.get(f"{_SEARCH}/sessions", headers=agent, params={"q": "plumbus"}).json()
    by_mcp = call(server, agent, "search_memory", query="plumbus")
    both_by_mcp = call(server, agent, "search_everything", query="plumbus")
    assert [one["note"] for one in (by_api, both, by_mcp, both_by_mcp)] == [_NOTE] * 4
    assert [one["path"] for one in (*by_api["data"], *by_mcp["memories"])] == ["ops/deploy.md"] * 2
    found = [memory["path"] for one in (*both["data"], *both_by_mcp["places"]) for memory in one["memories"]]
    assert found == ["ops/deploy.md"] * 2
    by_hand = command_line("memory", "search", tenant, "plumbus", "--json")
    assert [one["path"] for one in json.loads(by_hand.stdout)] == ["ops/deploy.md"]
    assert _NOTE in by_hand.stderr


def test_a_search_of_a_past_day_knows_the_trust_of_that_day(
    ports: Ports, tenant: str, client: TestClient, agent: dict[str, str], owner_connection: psycopg.Connection
) -> None:
    aged = "UPDATE memory_versions SET created_at = now() - interval '3 days' WHERE tenant_id = %s"
    owner_connection.execute(aged, [tenant])
    page = "# Deploy\n\nThe plumbus ships on Mondays.\n\nAnd on Fridays.\n"
    write(ports, tenant, texts({"ops/deploy.md": page}), author=Author.AGENT)
    now = client.get(_SEARCH, headers=agent, params={"q": "plumbus"}).json()
    assert (now["data"], now["note"]) == ([], "2 hits are hidden: recall.least_rank is user")
    asked = {"q": "plumbus", "as_of": (datetime.now(UTC) - timedelta(days=2)).date().isoformat()}
    then = client.get(_SEARCH, headers=agent, params=asked).json()
    assert [(one["path"], one["trust"]) for one in then["data"]] == [("ops/deploy.md", "owner")]
    assert then["note"] == _NOTE


def test_a_person_sees_what_is_hidden(ports: Ports, tenant: str, agent: dict[str, str]) -> None:
    assert agent
    found = a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default/memories?q=plumbus").text
    assert "ops/agent.md" in found
