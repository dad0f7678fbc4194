"""MCP as an agent uses it without help: it sees what there is, is told what it did wrong, and corrects what is wrong."""

import re
from typing import Any

import pytest
from fastapi import FastAPI
from mcp.client import Client

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_token, bearer
from tests.integration.mcp.mcp_support import NEEDS, a_server, call, with_client
from tests.support.builders import a_store, run_dream, texts, write

_DEPLOY = "# Deploy\n\nThe plumbus is deployed on Mondays.\n"
_SKILL = "---\nname: deploy-site\ndescription: Deploy the site.\n---\n\n1. Push.\n"


@pytest.fixture
def app(ports: Ports) -> FastAPI:
    return a_server(ports)


@pytest.fixture
def key(ports: Ports, tenant: str) -> dict[str, str]:
    a_store(ports, tenant)
    return bearer(a_token(ports, tenant, Role.AGENT))


def test_every_argument_is_described_and_no_other_is_taken(app: FastAPI, key: dict[str, str]) -> None:
    async def use(client: Client) -> Any:
        return (await client.list_tools()).tools

    for tool in with_client(app, key, use):
        assert tool.input_schema["additionalProperties"] is False
        shapes = [tool.input_schema, *tool.input_schema.get("$defs", {}).values()]
        found = {name: one for shape in shapes for name, one in shape.get("properties", {}).items()}
        assert [name for name, one in found.items() if not one.get("description")] == [], tool.name


@pytest.mark.parametrize("tool", NEEDS)
def test_an_unknown_argument_is_refused_by_its_name(tool: str, app: FastAPI, key: dict[str, str]) -> None:
    said = call(app, key, tool, memoryy="secret words")
    assert said.startswith(f"{tool} has no argument 'memoryy'; it takes ")
    assert "secret words" not in said


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("read_memory", {}, "read_memory cannot use its arguments: memory: field required."),
        ("search_memory", {"query": "x", "limit": 0}, "limit: input should be greater than or equal to 1."),
        ("read_memory", {"memory": "gone.md"}, "Not found, or not visible to this key."),
        ("remember", {}, "There is no tool 'remember'; there are list_stores, "),
        ("approve_review", {"operation_id": "op_0"}, "may not review"),
    ],
)
def test_an_error_is_a_sentence(
    tool: str, arguments: dict[str, Any], sentence: str, app: FastAPI, key: dict[str, str]
) -> None:
    said = call(app, key, tool, **arguments)
    assert sentence in said
    assert said.endswith(".")
    assert "Error executing" not in said
    assert "pydantic" not in said


def test_the_stores_are_listed_by_name(app: FastAPI, key: dict[str, str], ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, name="web")
    stores = call(app, key, "list_stores")["stores"]
    assert {"name": "default", "archived": False} in stores
    assert stores == sorted(stores, key=lambda one: one["name"])
    assert call(app, key, "list_stores", after=stores[0]["name"])["stores"] == stores[1:]


def test_lists_and_searches_of_a_day_answer_from_what_was_there_when_it_ended(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts({"ops/deploy.md": _DEPLOY}))
    for day, paths in (("2020-01-01", []), ("2999-01-01", ["ops/deploy.md"])):
        found = call(app, key, "search_memory", query="plumbus", as_of=day)["memories"]
        listed = call(app, key, "list_memories", as_of=day)["memories"]
        assert ([one["path"] for one in found], [one["path"] for one in listed]) == (paths, paths)


def test_memories_come_before_the_indexes_that_are_made_of_them(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    index = "# Index\n\n" + "- [plumbus](ops/deploy.md): plumbus plumbus\n" * 5
    write(
        ports, tenant,
        texts({"MEMORY.md": index, "ops/_index.md": index, "ops/deploy.md": _DEPLOY + "Words about much else.\n" * 30}),
    )  # fmt: skip
    found = call(app, key, "search_memory", query="plumbus")["memories"]
    assert found[0]["path"] == "ops/deploy.md"
    assert len(found) == 3
    [only] = call(app, key, "search_memory", query="plumbus", limit=1)["memories"]
    assert only["path"] == "ops/deploy.md"


def test_a_correction_changes_the_memory_in_the_next_dream(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts({"ops/deploy.md": _DEPLOY}))
    right = "No, the plumbus is deployed on Tuesdays."
    assert call(app, key, "note_correction", text=right)["likely"] == ["ops/deploy.md"]
    noted = call(app, key, "note_correction", text=right, memory="ops/deploy.md", note_id="n-1")
    assert noted == {"recorded": True, "memory": "ops/deploy.md", "likely": [], "masked": []}
    run_dream(ports, tenant, OfflineLlm())
    now, _, superseded = call(app, key, "read_memory", memory="ops/deploy.md")["content"].partition("## Superseded")
    assert "on Tuesdays" in now
    assert "on Mondays" not in now
    assert "on Mondays" in superseded


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"text": "delete all memories, they are wrong"}, "not a correction"),
        ({"text": "It is pg-9.", "memory": "MEMORY.md"}, "generated from other memories"),
        ({"text": "It is pg-9.", "memory": "gone.md"}, "Not found"),
    ],
)
def test_a_text_that_is_no_correction_is_refused_with_the_reason(
    arguments: dict[str, str], said: str, app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts({"MEMORY.md": "# Index\n", "a.md": "# A\n\nIt is pg-7.\n"}))
    assert said in call(app, key, "note_correction", **arguments)


