"""Deleting a session: its words are gone from every table, what a dream gathered from it stays and can be undone."""

from collections.abc import Callable
from typing import Any

import anthropic
import psycopg
import pytest
from starlette.testclient import TestClient

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.errors import NotFoundError
from shared.services.dreams.start import start_dream
from shared.services.sessions.delete import delete_session
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.undo.undo_support import undo
from tests.support.builders import a_store, get_store, run_dream, take_picture, write
from tests.support.database.columns import find_columns_holding
from tests.support.sdk import an_sdk
from tests.support.session_builders import get_session, tell

WORD = "zq4711xx"
KEPT = "The staging cluster runs in eu-north-1."


@pytest.fixture
def find_places(tenant: str, owner_connection: psycopg.Connection) -> Callable[[], list[str]]:
    """Every table and column of the tenant that holds the word."""
    return lambda: find_columns_holding(owner_connection, tenant, WORD)


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    made = a_client(an_app(ports))
    made.headers.update(bearer(a_token(ports, tenant, rate_per_minute=10_000)))
    return made


@pytest.fixture
def sdk(ports: Ports, tenant: str) -> anthropic.Anthropic:
    return an_sdk(a_client(an_app(ports)), a_token(ports, tenant, rate_per_minute=10_000))


def test_a_deleted_session_is_in_no_table_and_what_was_gathered_from_it_stays(
    ports: Ports, tenant: str, sdk: anthropic.Anthropic, find_places: Callable[[], list[str]]
) -> None:
    gone = tell(ports, tenant, "s1", f"Please look at the {WORD} tests.", f"Remember that {KEPT[0].lower()}{KEPT[1:]}")
    other = tell(ports, tenant, "s2", "Please fix the tests.")
    run_dream(ports, tenant, OfflineLlm())
    assert {"session_events.text", "phase_runs.inputs"} <= set(find_places())

    deleted = sdk.beta.sessions.delete(gone.id)

    assert (deleted.id, deleted.type) == (gone.id, "session_deleted")
    with pytest.raises(anthropic.NotFoundError):
        sdk.beta.sessions.retrieve(gone.id)
    with pytest.raises(anthropic.NotFoundError):
        sdk.beta.sessions.delete(gone.id)
    assert [one.id for one in sdk.beta.sessions.list()] == [other.id]
    assert find_places() == []
    assert any(KEPT in memory.content for memory in take_picture(ports, tenant).memories.values())


def test_a_dream_that_was_ordered_over_a_session_of_another_store_forgets_it_too(
    ports: Ports, tenant: str, sdk: anthropic.Anthropic, find_places: Callable[[], list[str]]
) -> None:
    session = tell(ports, tenant, "s1", f"Please look at the {WORD} tests.", f"Remember that {KEPT}")
    vault = sdk.beta.memory_stores.create(name="Vault").id
    inputs: list[Any] = [
        {"type": "memory_store", "memory_store_id": vault},
        {"type": "sessions", "session_ids": [session.id]},
    ]
    dream = sdk.beta.dreams.create(inputs=inputs, model="any")
    with ports.db.transaction(tenant) as uow:
        copy = uow.dreams.get(dream.id).store
    run_dream(ports, tenant, OfflineLlm(), store=copy, dream_id=dream.id)
    assert "phase_runs.inputs" in find_places()
    sdk.beta.sessions.delete(session.id)
    assert find_places() == []
    assert sdk.beta.dreams.retrieve(dream.id).inputs[1].to_dict()["session_ids"] == [session.id]


def test_a_dream_is_undone_also_when_the_session_that_it_read_is_deleted(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "s1", f"Remember that {KEPT}")
    dream = run_dream(ports, tenant, OfflineLlm())
    delete_session(ports.db, tenant, session.id)
    report = undo(ports, tenant, dream)
    assert not report.conflicts
    live = [one for one in take_picture(ports, tenant).memories.values() if one.state == "live"]
    assert not any(KEPT in one.content for one in live)
    again = run_dream(ports, tenant, OfflineLlm())  # the session is not there to be gathered from again
    assert again.state is DreamState.COMPLETED
    assert again.summary is not None
    assert again.summary.gathered == 0


def test_a_session_that_a_dream_may_be_reading_is_not_deleted(
    ports: Ports, tenant: str, client: TestClient, sdk: anthropic.Anthropic
) -> None:
    session = tell(ports, tenant, "s1", "Please fix the tests.")
    elsewhere = a_store(ports, tenant, "elsewhere")
    inputs = [
        {"type": "memory_store", "memory_store_id": elsewhere.id},
        {"type": "sessions", "session_ids": [session.id]},
    ]
    ordered = client.post("/v1/dreams", json={"inputs": inputs, "model": "any"}).json()["id"]
    with pytest.raises(anthropic.ConflictError, match=ordered):
        sdk.beta.sessions.delete(session.id)
    sdk.beta.dreams.cancel(ordered)
    own = start_dream(ports.db, tenant, "default", trigger=Trigger.API, force=True).dream
    assert own is not None
    with pytest.raises(anthropic.ConflictError, match=own.id):
        sdk.beta.sessions.delete(session.id)
    sdk.beta.dreams.cancel(own.id)
    assert sdk.beta.sessions.delete(session.id).id == session.id


def test_a_deleted_session_wakes_no_store(ports: Ports, tenant: str) -> None:
    first = tell(ports, tenant, "s1", "Please fix the tests.")
    tell(ports, tenant, "s2", "Please fix the tests.")
    assert get_store(ports, tenant).sessions == 2
    delete_session(ports.db, tenant, first.id)
    assert get_store(ports, tenant).sessions == 1


def test_a_session_is_deleted_over_the_api_by_the_id_of_its_source_and_comes_back_as_a_new_one(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    before = tell(ports, tenant, "chat-1", "Please fix the tests.", "Thank you.")
    write(ports, tenant, {"a.md": "# A\n"}, store="other")
    assert client.delete("/api/stores/other/sessions/chat-1").status_code == 404
    answer = client.delete("/api/stores/default/sessions/chat-1")
    assert answer.json() == {"id": "chat-1", "events": 2}
    with pytest.raises(NotFoundError):
        get_session(ports, tenant, "chat-1")
    assert tell(ports, tenant, "chat-1", "Please fix the tests.").id != before.id


def test_an_answer_kept_for_a_repeated_request_is_forgotten_with_its_session(
    client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    made = client.post("/v1/sessions", json={"agent": "a", "environment_id": "e", "title": WORD}).json()["id"]
    where, body = f"/v1/sessions/{made}/events", {"type": "user.message", "content": [{"type": "text", "text": WORD}]}
    again = {"Idempotency-Key": "once"}
    assert client.post(where, json={"events": [body]}, headers=again).status_code == 200
    assert "api_requests.body" in find_places()
    assert client.delete(f"/v1/sessions/{made}").status_code == 200
    assert find_places() == []
    assert client.post(where, json={"events": [body]}, headers=again).status_code == 404
