"""Memory as tools over HTTP, with the official client: what an agent can do, and what its key keeps it from."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from mcp.client import Client

from gateway.api.server import create_server
from gateway.mcp.tools import READ_TOOLS, WRITE_TOOLS
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.tenants.roles import GRANTS, Role
from shared.core.tenants.store import DEFAULT_STORE
from tests.integration.api.api_support import Everything, a_tenant_with_everything, a_token, bearer, id_of
from tests.integration.mcp.mcp_support import ADDRESS, MISSING, NEEDS, a_server, an_http_client, call, with_client
from tests.support.builders import a_store, get_operations, texts, write


@pytest.fixture
def app(ports: Ports) -> FastAPI:
    return a_server(ports)


@pytest.fixture(scope="module")
def theirs(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_is_listed_with_what_it_may_do(app: FastAPI, ports: Ports, tenant: str, mode: str) -> None:
    async def use(client: Client) -> Any:
        return (await client.list_tools()).tools

    listed = with_client(app, bearer(a_token(ports, tenant)), use, mode)
    hints = {tool.name: tool.annotations.read_only_hint for tool in listed if tool.annotations}
    assert hints == {one.__name__: True for one in READ_TOOLS} | {one.__name__: False for one in WRITE_TOOLS}
    assert set(hints) == set(NEEDS)
    assert not [tool.name for tool in listed if "caller" in str(tool.input_schema) or not tool.description]


def test_an_agent_searches_reads_and_asks_why(app: FastAPI, ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"ops/deploy.md": "# Deploy\n\nThe plumbus ships on Mondays.\n"}))
    key = bearer(a_token(ports, tenant, Role.AGENT))
    found = call(app, key, "search_memory", query="plumbus")["memories"]
    assert [hit["path"] for hit in found] == ["ops/deploy.md"]
    by_id = call(app, key, "read_memory", memory=found[0]["id"])
    by_path = call(app, key, "read_memory", memory="ops/deploy.md")
    assert (by_id["id"], by_id["content"]) == (by_path["id"], by_path["content"])
    ports.recall.flush()
    store_id = a_store(ports, tenant).id
    with ports.db.transaction(tenant) as uow:
        assert uow.catalog(store_id).get(by_id["id"]).signals.access_count == 3
    assert by_id["content"] == "# Deploy\n\nThe plumbus ships on Mondays.\n"
    why = call(app, key, "why_remembered", memory="ops/deploy.md")
    assert [cause["version"] for cause in why["causes"]] == [1]


def test_a_correction_is_noted_once_and_without_secrets(app: FastAPI, ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    key = bearer(a_token(ports, tenant, Role.AGENT))
    secret = "AKIA" + "Q3EGRVXKZ4PLM7TA"
    note = {"text": f"No, on Tuesdays. {secret}", "about": "ops", "note_id": "n-1"}
    assert call(app, key, "note_correction", **note) == {
        "recorded": True, "memory": None, "likely": [], "masked": ["AWS Access Key"],
    }  # fmt: skip
    assert call(app, key, "note_correction", **note) == {
        "recorded": False, "memory": None, "likely": [], "masked": ["AWS Access Key"],
    }  # fmt: skip
    with ports.db.transaction(tenant) as uow:
        [kept] = uow.feedback(uow.stores.get(DEFAULT_STORE).id).find(limit=5)
    assert (kept.kind, kept.subject) == ("correction", "ops")
    assert "Tuesdays" in kept.text
    assert secret not in kept.text


def test_a_dream_is_started_and_a_shut_gate_says_why(
    app: FastAPI, ports: Ports, tenant: str, dispatch: RecordingDispatch
) -> None:
    write(ports, tenant, texts({"a.md": "# A\n"}))
    agent, admin = (bearer(a_token(ports, tenant, role)) for role in (Role.AGENT, Role.ADMIN))
    assert "Not enough activity" in call(app, agent, "start_dream")
    assert "may not administer" in call(app, agent, "start_dream", force=True)
    started = call(app, admin, "start_dream", force=True)
    assert dispatch.dreams == [(tenant, "default", started["id"])]
    assert call(app, agent, "get_dream", dream_id=started["id"])["state"] == "queued"


def test_a_reviewer_sees_what_waits_and_decides(app: FastAPI, ports: Ports) -> None:
    mine = a_tenant_with_everything(ports)
    key = bearer(a_token(ports, mine.tenant, Role.REVIEWER))
    waiting = [one["id"] for one in call(app, key, "list_reviews", limit=50)["operations"]]
    assert len(waiting) > 1
    assert call(app, key, "approve_review", operation_id=waiting[0])["review"] == "approved"
    assert call(app, key, "reject_review", operation_id=waiting[-1])["review"] == "rejected"
    assert "already" in call(app, key, "approve_review", operation_id=waiting[0])
    rest = [one["id"] for one in call(app, key, "list_reviews", after=waiting[0], limit=50)["operations"]]
    assert rest == waiting[1:-1]


@pytest.mark.parametrize("role", list(Role))
def test_a_role_opens_the_tools_it_is_for_and_no_other(
    role: Role, app: FastAPI, session_ports: Ports, tenant: str
) -> None:
    async def use(client: Client) -> dict[str, str]:
        answers = {tool: await client.call_tool(tool, MISSING.get(tool, {})) for tool in NEEDS}
        assert all(answer.is_error for tool, answer in answers.items() if tool in MISSING)
        return {tool: answer.content[0].text for tool, answer in answers.items() if answer.content}  # type: ignore[union-attr] # refusals are text

    said = with_client(app, bearer(a_token(session_ports, tenant, role)), use)
    refused = {tool for tool, text in said.items() if "may not" in text}
    assert refused == {tool for tool, need in NEEDS.items() if role not in GRANTS[need]}


def test_an_agent_is_told_of_another_tenants_data_as_of_data_that_does_not_exist(
    app: FastAPI, ports: Ports, tenant: str, theirs: Everything
) -> None:
    a_store(ports, tenant)
    key = bearer(a_token(ports, tenant, Role.ADMIN))
    for tool, missing in MISSING.items():
        foreign: dict[str, Any] = {
            name: {"mem_0": theirs.memory_id, "drm_0": theirs.dream_id, "op_0": theirs.operation_id}.get(
                str(value), value
            )
            for name, value in missing.items()
        }
        answers = [call(app, key, tool, **arguments) for arguments in (foreign, missing)]
        assert isinstance(answers[0], str), tool
        assert answers[0] == answers[1], tool
        assert theirs.tenant not in answers[0]


def test_only_an_operator_may_name_the_tenant_it_acts_for(
    app: FastAPI, ports: Ports, tenant: str, theirs: Everything
) -> None:
    header = {"Slowwave-Tenant": theirs.tenant}
    operator = bearer(a_token(ports, tenant, Role.OPERATOR))
    assert call(app, operator | header, "get_dream", dream_id=theirs.dream_id)["id"] == theirs.dream_id
    admin = bearer(a_token(ports, tenant)) | header
    assert _post(app, admin)[0] == 403


def _post(app: FastAPI, headers: dict[str, str], content: bytes = b"{}") -> tuple[int, str, dict[str, str]]:
    async def run() -> tuple[int, str, dict[str, str]]:
        async with an_http_client(app, headers) as http:
            answer = await http.post(ADDRESS, content=content)
            return answer.status_code, answer.text, dict(answer.headers)

    return asyncio.run(run())


def test_without_a_valid_key_no_message_reaches_the_tools(app: FastAPI, ports: Ports, tenant: str) -> None:
    wrong = a_token(ports, tenant)[:-4] + "AAAA"
    for headers in ({}, bearer("nonsense"), bearer(wrong), {"Authorization": "Basic YTpi"}):
        status, text, sent = _post(app, headers)
        assert (status, sent["content-type"]) == (401, "application/problem+json")
        assert "unauthenticated" in text


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "rebound.example.net", 421), ("Host", "localhost.example.net:8000", 421), ("Host", "[::1", 421),
        ("Origin", "https://evil.example", 403), ("Origin", "null", 403), ("Origin", "http://localhost.evil.example", 403),
    ],
)  # fmt: skip
def test_a_page_of_another_site_reaches_no_tool(
    app: FastAPI, ports: Ports, tenant: str, header: str, value: str, status: int
) -> None:
    found, text, _ = _post(app, bearer(a_token(ports, tenant)) | {header: value})
    assert found == status
    assert "SLOWWAVE_MCP_HOSTS" in text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "127.0.0.1:8000"}, {"Host": "LOCALHOST"}, {"Host": "[::1]:8000", "Origin": "http://localhost:6274"},
        {"Host": "memory.example.com", "Origin": "https://memory.example.com"}, {"Host": "slowwave.internal:8000"},
    ],
)  # fmt: skip
def test_this_machine_the_public_url_and_the_listed_hosts_are_answered(
    ports: Ports, tenant: str, headers: dict[str, str]
) -> None:
    wanted = {"public_url": "https://memory.example.com", "mcp_hosts": "slowwave.internal, other.internal"}
    app = create_server(replace(ports, settings=ports.settings.model_copy(update=wanted)))
    assert _post(app, bearer(a_token(ports, tenant)) | headers)[0] not in {403, 421}


def test_the_key_has_one_rate_for_the_api_and_for_mcp(app: FastAPI, ports: Ports, tenant: str) -> None:
    token = a_token(ports, tenant, rate_per_minute=1)
    assert _post(app, bearer(token))[2]["ratelimit-limit"] == "1"
    answers = [_post(app, bearer(token))[0] for _ in range(2)]
    assert 429 in answers


def test_a_body_that_is_too_large_is_refused_before_it_is_read(app: FastAPI, ports: Ports, tenant: str) -> None:
    body = b" " * (ports.settings.api_max_body_bytes + 1)
    assert _post(app, bearer(a_token(ports, tenant)), body)[0] == 413


def test_the_use_of_a_key_is_noted(app: FastAPI, ports: Ports, tenant: str) -> None:
    token = a_token(ports, tenant)
    _post(app, bearer(token))
    with ports.db.transaction(tenant) as uow:
        assert uow.keys.get(id_of(token)).last_used_at is not None


def test_why_names_the_operation_and_where_the_knowledge_came_from(
    app: FastAPI, ports: Ports, theirs: Everything
) -> None:
    key = bearer(a_token(ports, theirs.tenant))
    operation = get_operations(ports, theirs.tenant, theirs.dream_id)[0]
    why = call(app, key, "why_remembered", memory=operation.effects[0].after.id)
    assert operation.operation.kind in {cause["operation"] for cause in why["causes"]}
