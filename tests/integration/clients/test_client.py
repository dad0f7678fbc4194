"""The Python client against a real server: what a program that uses it relies on."""

import asyncio
import importlib
import inspect
from typing import Any

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from tests.integration.api.api_support import a_token
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import get_operations, take_picture, write


def test_a_memory_is_put_read_listed_found_and_deleted_by_its_path(client: Any, client_package: Any) -> None:
    made = client.memories.put("ops/deploy.md", "# Deploy\n\nWe deploy on Mondays.\n", importance=70)
    assert client.memories.get("ops/deploy.md") == client.memories.get(made.id)
    assert client.memories.get("ops/deploy.md").importance == 70
    assert [one.path for one in client.memories.list("ops/")] == ["ops/deploy.md"]
    (hit,) = client.memories.search("deploy Mondays")
    assert (hit.id, hit.path) == (made.id, made.path)
    assert client.memories.delete("ops/deploy.md").state == "archived"
    with pytest.raises(client_package.NotFoundError):
        client.memories.get("ops/deploy.md")


def test_what_is_put_at_a_path_again_is_its_next_version(client: Any) -> None:
    first = client.memories.put("a.md", "# A\n\nOne.\n")
    client.memories.put("a.md.md", "# Another\n")
    again = client.memories.put("a.md", "# A\n\nTwo.\n", pinned=True)
    assert (again.id, again.version, again.content, again.pinned) == (first.id, 2, "# A\n\nTwo.\n", True)


def test_a_list_goes_on_to_its_end(client: Any, ports: Ports, tenant: str) -> None:
    paths = [f"notes/{number:03}.md" for number in range(120)]
    write(ports, tenant, dict.fromkeys(paths, "# Note\n"), store="mine")
    assert [one.path for one in client.memories.list()] == paths


def test_an_error_says_what_the_api_says(client: Any, client_package: Any, address: str) -> None:
    client.memories.put("a.md", "# A\n")
    with pytest.raises(client_package.ConflictError, match="There is a memory at a") as caught:
        client.request("POST", "/api/stores/mine/memories", json={"path": "a.md", "content": "B"})
    assert (caught.value.status, caught.value.kind) == (409, "conflict")
    assert caught.value.request_id.startswith("req_")
    with pytest.raises(client_package.InvalidError, match="There is no parameter cursr here; this call takes cursor"):
        client.request("GET", "/api/stores", cursr="3")
    stranger = client_package.Slowwave(address, "swk_unknown")
    with stranger, pytest.raises(client_package.UnauthenticatedError):
        next(stranger.memories.list())


def test_more_events_than_one_request_takes_are_appended_once(client: Any) -> None:
    events = [{"event_id": str(number), "kind": "user", "text": f"Line {number}"} for number in range(501)]
    appended = client.sessions.append("chat-42", events)
    assert (appended.added, appended.known) == (501, 0)
    again = client.sessions.append("chat-42", events, is_over=True)
    assert (again.added, again.known) == (0, 501)
    (session,) = client.sessions.list()
    assert (session.external_id, session.event_count, session.is_current) == ("chat-42", 501, False)


def test_a_shut_gate_is_a_conflict_with_its_reason_and_a_dream_is_waited_for(client: Any, client_package: Any) -> None:
    with pytest.raises(client_package.ConflictError, match="Not enough activity"):
        client.dreams.start()
    dream = client.dreams.start(force=True, idempotency_key="tonight")
    assert client.dreams.start(force=True, idempotency_key="tonight").id == dream.id
    with pytest.raises(client_package.WaitTooLongError, match="still queued"):
        client.dreams.wait(dream.id, seconds=0.1)
    client.dreams.cancel(dream.id)
    assert client.dreams.wait(dream.id).state == "canceled"
    assert [one.id for one in client.dreams.list(state="canceled")] == [dream.id]


def test_an_evaluation_is_started_once_waited_for_listed_and_canceled(client: Any, client_package: Any) -> None:
    client.memories.put("ops/port.md", "# Port\n\nThe port is 9042.\n")
    order = {"dreams": 2, "probes": [{"question": "Which port?", "evidence": "port is 9042"}]}
    started = client.evaluations.start(idempotency_key="tonight", **order)
    assert (started.state, started.own_probes, started.dreams) == ("queued", 1, 2)
    assert client.evaluations.start(idempotency_key="tonight", **order).id == started.id
    with pytest.raises(client_package.ConflictError, match="being evaluated already"):
        client.evaluations.start()
    with pytest.raises(client_package.WaitTooLongError, match=f"The evaluation {started.id} is still queued"):
        client.evaluations.wait(started.id, seconds=0.1)
    assert client.evaluations.cancel(started.id).state == "canceled"
    assert [one.arm for one in client.evaluations.arms()] == [""], "all stores are without an arm"
    tried = client.evaluations.set_arm("trial", profile="rockbot")
    assert (tried.arm, tried.profile) == ("trial", "rockbot")
    assert "trial" in [one.arm for one in client.evaluations.arms()]
    assert client.evaluations.set_arm("").profile == "rockbot", "out of the arm it keeps its settings"
    assert client.evaluations.wait(started.id).report is None
    assert [one.id for one in client.evaluations.list()] == [started.id]
    with pytest.raises(client_package.NotFoundError):
        client.evaluations.get(started.id, store="another")