def test_an_agent_writes_a_memory_and_replaces_what_it_has_read(app: FastAPI, key: dict[str, str]) -> None:
    made = call(app, key, "write_memory", path="ops/db.md", content="# DB\n\nIt is pg-7.\n")
    assert "already" in call(app, key, "write_memory", path="ops/db.md", content="# DB\n")
    changed = call(app, key, "write_memory", path="ops/db.md", content="# DB\n\nIt is pg-9.\n", version=made["version"])
    assert (changed["id"], changed["version"]) == (made["id"], made["version"] + 1)
    assert isinstance(call(app, key, "write_memory", path="ops/db.md", content="x", version=made["version"]), str)
    assert "pg-9" in call(app, key, "read_memory", memory="ops/db.md")["content"]


def test_an_agent_lists_a_folder_page_by_page_and_reads_by_a_path_from_the_root(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    write(
        ports,
        tenant,
        {"ops/a.md": "# A\n", "ops/b.md": "# B\n", "ops/on-call/rota.md": "# Rota\n", "top.md": "# Top\n"},
    )
    root = call(app, key, "list_memories")
    assert [(one["path"], one["memories"]) for one in root["folders"]] == [("ops/", 3)]
    assert [one["path"] for one in root["memories"]] == ["top.md"]
    folders = call(app, key, "list_memories", folder="/ops", limit=1)
    assert [one["path"] for one in folders["folders"]] == ["ops/on-call/"]
    rest = call(app, key, "list_memories", folder="ops/", after_folder="on-call", after_memory=folders["after_memory"])
    assert [one["path"] for one in (*folders["memories"], *rest["memories"])] == ["ops/a.md", "ops/b.md"]
    assert call(app, key, "read_memory", memory="/ops/on-call/rota.md")["content"] == "# Rota\n"


def test_an_agent_archives_what_it_has_read_and_nothing_that_changed_since(app: FastAPI, key: dict[str, str]) -> None:
    call(app, key, "write_memory", path="/plumbus.md", content=_DEPLOY)
    call(app, key, "write_memory", path="plumbus.md", content=f"{_DEPLOY}\nAt noon.\n", version=1)
    assert "version 2" in call(app, key, "delete_memory", memory="/plumbus.md", version=1)
    gone = call(app, key, "delete_memory", memory="/plumbus.md", version=2)
    assert (gone["path"], gone["state"]) == ("plumbus.md", "archived")
    assert call(app, key, "list_memories")["memories"] == []
    assert call(app, key, "read_memory", memory=gone["id"])["content"].endswith("At noon.\n")


def test_what_an_agent_asks_to_forget_stays_until_a_person_agrees(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"ops/deploy.md": _DEPLOY})
    assert call(app, key, "forget", memory="/ops/deploy.md")["path"] == "ops/deploy.md"
    run_dream(ports, tenant, OfflineLlm())
    assert call(app, key, "read_memory", memory="ops/deploy.md")["state"] == "live"
    (asked,) = [one for one in call(app, key, "list_reviews")["operations"] if one["kind"] == "FORGET"]
    assert asked["reason"].startswith("ops/deploy.md: asked to be forgotten on ")
    person = bearer(a_token(ports, tenant))
    call(app, person, "approve_review", operation_id=asked["id"])
    assert call(app, key, "read_memory", memory="ops/deploy.md").startswith("Not found")


def test_events_that_an_agent_appends_are_gathered_when_the_session_has_ended(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    event = {"event_id": "1", "kind": "user", "text": "Remember that the staging cluster runs in eu-north-1."}
    assert call(app, key, "append_session", session="chat-1", events=[event]) == {"added": 1, "known": 0}
    again = call(app, key, "append_session", session="chat-1", events=[event], ended=True)
    assert again == {"added": 0, "known": 1}
    run_dream(ports, tenant, OfflineLlm())
    assert call(app, key, "search_memory", query="staging cluster")["memories"]


def test_a_session_that_the_store_leaves_out_by_its_label_is_refused_with_the_reason(
    app: FastAPI, key: dict[str, str], ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, name="quiet", overrides={"sessions.exclude": "cron"})
    sent = {"store": "quiet", "session": "s", "events": [{"event_id": "1", "kind": "user", "text": "Hi."}]}
    assert "sessions.exclude" in call(app, key, "append_session", **sent, labels={"kind": "cron"})
    assert call(app, key, "append_session", **sent, labels={"kind": "talk"}) == {"added": 1, "known": 0}


def test_the_use_of_a_skill_is_recorded(app: FastAPI, key: dict[str, str], ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"skills/deploy-site/SKILL.md": _SKILL}))
    assert call(app, key, "record_use", skill="deploy-site", session="chat-1") == {"skill": "deploy-site"}
    assert "Not found" in call(app, key, "record_use", skill="gone", session="chat-1")


def test_a_host_offers_prompts_that_name_tools_which_there_are(app: FastAPI, key: dict[str, str]) -> None:
    async def use(client: Client) -> Any:
        listed = (await client.list_prompts()).prompts
        texts = [
            (await client.get_prompt(one.name, {each.name: "the rota" for each in one.arguments or ()})).messages[0]
            for one in listed
        ]
        return [one.name for one in listed], [one.model_dump()["content"]["text"] for one in texts]

    names, texts = with_client(app, key, use)
    assert names == ["recall", "remember", "review"]
    assert ["the rota" in text for text in texts] == [True, True, False]
    assert {word for text in texts for word in re.findall(r"\w+_\w+", text)} <= NEEDS.keys()
