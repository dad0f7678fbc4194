"""Agents send more than memories: feedback, workflow runs, skills, sessions that can be read again."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import a_store

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECRET = "AKIA" + "IOSFODNN7QWERTYU"


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def agent(ports: Ports, tenant: str) -> dict[str, str]:
    a_store(ports, tenant)
    return bearer(a_token(ports, tenant, Role.AGENT))


def pages(client: TestClient, where: str, key: dict[str, str], limit: int = 2) -> list[dict[str, Any]]:
    """Every item of a list, followed page by page."""
    found: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        page = client.get(where, headers=key, params=query).json()
        assert len(page["data"]) <= limit
        found += page["data"]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]


def test_feedback_is_recorded_once_and_listed_page_by_page_newest_first(
    client: TestClient, agent: dict[str, str]
) -> None:
    where = "/api/stores/default/feedback"
    said = [
        {"kind": "correction", "text": f"no {day}", "external_id": f"m{day}", "at": str(NOON + timedelta(days=day))}
        for day in range(5)
    ]
    assert client.post(where, headers=agent, json={"feedback": said}).json() == {"added": 5, "known": 0, "masked": []}
    assert client.post(where, headers=agent, json={"feedback": said}).json() == {"added": 0, "known": 5, "masked": []}
    assert [one["text"] for one in pages(client, where, agent)] == ["no 4", "no 3", "no 2", "no 1", "no 0"]


def test_feedback_of_the_same_moment_is_neither_lost_nor_doubled_between_pages(
    client: TestClient, agent: dict[str, str]
) -> None:
    where = "/api/stores/default/feedback"
    said = [{"kind": "thumbs_up", "external_id": f"m{number}", "at": str(NOON)} for number in range(5)]
    client.post(where, headers=agent, json={"feedback": said})
    assert sorted(one["external_id"] for one in pages(client, where, agent)) == [f"m{number}" for number in range(5)]


def test_one_unusable_piece_of_feedback_refuses_the_batch(client: TestClient, agent: dict[str, str]) -> None:
    where = "/api/stores/default/feedback"
    said = [{"kind": "thumbs_up"}, {"kind": "correction", "text": " "}]
    answer = client.post(where, headers=agent, json={"feedback": said})
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert client.get(where, headers=agent).json()["data"] == []


def test_texts_that_look_like_keys_are_masked_in_feedback_and_runs(client: TestClient, agent: dict[str, str]) -> None:
    base = "/api/stores/default"
    client.post(f"{base}/feedback", headers=agent, json={"feedback": [{"kind": "correction", "text": f"use {SECRET}"}]})
    run = {"description": f"Deploy with {SECRET}", "outcome": "failure", "error": f"{SECRET} is refused"}
    client.post(f"{base}/workflow-runs", headers=agent, json={"runs": [run]})
    shown = client.get(f"{base}/feedback", headers=agent).text + client.get(f"{base}/workflow-runs", headers=agent).text
    assert "Deploy with" in shown
    assert SECRET not in shown


def test_workflow_runs_are_listed_with_their_steps(client: TestClient, agent: dict[str, str]) -> None:
    where = "/api/stores/default/workflow-runs"
    run = {"description": "Deploy", "outcome": "failure", "steps": ["build", "push"], "classification": "timeout"}
    assert client.post(where, headers=agent, json={"runs": [run]}).json() == {"added": 1, "known": 0, "masked": []}
    [kept] = client.get(where, headers=agent).json()["data"]
    assert (kept["steps"], kept["outcome"], kept["used_by"]) == (["build", "push"], "failure", None)


def test_a_skill_is_written_read_whole_and_its_uses_are_counted(client: TestClient, agent: dict[str, str]) -> None:
    where = "/api/stores/default/skills/mcp/mail"
    body = {"content": "---\nname: mail\n---\n\nList.\n", "files": [{"path": "more.md", "content": "# More\n"}]}
    made = client.put(where, headers=agent, json=body).json()
    assert (made["content"], made["files"], made["version"]) == (body["content"], body["files"], 1)
    assert client.put(where, headers=agent, json=body).json()["version"] == 1
    used = {"skill": "mcp/mail", "session": "chat-1"}
    assert client.post("/api/stores/default/skill-uses", headers=agent, json=used).status_code == 201
    [line] = client.get("/api/stores/default/skills", headers=agent).json()["data"]
    assert (line["name"], line["uses"]) == ("mcp/mail", 1)
    history = f"/api/stores/default/memories/{made['memory_id']}/history"
    assert len(client.get(history, headers=agent).json()["data"]) == 1


@pytest.mark.parametrize("path", ["../escape.md", "/etc/passwd", "a/../../b.md"])
def test_a_file_of_a_skill_stays_in_the_store(client: TestClient, agent: dict[str, str], path: str) -> None:
    body = {"content": "Do it.", "files": [{"path": path, "content": "x"}]}
    assert client.put("/api/stores/default/skills/mail", headers=agent, json=body).status_code == 422
    assert client.get("/api/stores/default/skills", headers=agent).json()["data"] == []


def test_a_daily_log_that_is_written_as_a_memory_is_a_session_whose_keys_are_masked(
    client: TestClient, agent: dict[str, str]
) -> None:
    key = "AKIA" + "IOSFODNN7QWERTYU"
    place = "logs/2026/03/2026-03-04.md"
    body = {"path": place, "content": f"- 10:15 the key is {key}\n"}
    made = client.post("/api/stores/default/memories", headers=agent, json=body).json()
    changed = {"content": made["content"] + "- 11:00 done\n"}
    client.patch(f"/api/stores/default/memories/{made['id']}", headers=agent, json=changed)
    where = "/api/stores/default/sessions"
    [session] = [one for one in pages(client, where, agent) if one["external_id"] == place]
    read = pages(client, f"{where}/{session['id']}/events", agent)
    assert len(read) == 2
    assert key not in json.dumps(read)


def test_a_memory_is_written_with_its_last_day_which_a_change_may_move_or_take_out(
    client: TestClient, agent: dict[str, str]
) -> None:
    where = "/api/stores/default/memories"
    body = {"path": "ops/freeze.md", "content": "# Freeze\n\nNothing is deployed.\n", "expires": "2999-10-12"}
    made = client.post(where, headers=agent, json=body).json()
    assert (made["expires"], 'expires: "2999-10-12"' in made["content"]) == ("2999-10-12", True)
    for day, told in (("2999-10-13", "2999-10-13"), ("never", None)):
        assert client.patch(f"{where}/{made['id']}", headers=agent, json={"expires": day}).json()["expires"] == told
        assert [one["expires"] for one in pages(client, where, agent)] == [told]
    assert client.patch(f"{where}/{made['id']}", headers=agent, json={"expires": "soon"}).status_code == 422


def test_sessions_are_listed_page_by_page_those_without_a_time_last(client: TestClient, agent: dict[str, str]) -> None:
    where = "/api/stores/default/sessions"
    for number in range(5):
        made = client.post(where, headers=agent, json={"external_id": f"chat-{number}"}).json()
        if number % 2:
            event = {"event_id": "1", "kind": "user", "text": "Hello", "at": str(NOON + timedelta(days=number))}
            client.post(f"{where}/{made['id']}/events", headers=agent, json={"events": [event]})
    listed = [one["external_id"] for one in pages(client, where, agent)]
    assert listed[:2] == ["chat-3", "chat-1"]
    assert sorted(listed[2:]) == ["chat-0", "chat-2", "chat-4"]


def test_a_sessions_events_are_read_in_their_order_and_long_ones_cut(client: TestClient, agent: dict[str, str]) -> None:
    where = "/api/stores/default/sessions"
    session = client.post(where, headers=agent, json={"external_id": "chat"}).json()["id"]
    events = [{"event_id": str(n), "kind": "user", "text": f"{n} {'words ' * 50}"} for n in range(5)]
    client.post(f"{where}/{session}/events", headers=agent, json={"events": events})
    read = pages(client, f"{where}/{session}/events", agent)
    assert [(one["position"], one["text"], one["cut"]) for one in read] == [
        (number, event["text"], False) for number, event in enumerate(events, 1)
    ]
    [short] = client.get(f"{where}/{session}/events", headers=agent, params={"max_chars": 3, "limit": 1}).json()["data"]
    assert (short["text"], short["cut"]) == ("0 w", True)


@pytest.mark.parametrize("cursor", ["nonsense", "AAAA", "fA", "MjAyNnx4"])
def test_a_cursor_that_no_page_gave_out_is_refused_everywhere(
    client: TestClient, agent: dict[str, str], cursor: str
) -> None:
    for where in ("feedback", "workflow-runs", "sessions"):
        answer = client.get(f"/api/stores/default/{where}", headers=agent, params={"cursor": cursor})
        assert answer.status_code == 422, where


def test_a_session_that_the_store_leaves_out_by_a_label_is_refused_by_both_apis(
    client: TestClient, agent: dict[str, str], ports: Ports, tenant: str
) -> None:
    where = "/api/stores/default/sessions"
    kept = {"external_id": "chat-9", "labels": {"kind": "talk"}}
    made = client.post(where, headers=agent, json=kept).json()
    assert client.get(f"{where}/{made['id']}", headers=agent).json()["labels"] == {"kind": "talk"}
    with ports.db.transaction(tenant) as uow:
        uow.stores.save(replace(uow.stores.get("default"), overrides={"sessions.exclude": "cron"}))
    refused = client.post(where, headers=agent, json={"external_id": "c", "labels": {"kind": "cron"}})
    host = {"agent": "a", "environment_id": "e", "metadata": {"kind": "cron"}}
    same = client.post("/v1/sessions", headers=agent, json=host)
    assert (refused.status_code, same.status_code) == (422, 400)
    assert "sessions.exclude" in refused.text
    assert client.post("/v1/sessions", headers=agent, json=host | {"metadata": {}}).status_code == 200
