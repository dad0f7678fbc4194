"""`/v1` against the types of the installed SDK, which are the contract: every parameter is taken, every field is there."""

from typing import Any

import anthropic.types.beta.memory_stores as stores
import anthropic.types.beta.sessions as events
import pytest
from anthropic.types import beta
from pydantic import BaseModel, TypeAdapter
from starlette.testclient import TestClient

from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token, an_app, bearer

S = "/v1/memory_stores/{memory_store_id}"
#: What the SDK's methods take, by route.
PARAMETERS: dict[tuple[str, str], Any] = {
    ("post", "/v1/dreams"): beta.DreamCreateParams,
    ("get", "/v1/dreams"): beta.DreamListParams,
    ("post", "/v1/memory_stores"): beta.MemoryStoreCreateParams,
    ("get", "/v1/memory_stores"): beta.MemoryStoreListParams,
    ("post", S): beta.MemoryStoreUpdateParams,
    ("post", S + "/memories"): stores.MemoryCreateParams,
    ("get", S + "/memories"): stores.MemoryListParams,
    ("get", S + "/memories/{memory_id}"): stores.MemoryRetrieveParams,
    ("post", S + "/memories/{memory_id}"): stores.MemoryUpdateParams,
    ("delete", S + "/memories/{memory_id}"): stores.MemoryDeleteParams,
    ("get", S + "/memory_versions"): stores.MemoryVersionListParams,
    ("get", S + "/memory_versions/{memory_version_id}"): stores.MemoryVersionRetrieveParams,
    ("post", "/v1/sessions"): beta.SessionCreateParams,
    ("get", "/v1/sessions"): beta.SessionListParams,
    ("post", "/v1/sessions/{session_id}"): beta.SessionUpdateParams,
    ("post", "/v1/sessions/{session_id}/events"): events.EventSendParams,
    ("get", "/v1/sessions/{session_id}/events"): events.EventListParams,
    ("get", "/v1/sessions/{session_id}/events/stream"): events.EventStreamParams,
    ("post", "/v1/sessions/{session_id}/resources"): events.ResourceAddParams,
    ("get", "/v1/sessions/{session_id}/resources"): events.ResourceListParams,
}
#: About running agents, which slowwave does not do, as the page states. The first two are headers.
LEFT_OUT = {"betas", "workspace_id", "budget", "vault_ids"}
#: About running agents, too: the SDK says that they may be missing.
EMPTY = {
    beta.BetaManagedAgentsSession: {"budget", "deployment_id"},
    beta.BetaManagedAgentsSessionStats: {"active_seconds", "duration_seconds"},
    beta.BetaManagedAgentsModelConfig: {"effort", "inference_geo", "speed"},
    beta.BetaManagedAgentsSessionUsage: set(beta.BetaManagedAgentsSessionUsage.model_fields),
}


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    opened = a_client(an_app(ports))
    opened.headers.update(bearer(a_token(ports, tenant, rate_per_minute=100_000)))
    return opened


def test_whatever_the_sdk_can_ask_for_is_taken(session_ports: Ports) -> None:
    document = an_app(session_ports).openapi()
    for (method, path), wanted in PARAMETERS.items():
        asked = set(wanted.__annotations__) - LEFT_OUT
        if path == "/v1/sessions/{session_id}" and method == "post":
            asked -= {"agent"}
        assert asked <= _taken(document, document["paths"][path][method]), (method, path)


