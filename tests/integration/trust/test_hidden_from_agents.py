"""A store may hide from agents what is less trusted than it says (`recall.least_rank`); the answer says how much is hidden."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import anthropic
import psycopg
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import Result

from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.memory.writers import Rank
from shared.core.sessions.model import EventKind
from shared.core.tenants.roles import Role
from shared.services.memories.read import get_memory
from shared.services.orders import copy_store
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import get_store, run_dream, texts, write
from tests.support.sdk import an_sdk
from tests.support.session_builders import tell

CommandLine = Callable[..., Result]
_NOTE = "1 hit is hidden: recall.least_rank is user"
_OR_HIDDEN = "Not found, or not visible to this key: recall.least_rank is user"
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
    agent: dict[str, str], server: FastAPI, client: TestClient
) -> None:
    by_api = client.get(_SEARCH, headers=agent, params={"q": "plumbus"}).json()
    both = client.get(f"{_SEARCH}/sessions", headers=agent, params={"q": "plumbus"}).json()
    by_mcp = call(server, agent, "search_memory", query="plumbus")
    both_by_mcp = call(server, agent, "search_everything", query="plumbus")
    assert [one["note"] for one in (by_api, both, by_mcp, both_by_mcp)] == [_NOTE] * 4
    assert [one["path"] for one in (*by_api["data"], *by_mcp["memories"])] == ["ops/deploy.md"] * 2
    found = [memory["path"] for one in (*both["data"], *both_by_mcp["places"]) for memory in one["memories"]]
    assert found == ["ops/deploy.md"] * 2


def test_an_operator_finds_what_is_hidden_and_is_told_that_agents_are_not_shown_it(
    tenant: str, agent: dict[str, str], command_line: CommandLine
) -> None:
    assert agent
    for options in ((), ("--sessions",), ("--as-of", "2999-01-01")):
        found = command_line("memory", "search", tenant, "plumbus", "--json", *options)
        assert "ops/agent.md" in found.stdout, options
        told = "1 hit is below the rank that this store shows to agents: recall.least_rank is user"
        assert told in " ".join(found.stderr.split()), options


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


def test_a_search_leaves_out_what_less_trusted_speakers_said_in_sessions(
    ports: Ports, tenant: str, agent: dict[str, str], server: FastAPI, client: TestClient
) -> None:
    tell(ports, tenant, "s-1", "The squanch is green.", (EventKind.ASSISTANT, "Noted: the squanch is red."))
    found = client.get(f"{_SEARCH}/sessions", headers=agent, params={"q": "squanch"}).json()
    by_mcp = call(server, agent, "search_everything", query="squanch")
    for one, places in ((found, found["data"]), (by_mcp, by_mcp["places"])):
        assert ([place["said"]["role"] for place in places], one["note"]) == (["user"], _NOTE)
    admin = bearer(a_token(ports, tenant))
    assert len(client.get(f"{_SEARCH}/sessions", headers=admin, params={"q": "squanch"}).json()["data"]) == 2


def test_an_agent_reads_a_hidden_memory_as_little_as_a_missing_one_and_is_told_why(
    ports: Ports, tenant: str, agent: dict[str, str], server: FastAPI, client: TestClient
) -> None:
    hidden = _id_of(ports, tenant, "ops/agent.md")
    base = "/api/stores/default/memories"
    for place in (hidden, f"{hidden}/history", f"{hidden}/why", f"{hidden}/links"):
        answers = [
            client.get(f"{base}/{one}", headers=agent)
            for one in (place, place.replace(hidden, "mem_01H0000000000000000000000Z"))
        ]
        assert [one.status_code for one in answers] == [404, 404], place
        assert all(one.json()["detail"].endswith(_OR_HIDDEN) for one in answers), place
    assert client.patch(f"{base}/{hidden}", headers=agent, json={"importance": 1}).status_code == 404
    assert client.delete(f"{base}/{hidden}", headers=agent).status_code == 404
    for tool in ("read_memory", "why_remembered", "linked_memories"):
        for name in (hidden, "ops/agent.md"):
            assert _OR_HIDDEN in call(server, agent, tool, memory=name), (tool, name)
    for admin in (bearer(a_token(ports, tenant)), bearer(a_token(ports, tenant, Role.REVIEWER))):
        assert client.get(f"{base}/{hidden}", headers=admin).json()["path"] == "ops/agent.md"
    assert client.get(f"{base}/{_id_of(ports, tenant, 'ops/deploy.md')}", headers=agent).status_code == 200


def test_no_list_names_a_hidden_memory_to_an_agent(
    ports: Ports, tenant: str, agent: dict[str, str], server: FastAPI, client: TestClient
) -> None:
    write(ports, tenant, texts({"skills/deploy/SKILL.md": "# Deploy\n\nThe plumbus first.\n"}), author=Author.AGENT)
    shown = {"ops/deploy.md"}
    admin = bearer(a_token(ports, tenant))
    for route in ("memories", "export"):
        lists = {
            who: client.get(f"/api/stores/default/{route}", headers=key).json()["data"]
            for who, key in (("agent", agent), ("admin", admin))
        }
        assert {one["path"] for one in lists["agent"]} == shown, route
        assert {"ops/agent.md"} < {one["path"] for one in lists["admin"]}, route
    assert client.get("/api/stores/default/skills", headers=agent).json()["data"] == []
    assert client.get("/api/stores/default/skills/deploy", headers=agent).status_code == 404
    assert call(server, agent, "list_memories")["folders"] == [{"path": "ops/", "memories": 1}]
    assert [one["path"] for one in call(server, agent, "list_memories", folder="ops/")["memories"]] == ["ops/deploy.md"]


def test_the_sdk_of_an_agent_is_not_shown_what_is_hidden(
    ports: Ports, tenant: str, agent: dict[str, str], client: TestClient
) -> None:
    store, hidden = get_store(ports, tenant).id, _id_of(ports, tenant, "ops/agent.md")
    sdk = an_sdk(client, agent["Authorization"].removeprefix("Bearer "))
    memories, versions = sdk.beta.memory_stores.memories, sdk.beta.memory_stores.memory_versions
    assert [one.path for one in memories.list(store)] == ["/ops/deploy.md"]
    assert [one.path for one in versions.list(store)] == ["/ops/deploy.md"]
    with pytest.raises(anthropic.NotFoundError, match=_OR_HIDDEN):
        memories.retrieve(hidden, memory_store_id=store)
    with pytest.raises(anthropic.NotFoundError, match=_OR_HIDDEN):
        memories.update(hidden, memory_store_id=store, content="Mine.")
    with pytest.raises(anthropic.NotFoundError, match=_OR_HIDDEN):
        memories.delete(hidden, memory_store_id=store)
    made = memories.create(store, path="/ops/note.md", content="# Note\n\nOf an agent.\n", view="full")
    assert made.content is not None  # what an agent writes is not hidden in the answer to that
    an_admin = an_sdk(client, a_token(ports, tenant))
    assert an_admin.beta.memory_stores.memories.retrieve(hidden, memory_store_id=store).path == "/ops/agent.md"


def test_an_index_names_nothing_that_agents_are_not_shown(ports: Ports, tenant: str, agent: dict[str, str]) -> None:
    assert agent
    run_dream(ports, tenant)
    root = get_memory(ports.db, tenant, "default", "MEMORY.md").content
    assert "ops/deploy.md" in root
    assert "ops/agent.md" not in root
    assert "Fridays" not in root


def test_a_copy_of_a_store_keeps_the_trust_of_its_memories(
    ports: Ports, tenant: str, agent: dict[str, str], owner_connection: psycopg.Connection
) -> None:
    assert agent
    found = "SELECT trust FROM memories WHERE tenant_id = %s AND path = 'ops/deploy.md'"
    with ports.db.transaction(tenant) as uow:
        copy = copy_store(uow, ports.ids, uow.store_listing.get(get_store(ports, tenant).id))
    assert owner_connection.execute(f"{found} AND store_id = %s", [tenant, copy.id]).fetchall() == [(int(Rank.OWNER),)]


def test_a_person_sees_what_is_hidden(ports: Ports, tenant: str, agent: dict[str, str]) -> None:
    assert agent
    found = a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default/memories?q=plumbus").text
    assert "ops/agent.md" in found


def _id_of(ports: Ports, tenant: str, path: str) -> str:
    return get_memory(ports.db, tenant, "default", path).id
