"""The links of a memory, over the API, MCP and the command line: what it links to, what is dead, and what links to it."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient
from typer.testing import Result

from gateway.api.http.paging import encode_cursor
from shared.all_ports import Ports
from shared.ports.stores import LINKS_AT_ONCE
from shared.services.memories import links
from shared.services.memories.edit import Expected, archive_memory
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


def dead_over_the_api(client: TestClient, **query: int | str) -> Any:
    return client.get("/api/stores/default/dead-links", params=query).json()


DYING = {
    "a.md": "[b](b.md) [[c]] [[gone]] [lost](x/lost.md) [web](https://example.com)\n",
    "b.md": "---\nrelated: [nowhere.md, a.md]\n---\n\nb\n",
    "far/c.md": "[up](../a.md) [[Far]] `[[code]]`\n",
}
DEAD = [("a.md", "gone"), ("a.md", "x/lost.md"), ("b.md", "nowhere.md"), ("far/c.md", "Far")]


def test_a_program_reads_all_dead_links_of_a_store_page_by_page(ports: Ports, tenant: str, client: TestClient) -> None:
    write(ports, tenant, DYING)
    everything = [("api/auth.md", "gone.md"), *DEAD]
    one_page = dead_over_the_api(client)
    assert one_page["next_cursor"] is None
    assert sorted((one["path"], one["target"]) for one in one_page["data"]) == sorted(everything)
    assert {one["id"] for one in one_page["data"]} == {id_of(ports, tenant, path) for path, _ in everything}
    found: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        page = dead_over_the_api(client, limit=2, **({"cursor": cursor} if cursor else {}))
        assert len(page["data"]) <= 2
        found, cursor = found + page["data"], page["next_cursor"]
    assert found == one_page["data"]


@pytest.mark.thorough
def test_a_large_store_is_looked_through_some_links_at_a_time(
    ports: Ports, tenant: str, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(ports, tenant, {f"{n}.md": f"[next]({n + 1}.md) [none](none{n}.md)\n" for n in range(LINKS_AT_ONCE)})
    monkeypatch.setattr(links, "MAX_LINKS_READ", LINKS_AT_ONCE)
    found, pages = 0, 0
    cursor: str | None = ""
    while cursor is not None:
        page = dead_over_the_api(client, limit=200, **({"cursor": cursor} if cursor else {}))
        found, cursor, pages = found + len(page["data"]), page["next_cursor"], pages + 1
    assert found == LINKS_AT_ONCE + 2  # the last one leads nowhere, and one note of the fixture does
    assert pages > found / 200


def test_a_dead_link_lives_again_when_a_memory_comes_to_its_path_and_dies_with_it(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    assert [one["target"] for one in dead_over_the_api(client)["data"]] == ["gone.md"]
    write(ports, tenant, {"api/gone.md": "# Old\n"})
    assert dead_over_the_api(client)["data"] == []
    archive_memory(
        ports.db, tenant, "default", id_of(ports, tenant, "ops/rota.md"), expected=Expected(), actor="a test"
    )
    assert [one["target"] for one in dead_over_the_api(client)["data"]] == ["../ops/rota.md"]


def test_dead_links_of_an_archived_memory_of_another_store_and_of_another_tenant_are_not_listed(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    write(ports, f"t{uuid4().hex}", DYING)
    write(ports, tenant, DYING, store="other")
    archive_memory(
        ports.db, tenant, "default", id_of(ports, tenant, "api/auth.md"), expected=Expected(), actor="a test"
    )
    assert {(one["path"], one["target"]) for one in dead_over_the_api(client)["data"]} == {
        ("api/tokens.md", "auth.md"),
        ("ops/rota.md", "api/auth.md"),
        ("top.md", "auth"),
    }


def test_a_cursor_of_another_list_is_refused(client: TestClient) -> None:
    for strange in ("mem_1", "mem_1:x", ":1", "mem_1:99999"):
        assert (
            client.get("/api/stores/default/dead-links", params={"cursor": encode_cursor(strange)}).status_code == 422
        )


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
    ports: Ports, tenant: str, command_line: Callable[..., Result]
) -> None:
    write(ports, tenant, NOTES)

    def told_of(*arguments: str) -> str:
        done = command_line("memory", "links", tenant, *arguments)
        assert done.exit_code == 0, done.output
        return done.output

    told = told_of("api/auth.md")
    assert "gone.md  dead: no memory is there" in told
    assert "ops/rota.md  as ../ops/rota.md" in told
    assert all(path in told for path in LINKING)
    found = json.loads(told_of("api/auth.md", "--json", "--limit", "2"))
    assert {one["target"]: one["path"] for one in found["links"]} == LEADS_TO
    rest = json.loads(told_of("api/auth.md", "--json", "--after", found["following"]))
    assert {one["path"] for one in (*found["linked_from"], *rest["linked_from"])} == LINKING
    assert "linked from nowhere" in told_of("top.md")


@pytest.mark.thorough
def test_an_operator_lists_dead_links_in_a_terminal_and_as_json(
    ports: Ports, tenant: str, command_line: Callable[..., Result]
) -> None:
    write(ports, tenant, DYING)

    def dead_links(*arguments: str) -> str:
        done = command_line("memory", "dead-links", tenant, *arguments)
        assert done.exit_code == 0, done.output
        return done.output

    assert all(f"{target}  no memory is there" in dead_links() for _, target in DEAD)
    first = json.loads(dead_links("--json", "--limit", "3"))
    rest = json.loads(dead_links("--json", "--after", first["following"]))
    found = [(one["path"], one["target"]) for one in (*first["dead_links"], *rest["dead_links"])]
    assert sorted(found) == sorted(DEAD)
    assert rest["following"] is None
    write(ports, tenant, dict.fromkeys(DYING, "# Nothing\n"))
    assert "has no dead link" in dead_links()
