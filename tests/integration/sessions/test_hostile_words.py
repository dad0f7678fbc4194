"""Texts that make PostgreSQL's parser read on and on: they are indexed like any other, and are found by their words."""

import json
import string
import time

import psycopg
import pytest
from fastapi.testclient import TestClient

from gateway.api.app import create_app
from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.sessions.model import EventKind
from shared.services.memories.search import search_together
from shared.settings import Settings
from shared.working import Work
from tests.integration.api.api_support import a_token, bearer
from tests.support.session_builders import tell

#: Each took 8 to 40 s for 60,000 characters, four times as long as for half of them.
QUADRATIC = ["hf_", "~/", "<!-- ", "a-1-"]
OTHERS = ["<a b='", "http://a", "a@b.", "1e", "+1.5e", "&#1;", "../", "a_b.c@", "漢", "a\u0301", "\u200b", "😀 "]
#: A hundred times what such a text takes; for the growth with its length alone, not for a machine's speed.
_SECONDS = 5.0


def insert_event(owner: psycopg.Connection, session_id: str, seed: str, chars: int) -> float:
    """Store an event as an import does and return how long PostgreSQL took."""
    text = (seed * (chars // len(seed) + 1))[:chars]
    begun = time.perf_counter()
    owner.execute(
        "INSERT INTO session_events (session_id, event_id, tenant_id, position, kind, role, text, size_chars)"
        " SELECT id, %s, tenant_id, (SELECT count(*) + 100 FROM session_events WHERE session_id = %s),"
        " 'user', 'user', %s, %s FROM sessions WHERE id = %s",
        [f"{seed}-{chars}", session_id, text, chars, session_id],
    )
    return time.perf_counter() - begun


@pytest.mark.parametrize("seed", QUADRATIC)
def test_a_text_of_any_signs_is_indexed_in_time_that_grows_with_its_length_alone(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, seed: str
) -> None:
    session = tell(ports, tenant, "s1", "begin")
    owner_connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{_SECONDS}s"])
    taken = {chars: insert_event(owner_connection, session.id, seed, chars) for chars in (1_000, 60_000, 1_000_000)}
    assert max(taken.values()) < _SECONDS


@pytest.mark.thorough
@pytest.mark.parametrize("seed", OTHERS)
def test_so_is_a_text_of_other_signs_and_scripts(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, seed: str
) -> None:
    test_a_text_of_any_signs_is_indexed_in_time_that_grows_with_its_length_alone(ports, tenant, owner_connection, seed)


@pytest.mark.parametrize("chars", [1_000, 60_000, pytest.param(900_000, marks=pytest.mark.thorough)])
def test_the_api_takes_such_texts_within_the_limit_of_a_request(
    ports: Ports, settings: Settings, tenant: str, chars: int
) -> None:
    key = bearer(a_token(ports, tenant))
    events = [
        {"event_id": f"e{number}", "kind": "user", "text": (seed * chars)[:chars]}
        for number, seed in enumerate(QUADRATIC)
    ]
    limited = make_ports(settings.model_copy(update={"database_request_seconds": _SECONDS}), work=Work.REQUEST)
    try:
        with TestClient(create_app(limited), raise_server_exceptions=False) as client:
            begun = client.post("/api/stores/mine/sessions", json={"external_id": "chat"}, headers=key).json()
            where = f"/api/stores/mine/sessions/{begun['id']}/events"
            answer = client.post(where, json={"events": events}, headers=key)
    finally:
        limited.close()
    assert (answer.status_code, answer.json().get("added")) == (200, len(events))


def test_names_with_signs_are_found_by_their_parts(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "set max_retries in deploy/config.yaml to 3.5, see http://wiki.example.com/rota?day=1")
    tell(ports, tenant, "s2", (EventKind.ASSISTANT, "nothing of that"))
    for query in ("retries", "max_retries", "config", "deploy/config.yaml", "wiki", "rota"):
        [found] = search_together(ports.db, ports.search, tenant, "default", query, 10)
        assert found.said is not None
        assert found.said.event_id == "e1", query


def test_the_words_of_an_event_are_those_of_its_first_20000_characters(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "s1", f"{'rota ' * 3_990}staging {'rota ' * 100}production")
    with ports.db.transaction(tenant) as uow:
        gathering = uow.gathering(uow.stores.get("default").id)
        found = {
            query: bool(gathering.search(query, 9, session_id=session.id))
            for query in ("rota", "staging", "production")
        }
    assert found == {"rota": True, "staging": True, "production": False}


def test_every_ascii_sign_is_a_space_in_the_words_of_an_event(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    session = tell(ports, tenant, "s1", " ".join(f"a{sign}b" for sign in string.punctuation))
    rows = owner_connection.execute(
        "SELECT tsvector_to_array(words) FROM session_events WHERE session_id = %s ORDER BY position", [session.id]
    ).fetchall()
    assert rows == [(["a", "b"],)]


def test_a_search_for_all_words_keeps_its_syntax_and_reads_signs_as_an_event_does(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "s1", "the self-hosted wiki", "the wiki of max_retries", "hosted elsewhere by itself")
    with ports.db.transaction(tenant) as uow:
        gathering = uow.gathering(uow.stores.get("default").id)
        found = {
            query: sorted(match.event.event_id for match in gathering.search(query, 9, session_id=session.id))
            for query in (
                "self-hosted",
                "wiki -hosted",
                '"hosted wiki"',
                "max_retries",
                "elsewhere or retries",
                "hf_" * 999,
            )
        }
    assert list(found.values()) == [["e1"], ["e2"], ["e1"], ["e2"], ["e2", "e3"], []]


def test_ids_in_large_records_are_found_in_time_that_grows_with_their_number(
    owner_connection: psycopg.Connection,
) -> None:
    """PostgreSQL moves all of its matches for each that it hands out one by one: 300,000 took 40 s."""
    owner_connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{_SECONDS}s"])
    many = json.dumps([{"id": "a" * 9}] * 300_000)
    row = owner_connection.execute("SELECT slowwave_json_contains(%s::jsonb, 'zzz')", [many]).fetchone()
    assert row == (False,)