def _taken(document: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    names = {one["name"] for one in operation.get("parameters", ())}
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        names |= set(schema["properties"])
    # `created_at[gte]` is `created_at_gte` to Python, `statuses[]` is `statuses`
    return {name.replace("[]", "").replace("[", "_").replace("]", "") for name in names}


def test_every_field_of_the_sdks_types_is_there_and_no_other(client: TestClient) -> None:
    store = ask(client, "post", "/v1/memory_stores", beta.BetaManagedAgentsMemoryStore, {"name": "Notes"})
    base = f"/v1/memory_stores/{store.id}"
    memory = ask(
        client, "post", f"{base}/memories", stores.BetaManagedAgentsMemory, {"path": "/a/b.md", "content": "x"}
    )
    place = f"{base}/memories/{memory.id}"
    ask(client, "post", place, stores.BetaManagedAgentsMemory, {"content": "y"})
    ask(client, "get", place, stores.BetaManagedAgentsMemory)
    first = f"{base}/memory_versions/{memory.memory_version_id}"
    ask(client, "get", first, stores.BetaManagedAgentsMemoryVersion)
    ask(client, "post", f"{first}/redact", stores.BetaManagedAgentsMemoryVersion)
    pages(client, f"{base}/memories?depth=1", stores.BetaManagedAgentsMemoryListItem)
    pages(client, f"{base}/memories?view=full", stores.BetaManagedAgentsMemoryListItem)
    ask(client, "delete", place, stores.BetaManagedAgentsDeletedMemory)
    pages(client, f"{base}/memory_versions", stores.BetaManagedAgentsMemoryVersion)
    session = ask(client, "post", "/v1/sessions", beta.BetaManagedAgentsSession, a_session(store.id))
    pages(client, "/v1/sessions", beta.BetaManagedAgentsSession)
    dream = ask(client, "post", "/v1/dreams", beta.BetaDream, an_order(store.id, session.id))
    pages(client, "/v1/dreams", beta.BetaDream)
    ask(client, "post", f"/v1/dreams/{dream.id}/cancel", beta.BetaDream)
    ask(client, "post", f"/v1/dreams/{dream.id}/archive", beta.BetaDream)
    ask(client, "post", f"/v1/sessions/{session.id}/archive", beta.BetaManagedAgentsSession)
    ask(client, "post", f"{base}/archive", beta.BetaManagedAgentsMemoryStore)
    ask(client, "delete", f"/v1/sessions/{session.id}", beta.BetaManagedAgentsDeletedSession)
    ask(client, "delete", base, beta.BetaManagedAgentsDeletedMemoryStore)


def test_every_field_of_the_sdks_events_and_resources_is_there_and_no_other(client: TestClient) -> None:
    store = ask(client, "post", "/v1/memory_stores", beta.BetaManagedAgentsMemoryStore, {"name": "Notes"})
    session = ask(client, "post", "/v1/sessions", beta.BetaManagedAgentsSession, a_session(store.id))
    sent = f"/v1/sessions/{session.id}/events"
    ask(client, "post", sent, events.BetaManagedAgentsSendSessionEvents, {"events": [said("user.message")]})
    of_users = [one for one in EVERY_EVENT if not one["type"].startswith("agent.")]
    ask(client, "post", sent, events.BetaManagedAgentsSendSessionEvents, {"events": of_users})
    assert (
        client.post(sent, json={"events": EVERY_EVENT}).status_code == 200
    )  # the host's agent is not a type of an answer
    pages(client, sent, events.BetaManagedAgentsSessionEvent)
    resources = f"/v1/sessions/{session.id}/resources"
    file = ask(client, "post", resources, events.BetaManagedAgentsFileResource, {"type": "file", "file_id": "file_1"})
    pages(client, resources, events.BetaManagedAgentsSessionResource)
    ask(client, "get", f"{resources}/{store.id}", events.BetaManagedAgentsMemoryStoreResource)
    ask(client, "delete", f"{resources}/{file.id}", events.BetaManagedAgentsDeleteSessionResource)


def test_sessions_are_found_by_their_agent_and_its_version(client: TestClient) -> None:
    overriding = {
        "type": "agent_with_overrides",
        "id": "scout",
        "version": 2,
        "model": "m",
        "system": None,
        "tools": [],
    }
    for agent in ("scout", overriding, "clerk"):
        assert client.post("/v1/sessions", json={"agent": agent, "environment_id": "e"}).status_code == 200
    for query, versions in (
        ("agent_id=scout", [2, 1]),
        ("agent_id=scout&agent_version=1", [1]),
        ("agent_id=scout&agent_version=3", []),
        ("agent_id=none", []),
        ("deployment_id=any", []),
    ):
        found = client.get(f"/v1/sessions?{query}").json()["data"]
        assert [one["agent"]["version"] for one in found] == versions, query
    assert len(client.get("/v1/sessions?agent_version=2").json()["data"]) == 3  # it only applies with an agent's id
    assert client.get("/v1/sessions?agent_id=%00").status_code == 400


def test_events_are_found_by_their_time(client: TestClient) -> None:
    session = client.post("/v1/sessions", json={"agent": "a", "environment_id": "e"}).json()
    times = [f"2026-03-0{day}T12:00:00Z" for day in (1, 2, 3)]
    sent = {"events": [said("user.message") | {"processed_at": time} for time in times]}
    address = f"/v1/sessions/{session['id']}/events"
    assert client.post(address, json=sent).status_code == 200
    for name, found in (("gt", times[2:]), ("gte", times[1:]), ("lt", times[:1]), ("lte", times[:2])):
        listed = client.get(address, params={f"created_at[{name}]": times[1]}).json()["data"]
        assert [one["processed_at"] for one in listed] == found, name


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("/v1/dreams?statuses=canceled", "statuses[]"),
        ("/v1/dreams?statuses[0]=canceled", "statuses[]"),
        ("/v1/sessions?statuses=idle&beta=true", "statuses[]"),
        ("/v1/sessions?created_at=2026-03-01T12:00:00Z", "created_at[gte]"),
        ("/v1/sessions?created_at[since]=2026-03-01T12:00:00Z", "created_at[gte]"),
    ],
)
def test_a_filter_without_its_brackets_is_refused_by_name(address: str, meant: str, client: TestClient) -> None:
    """One that is not read would quietly return too much."""
    answer = client.get(address)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")
    assert meant in answer.json()["error"]["message"]


