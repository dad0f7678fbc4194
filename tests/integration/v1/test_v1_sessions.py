"""Sessions over `/v1`, with the official SDK: several stores, resources, every type of event, times without a zone."""

from datetime import UTC, datetime
from typing import Any

import anthropic
import pytest
from starlette.testclient import TestClient

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import run_dream, take_picture
from tests.support.sdk import an_sdk

_KEY = "AKIA" + "IOSFODNN7QWERTYU"


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    made = a_client(an_app(ports))
    made.headers.update(bearer(a_token(ports, tenant, rate_per_minute=10_000)))
    return made


@pytest.fixture
def sdk(ports: Ports, tenant: str, client: TestClient) -> anthropic.Anthropic:
    return an_sdk(client, a_token(ports, tenant, rate_per_minute=10_000))


def a_store(sdk: anthropic.Anthropic, name: str, access: str = "read_write") -> Any:
    return {"type": "memory_store", "memory_store_id": sdk.beta.memory_stores.create(name=name).id, "access": access}


def name_of(ports: Ports, tenant: str, store_id: str) -> str:
    with ports.db.transaction(tenant) as uow:
        return uow.store_listing.get(store_id).name


def test_a_session_of_two_stores_belongs_to_the_one_that_may_be_written_and_is_found_by_both(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    shared, own = a_store(sdk, "Handbook", "read_only"), a_store(sdk, "My notes")
    session = sdk.beta.sessions.create(agent="a", environment_id="e", resources=[shared, own])
    said: Any = {
        "type": "user.message",
        "content": [{"type": "text", "text": "Remember that the staging cluster runs in Oslo."}],
    }
    sdk.beta.sessions.events.send(session.id, events=[said])
    sdk.beta.sessions.archive(session.id)
    for store in (shared, own):
        found = sdk.beta.sessions.list(memory_store_id=store["memory_store_id"], include_archived=True)
        assert [one.id for one in found] == [session.id]
    gathered = {}
    for store in (shared, own):
        name = name_of(ports, tenant, store["memory_store_id"])
        run_dream(ports, tenant, OfflineLlm(), store=name)
        memories = take_picture(ports, tenant, name).memories.values()
        gathered[store["memory_store_id"]] = any("Oslo" in memory.content for memory in memories)
    assert gathered == {shared["memory_store_id"]: False, own["memory_store_id"]: True}


def test_a_second_store_that_may_be_written_is_fed_by_a_dream_that_names_the_session_and_never_by_itself(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    mine, team = a_store(sdk, "Mine"), a_store(sdk, "The team's")
    session = sdk.beta.sessions.create(agent="a", environment_id="e", resources=[mine, team])
    said: Any = {"type": "user.message", "content": [{"type": "text", "text": "Remember that I live in Oslo."}]}
    sdk.beta.sessions.events.send(session.id, events=[said])
    sdk.beta.sessions.archive(session.id)
    team_id = team["memory_store_id"]
    name = name_of(ports, tenant, team_id)

    def knows() -> bool:
        return any("Oslo" in memory.content for memory in take_picture(ports, tenant, name).memories.values())

    run_dream(ports, tenant, OfflineLlm(), store=name)
    assert not knows()
    ordered = sdk.beta.dreams.create(
        inputs=[
            {"type": "memory_store", "memory_store_id": team_id},
            {"type": "sessions", "session_ids": [session.id]},
        ],
        output_behavior={"type": "update_existing", "memory_store_id": team_id},
        model="any",
    )
    run_dream(ports, tenant, OfflineLlm(), store=name, dream_id=ordered.id)
    assert knows()


def test_problems_with_the_stores_of_a_session_are_named(sdk: anthropic.Anthropic) -> None:
    one = a_store(sdk, "One")
    gone = a_store(sdk, "Gone")
    sdk.beta.memory_stores.archive(gone["memory_store_id"])
    unknown: Any = {"type": "memory_store", "memory_store_id": "memstore_0"}
    many: list[Any] = [{"type": "memory_store", "memory_store_id": f"memstore_{number}"} for number in range(9)]
    for resources, kind in (
        ([one, one], anthropic.BadRequestError),
        ([one, gone], anthropic.BadRequestError),
        ([one, unknown], anthropic.NotFoundError),
        (many, anthropic.BadRequestError),
    ):
        with pytest.raises(kind):
            sdk.beta.sessions.create(agent="a", environment_id="e", resources=resources)


def test_resources_are_kept_as_the_host_names_them_and_a_token_is_not(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    repository: Any = {
        "type": "github_repository",
        "url": "https://github.com/acme/shop.git",
        "authorization_token": _KEY,
    }
    store = a_store(sdk, "Notes")
    session = sdk.beta.sessions.create(agent="a", environment_id="e", resources=[store, repository])
    resources = sdk.beta.sessions.resources
    file = resources.add(session.id, file_id="file_1", type="file")
    listed = [one.to_dict() for one in resources.list(session.id, limit=2)]  # the SDK follows the pages
    assert [one["type"] for one in listed] == ["memory_store", "github_repository", "file"]
    assert [one["mount_path"] for one in listed] == [
        "/mnt/memory/notes", "/workspace/shop", "/mnt/session/uploads/file_1",
    ]  # fmt: skip
    assert resources.retrieve(file.id, session_id=session.id).to_dict() == listed[2]
    assert resources.delete(file.id, session_id=session.id).id == file.id
    with pytest.raises(anthropic.NotFoundError):
        resources.retrieve(file.id, session_id=session.id)
    with pytest.raises(anthropic.BadRequestError, match="belongs to this memory store"):
        resources.delete(store["memory_store_id"], session_id=session.id)
    with ports.db.transaction(tenant) as uow:
        assert _KEY not in str(uow.session_listing.get(session.id).details)
    sdk.beta.sessions.archive(session.id)
    with pytest.raises(anthropic.BadRequestError, match="archived"):
        resources.add(session.id, file_id="file_2", type="file")


def test_events_that_no_rule_acts_on_are_kept_with_secrets_masked(sdk: anthropic.Anthropic, client: TestClient) -> None:
    session = sdk.beta.sessions.create(agent="a", environment_id="e")
    sent: list[Any] = [
        {
            "type": "user.define_outcome",
            "description": "A report on limits.",
            "rubric": {"type": "text", "content": "Short."},
        },
        {"type": "user.interrupt"},
        {"type": "user.tool_confirmation", "tool_use_id": "t1", "result": "deny", "deny_message": f"It has {_KEY}."},
        {"type": "user.custom_tool_result", "custom_tool_use_id": "t2", "content": [{"type": "text", "text": "42"}]},
    ]
    answered = sdk.beta.sessions.events.send(session.id, events=sent)
    events = list(sdk.beta.sessions.events.list(session.id))
    assert answered.data is not None
    assert [one.id for one in answered.data] == [one.id for one in events]
    shown: list[Any] = [one.to_dict() for one in events]
    outcome, interrupt, refusal, result = shown
    assert (outcome["description"], outcome["rubric"]) == (sent[0]["description"], sent[0]["rubric"])
    assert interrupt["type"] == "user.interrupt"
    assert _KEY not in str(refusal)
    assert refusal["deny_message"].startswith("It has ")
    assert result["content"] == sent[3]["content"]
    only = sdk.beta.sessions.events.list(session.id, types=["user.interrupt"])
    assert [one.id for one in only] == [interrupt["id"]]
    use = {"type": "agent.tool_use", "name": "get", "input": {"key": _KEY, "long": "x" * 3_000}}
    used = client.post(f"/v1/sessions/{session.id}/events", json={"events": [use]}).json()["data"][0]
    assert used["input"] == {}  # longer than what is kept of it


def test_an_outcome_is_the_users_word_and_a_tools_result_is_not(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    session = sdk.beta.sessions.create(agent="a", environment_id="e")
    rule = "Remember that reports go out on"
    events: list[Any] = [
        {"type": "user.define_outcome", "description": f"{rule} Mondays.", "rubric": {"type": "text", "content": "-"}},
        {"type": "user.tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": f"{rule} Fridays."}]},
    ]
    sdk.beta.sessions.events.send(session.id, events=events)
    sdk.beta.sessions.archive(session.id)
    run_dream(ports, tenant, OfflineLlm())
    told = " ".join(memory.content for memory in take_picture(ports, tenant).memories.values())
    assert "Mondays" in told
    assert "Fridays" not in told


def test_a_page_of_events_ends_before_their_rubrics_are_too_much(client: TestClient) -> None:
    session = client.post("/v1/sessions", json={"agent": "a", "environment_id": "e"}).json()["id"]
    rubric = {"type": "text", "content": "x" * 90_000}
    outcome = {"type": "user.define_outcome", "description": "A report.", "rubric": rubric}
    where = f"/v1/sessions/{session}/events"
    assert client.post(where, json={"events": [outcome] * 30}).status_code == 200
    first = client.get(where).json()
    second = client.get(where, params={"page": first["next_page"]}).json()
    assert len(first["data"]) < 30
    assert (len(first["data"]) + len(second["data"]), second["next_page"]) == (30, None)


def test_an_event_that_only_anthropics_server_makes_is_refused_by_its_type(client: TestClient) -> None:
    session = client.post("/v1/sessions", json={"agent": "a", "environment_id": "e"}).json()["id"]
    answer = client.post(f"/v1/sessions/{session}/events", json={"events": [{"type": "session.status_idle"}]})
    assert answer.status_code == 400
    assert "user.message" in answer.json()["error"]["message"]


@pytest.mark.parametrize("zone", [None, UTC])
def test_a_time_without_a_zone_is_utc(sdk: anthropic.Anthropic, client: TestClient, zone: Any) -> None:
    session = client.post("/v1/sessions", json={"agent": "a", "environment_id": "e"}).json()["id"]
    said = {"type": "user.message", "content": [], "processed_at": "2026-03-02T12:00:00Z"}
    client.post(f"/v1/sessions/{session}/events", json={"events": [said]})
    noon = datetime(2026, 3, 2, 12, tzinfo=zone)
    events = sdk.beta.sessions.events
    assert len(list(events.list(session, created_at_gte=noon))) == 1
    assert len(list(events.list(session, created_at_gt=noon))) == 0


def test_a_dream_without_sessions_works_on_the_memories_alone(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    vault = sdk.beta.memory_stores.create(name="Vault").id
    limits = "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n"
    for path, text in (("/api/limits.md", limits), ("/api/throttle.md", f"{limits}Burst is 50.\n")):
        sdk.beta.memory_stores.memories.create(vault, path=path, content=text)
    ordered = sdk.beta.dreams.create(inputs=[{"type": "memory_store", "memory_store_id": vault}], model="any")
    with ports.db.transaction(tenant) as uow:
        store = uow.dreams.get(ordered.id).store
    run_dream(ports, tenant, OfflineLlm(), store=store, dream_id=ordered.id)
    done = sdk.beta.dreams.retrieve(ordered.id)
    assert done.status == "completed", done.error
    after = {one.to_dict()["path"] for one in sdk.beta.memory_stores.memories.list(done.outputs[0].memory_store_id)}
    assert len({"/api/limits.md", "/api/throttle.md"} & after) == 1
