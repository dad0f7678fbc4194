"""The links of a memory, over the API, MCP and the command line: what it links to, what is dead, and what links to it."""

import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from gateway.cli.app import app
from gateway.cli.console import session as cli_session
from shared.all_ports import Ports
from shared.services.memories.read import get_memory
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import write

NOTES = {
    "api/auth.md": "# Auth\n\nSigned as [[tokens]] say; who is called: [rota](../ops/rota.md), [old](gone.md).\n",
    "api/tokens.md": "# Tokens\n\nSee [auth](auth.md).\n",
    "ops/rota.md": "---\nrelated: [api/auth.md]\n---\n\n# Rota\n\nAda on Mondays.\n",
    "top.md": "# Top\n\n[[auth]]\n",
}
LEADS_TO = {"tokens": "api/tokens.md", "../ops/rota.md": "ops/rota.md", "gone.md": None}
LINKING = {"api/tokens.md", "ops/rota.md", "top.md"}


def id_of(ports: Ports, tenant: str, path: str) -> str:
    return get_memory(ports.db, tenant, "default", path).id


def links_of(client: TestClient, memory_id: str, **query: int | str) -> Any:
    return client.get(f"/api/stores/default/memories/{memory_id}/links", params=query).json()


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    write(ports, tenant, NOTES)
    found = a_client(an_app(ports))
    found.headers.update(bearer(a_token(ports, tenant)))
    return found


def test_a_program_reads_where_each_link_leads_and_pages_through_what_links_here(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    auth = id_of(ports, tenant, "api/auth.md")
    first = links_of(client, auth, limit=2)
    assert {one["target"]: one["path"] for one in first["links"]} == LEADS_TO
    assert [one["id"] for one in first["links"] if one["path"] is None] == [None]
    rest = links_of(client, auth, limit=2, cursor=first["next_cursor"])
    assert rest["next_cursor"] is None
    linking = [*first["linked_from"], *rest["linked_from"]]
    assert len(linking) == len(LINKING)
    assert {one["path"]: one["id"] for one in linking} == {path: id_of(ports, tenant, path) for path in LINKING}


def test_a_link_of_another_tenants_memory_is_as_one_that_is_not_there(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    other_tenant = f"t{uuid4().hex}"
    write(ports, other_tenant, NOTES | {"api/gone.md": "# Found\n"})
    theirs = id_of(ports, other_tenant, "api/auth.md")
    assert client.get(f"/api/stores/default/memories/{theirs}/links").status_code == 404
    mine = links_of(client, id_of(ports, tenant, "api/auth.md"))
    assert {one["target"]: one["path"] for one in mine["links"]} == LEADS_TO
    assert {one["id"] for one in mine["linked_from"]} == {id_of(ports, tenant, path) for path in LINKING}


def test_an_agent_asks_by_path_and_goes_on_from_page_to_page(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    key, server = bearer(a_token(ports, tenant)), a_server(ports)
    first = call(server, key, "linked_memories", memory="api/auth.md", limit=2)
    assert {one["target"]: one["path"] for one in first["links"]} == LEADS_TO
    rest = call(server, key, "linked_memories", memory=first["id"], limit=2, cursor=first["next_cursor"])
    assert {one["path"] for one in (*first["linked_from"], *rest["linked_from"])} == LINKING
    assert "Not found" in call(server, key, "linked_memories", memory="gone.md")


def test_an_operator_sees_them_in_a_terminal_and_as_json(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(ports, tenant, NOTES)
    monkeypatch.setattr(cli_session, "make_ports", lambda *_, **__: replace(ports, close=lambda: None))

    def links(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["memory", "links", tenant, *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    told = links("api/auth.md")
    assert "gone.md  dead: no memory is there" in told
    assert "ops/rota.md  as ../ops/rota.md" in told
    assert all(path in told for path in LINKING)
    found = json.loads(links("api/auth.md", "--json", "--limit", "2"))
    assert {one["target"]: one["path"] for one in found["links"]} == LEADS_TO
    rest = json.loads(links("api/auth.md", "--json", "--after", found["following"]))
    assert {one["path"] for one in (*found["linked_from"], *rest["linked_from"])} == LINKING
    assert "linked from nowhere" in links("top.md")