def test_a_precondition_without_its_hash_is_no_change_without_a_condition(client: TestClient) -> None:
    store = client.post("/v1/memory_stores", json={"name": "Notes"}).json()
    base = f"/v1/memory_stores/{store['id']}/memories"
    memory = client.post(base, json={"path": "/a.md", "content": "x"}).json()
    change = {"content": "y", "precondition": {"type": "content_sha256"}}
    assert client.post(f"{base}/{memory['id']}", json=change).status_code == 400
    assert client.get(f"{base}/{memory['id']}").json()["content"] == "x"


@pytest.mark.parametrize(("segments", "status"), [(20, 200), (21, 400)])
def test_a_path_has_at_most_twenty_segments(segments: int, status: int, client: TestClient) -> None:
    store = client.post("/v1/memory_stores", json={"name": "Notes"}).json()
    path = "/d" * (segments - 1) + "/x.md"
    made = client.post(f"/v1/memory_stores/{store['id']}/memories", json={"path": path, "content": "x"})
    assert made.status_code == status


def ask(client: TestClient, method: str, path: str, kind: Any, body: Any = None) -> Any:
    """Send a request; return its answer as one of the SDK's types, after a look at every field."""
    answer = client.request(method, path, json=body)
    assert answer.status_code == 200, answer.text
    return checked(kind, answer.json(), path)


def pages(client: TestClient, path: str, kind: Any) -> None:
    shown = client.get(path).json()
    assert set(shown) == {"data", "next_page", "prev_page"}
    assert shown["data"]
    for one in shown["data"]:
        checked(kind, one, path)


def checked(kind: Any, found: Any, where: str) -> Any:
    made = TypeAdapter(kind).validate_python(found)
    look(made, where)
    return made


def look(value: Any, where: str) -> None:
    """Every field of the type was given, and nothing beside them."""
    if isinstance(value, BaseModel):
        kind = type(value)
        assert not value.model_extra, (where, value.model_extra)
        assert set(kind.model_fields) - value.model_fields_set <= EMPTY.get(kind, set()), where
        for name in kind.model_fields:
            look(getattr(value, name), f"{where} {name}")
    elif isinstance(value, list):
        for one in value:
            look(one, where)


def said(kind: str) -> dict[str, Any]:
    return {"type": kind, "content": [{"type": "text", "text": "No, an hour."}]}


def a_session(store_id: str) -> dict[str, Any]:
    resources = [
        {"type": "memory_store", "memory_store_id": store_id, "access": "read_only"},
        {
            "type": "github_repository",
            "url": "https://github.com/a/b.git",
            "checkout": {"type": "branch", "name": "main"},
        },
    ]
    initial = [said("user.message")]
    return {"agent": "a", "environment_id": "e", "title": "t", "resources": resources, "initial_events": initial}


_TEXT = [{"type": "text", "text": "42"}]
_USE = {"name": "search", "input": {"q": "limits", "deep": {"n": [1, None]}}}
#: One of every type that a host can send beside messages.
EVERY_EVENT: list[dict[str, Any]] = [
    {"type": "agent.message", "content": _TEXT},
    {"type": "system.message", "content": _TEXT},
    {"type": "user.interrupt"},
    {"type": "user.tool_confirmation", "tool_use_id": "t1", "result": "deny", "deny_message": "Not that one."},
    {"type": "user.tool_result", "tool_use_id": "t1", "content": _TEXT, "is_error": False},
    {"type": "user.custom_tool_result", "custom_tool_use_id": "t2", "content": _TEXT},
    {"type": "user.define_outcome", "description": "A report.", "rubric": {"type": "text", "content": "Short."}},
    {"type": "agent.thinking"},
    {"type": "agent.tool_use", **_USE},
    {"type": "agent.custom_tool_use", **_USE},
    {"type": "agent.mcp_tool_use", **_USE, "mcp_server_name": "wiki"},
    {"type": "agent.tool_result", "tool_use_id": "t1", "content": _TEXT},
    {"type": "agent.mcp_tool_result", "mcp_tool_use_id": "t3"},
]


def an_order(store_id: str, session_id: str) -> dict[str, Any]:
    sessions = {"type": "sessions", "session_ids": [session_id]}
    inputs = [{"type": "memory_store", "memory_store_id": store_id}, sessions]
    return {"inputs": inputs, "model": "any", "instructions": "Keep limits together."}