def test_a_store_keeps_questions_of_its_own(client: Any, client_package: Any) -> None:
    client.memories.put("ops/port.md", "# Port\n\nThe port is 9042.\n")
    probe = {"question": "Which port?", "evidence": "port is 9042"}
    for kept in (client.evaluations.set_probes([probe]), client.evaluations.probes()):
        assert [(one.question, one.evidence, one.group) for one in kept.probes] == [
            ("Which port?", ["port is 9042"], None)
        ]
    started = client.evaluations.start()
    assert started.own_probes == 1
    client.evaluations.cancel(started.id)
    assert client.evaluations.set_probes([]).probes == []
    with pytest.raises(client_package.NotFoundError):
        client.evaluations.probes(store="another")


def test_a_dream_and_each_of_its_operations_are_taken_back(
    client_package: Any, address: str, ports: Ports, dreamt: Dreamt
) -> None:
    before = take_picture(ports, dreamt.tenant)
    applied = next(
        one for one in get_operations(ports, dreamt.tenant, dreamt.dream.id) if one.state is OperationState.APPLIED
    )
    with client_package.Slowwave(address, a_token(ports, dreamt.tenant)) as client:
        assert client.operations.undo(applied.id).review == "rejected"
        assert client.operations.reopen(applied.id).state == "applied"
        assert take_picture(ports, dreamt.tenant).memories.keys() == before.memories.keys()
        assert len(list(client.dreams.operations(dreamt.dream.id))) > 1
        assert client.dreams.undo(dreamt.dream.id).undone > 1
        assert client.dreams.get(dreamt.dream.id).state == "undone"
        assert client.dreams.redo(dreamt.dream.id).redone > 1


def test_what_waits_for_a_review_is_listed_and_decided(
    client_package: Any, address: str, ports: Ports, proposed: Dreamt
) -> None:
    with client_package.Slowwave(address, a_token(ports, proposed.tenant)) as client:
        waiting = list(client.operations.list(dream=proposed.dream.id))
        told = client.operations.comment(waiting[0].id, "Ask Mara before this is merged.")
        assert [one.text for one in told.comments] == ["Ask Mara before this is merged."]
        assert client.operations.assign(waiting[0].id, "me").assigned_to
        rejected = client.operations.reject(waiting[0].id, why="Not so")
        assert (rejected.review, rejected.state) == ("rejected", "rejected")
        assert client.operations.get(waiting[0].id).review == "rejected"
        approved = client.operations.approve(waiting[1].id)
        assert approved.review == "approved"
        left = {one.id for one in client.operations.list(dream=proposed.dream.id)}
    assert not left & {waiting[0].id, waiting[1].id}


def test_all_of_it_can_be_awaited(client_package: Any, address: str, key: str) -> None:
    async def use() -> None:
        async with client_package.AsyncSlowwave(address, key, store="mine") as client:
            for room in ("attic", "cellar", "kitchen"):
                await client.memories.put(f"{room}.md", f"# The {room}\n\nThe {room} has a window.\n")
            assert [one.path async for one in client.memories.list()] == ["attic.md", "cellar.md", "kitchen.md"]
            assert [hit.path for hit in await client.memories.search("kitchen window", limit=1)] == ["kitchen.md"]
            assert (await client.memories.delete("cellar.md")).state == "archived"
            appended = await client.sessions.append("chat", [{"event_id": "1", "kind": "user", "text": "Hello"}])
            assert appended.added == 1
            dream = await client.dreams.start(force=True)
            assert [one.id async for one in client.dreams.list("mine")] == [dream.id]
            await client.dreams.cancel(dream.id)
            assert (await client.dreams.wait(dream.id, seconds=10)).state == "canceled"
            with pytest.raises(client_package.NotFoundError):
                await client.operations.get("op_unknown")

    asyncio.run(use())


def test_an_answer_of_a_newer_server_is_taken_with_what_it_has_more(client_package: Any) -> None:
    assert client_package
    models = importlib.import_module("slowwave_client.models")
    assert models.State.model_validate({"id": "drm_1", "state": "resting", "mood": "calm"}).state == "resting"
    assert models.HitPage.model_validate({"data": []}).next_cursor is None


def test_both_faces_have_the_same_calls_with_the_same_arguments(client_package: Any) -> None:
    names = ("dreams", "memories", "sessions", "operations", "evaluations")
    with client_package.Slowwave("http://127.0.0.1", "k") as waiting:
        awaited = client_package.AsyncSlowwave("http://127.0.0.1", "k")
        for name in names:
            one, other = getattr(waiting, name), getattr(awaited, name)
            calls = [call for call in dir(one) if not call.startswith("_")]
            assert calls == [call for call in dir(other) if not call.startswith("_")]
            for call in calls:
                here, there = (inspect.signature(getattr(face, call)).parameters for face in (one, other))
                assert here == there
                assert inspect.getdoc(getattr(one, call)) == inspect.getdoc(getattr(other, call))
