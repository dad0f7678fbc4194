"""Searches and the reads behind them are logged, off the path of their requests, by every door that they come in."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.policy.retention import RetentionPolicy
from shared.core.tenants.roles import Role
from shared.ports.evidence.search_log import MOST_ROWS, Outcome, WasRead, WasTold
from shared.services.forgetting.forget import forget
from shared.services.forgetting.known_of import find_known
from shared.services.forgetting.wanted import Kind, Target
from shared.services.tenants.purge import purge_expired
from tests.integration.access.test_api_timing_class import asked
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.evidence.search_log_support import (
    NOON,
    a_search,
    count_by_week,
    find_logged,
    log_searches,
    weeks_before,
)
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import a_store, get_store, take_picture, write

NOTES = {"web/cookies.md": "# Cookies\n\nThe login page signs its cookies.", "tea.md": "# Tea\n\nGreen tea."}
KEY = "AKIA" + "IOSFODNN7QWERTYU"


@pytest.fixture
def agent(ports: Ports, tenant: str) -> dict[str, str]:
    write(ports, tenant, NOTES)
    return bearer(a_token(ports, tenant, Role.AGENT, rate_per_minute=100_000))


@pytest.fixture
def client(ports: Ports, agent: dict[str, str]) -> TestClient:
    found = a_client(an_app(ports))
    found.headers.update(agent)
    return found


def _id_of(ports: Ports, tenant: str, path: str = "web/cookies.md") -> str:
    return next(one.id for one in take_picture(ports, tenant).memories.values() if one.path == path)


def _search(client: TestClient, query: str = "cookies") -> None:
    assert client.get("/api/stores/default/search", params={"q": query}).status_code == 200


def test_a_search_over_the_api_and_the_read_behind_it_are_one_row(
    ports: Ports, tenant: str, client: TestClient, owner_connection: psycopg.Connection
) -> None:
    cookies, tea = _id_of(ports, tenant), _id_of(ports, tenant, "tea.md")
    _search(client)
    assert client.get(f"/api/stores/default/memories/{cookies}").status_code == 200
    assert client.get(f"/api/stores/default/memories/{tea}").status_code == 200
    ports.searches.flush()
    assert find_logged(owner_connection, tenant) == [("api", "cookies", [cookies], [cookies, tea], "")]
    (found,) = ports.search_log.find_asked(tenant, get_store(ports, tenant).id, 10)
    assert (found.query, found.shown, found.read, found.outcome) == ("cookies", (cookies,), (cookies, tea), "")


def test_a_search_of_sessions_too_and_a_read_under_v1_are_logged_alike(
    ports: Ports, tenant: str, client: TestClient, owner_connection: psycopg.Connection
) -> None:
    cookies, store = _id_of(ports, tenant), get_store(ports, tenant)
    client.get("/api/stores/default/search/sessions", params={"q": "cookies"})
    assert client.get(f"/v1/memory_stores/{store.id}/memories/{cookies}").status_code == 200
    ports.searches.flush()
    assert find_logged(owner_connection, tenant) == [("api", "cookies", [cookies], [cookies], "")]


@pytest.mark.parametrize("tool", ["search_memory", "search_everything"])
def test_a_search_over_mcp_the_read_and_the_correction_behind_it_are_one_row(
    tool: str, ports: Ports, tenant: str, agent: dict[str, str], owner_connection: psycopg.Connection
) -> None:
    cookies, app = _id_of(ports, tenant), a_server(ports)
    call(app, agent, tool, query="cookies")
    call(app, agent, "read_memory", memory="web/cookies.md")
    call(app, agent, "list_memories")
    call(app, agent, "note_correction", text="It signs nothing.", memory="web/cookies.md")
    ports.searches.flush()
    assert find_logged(owner_connection, tenant) == [("mcp", "cookies", [cookies], [cookies], "wrong")]


def test_feedback_on_a_memory_by_its_path_tells_of_the_search_that_showed_it(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    _search(client)
    person = bearer(a_token(ports, tenant))
    given = [{"kind": "thumbs_up", "about": "web/cookies.md"}, {"kind": "thumbs_down", "about": "the weather"}]
    answer = client.post("/api/stores/default/feedback", json={"feedback": given}, headers=person)
    assert answer.status_code == 201
    ports.searches.flush()
    (found,) = ports.search_log.find_asked(tenant, get_store(ports, tenant).id, 10)
    assert (found.read, found.outcome) == ((), Outcome.HELPED)


def test_a_search_costs_its_request_no_statement_more(
    ports: Ports, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    _search(client)
    with monkeypatch.context() as patched, asked() as without:
        patched.setattr(type(ports.searches), "note", lambda *_: None)
        _search(client)
    with asked() as statements:
        _search(client)
    assert statements == without
    assert not [one for one in statements if "search_log" in one or "slowwave_write" in one]


def test_a_store_that_keeps_no_log_gets_no_row_and_loses_those_it_has(
    ports: Ports, tenant: str, client: TestClient, owner_connection: psycopg.Connection
) -> None:
    _search(client)
    ports.searches.flush()
    a_store(ports, tenant, overrides={"evidence.log_searches": False})
    _search(client, "tea")
    ports.searches.flush()
    assert [one.query for one in find_logged(owner_connection, tenant)] == ["cookies"]
    assert purge_expired(ports.db, tenant, RetentionPolicy(), dry_run=True)["searches"] == 1
    purge_expired(ports.db, tenant, RetentionPolicy())
    assert find_logged(owner_connection, tenant) == []


def test_searches_are_kept_for_as_many_days_as_the_tenants_retention_says(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    now = datetime.now(UTC)
    log_searches(ports, tenant, [a_search(now - timedelta(days=8)), a_search(now, "tea")])
    assert purge_expired(ports.db, tenant, RetentionPolicy(searches=7))["searches"] == 1
    assert [one.query for one in find_logged(owner_connection, tenant)] == ["tea"]


def test_what_a_store_keeps_out_of_texts_is_masked_in_queries(
    ports: Ports, tenant: str, client: TestClient, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant, overrides={"personal_data.action": "mask"})
    _search(client, f"cookies of {KEY} or mara.vogel@posteo.de")
    ports.searches.flush()
    ((_, query, *_),) = find_logged(owner_connection, tenant)
    assert query.startswith("cookies of [masked: ")
    assert KEY not in query
    assert "posteo" not in query


def test_forgetting_a_text_deletes_the_searches_for_it_and_leaves_it_out_of_later_ones(
    ports: Ports, tenant: str, client: TestClient, owner_connection: psycopg.Connection
) -> None:
    _search(client, "the zq4711xx cookies")
    _search(client, "tea")
    ports.searches.flush()
    assert [one.values["query"] for one in find_known(ports.db, tenant, "default", "zq4711xx").elsewhere] == [
        "the zq4711xx cookies"
    ]
    done = forget(ports.db, tenant, "default", Target(Kind.TEXT, "zq4711xx"), actor="a test")
    assert [one.place for one in done.places] == ["search_log.query"]
    assert [one.query for one in find_logged(owner_connection, tenant)] == ["tea"]
    _search(client, "the zq4711xx cookies")
    ports.searches.flush()
    assert find_logged(owner_connection, tenant)[-1].query == "the [forgotten] cookies"


def test_a_store_keeps_a_sample_of_every_week_and_no_more(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    some = [a_search(weeks_before(3)) for _ in range(50)]
    many = [a_search(weeks_before(weeks)) for weeks in (2, 1) for _ in range(MOST_ROWS)]
    log_searches(ports, tenant, [*some, *many])
    log_searches(ports, tenant, [a_search(NOON) for _ in range(MOST_ROWS)])
    counts = count_by_week(owner_connection, tenant)
    assert {week.isoweekday() for week in counts} == {1}
    assert list(dict(sorted(counts.items())).values()) == [50, 650, 650, 650]


def test_what_was_read_stays_before_what_was_not(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    read = [a_search(NOON, key=f"key_{number}", shown=("mem_1",)) for number in range(20)]
    reads = [WasRead(key_id=one.key_id, memory_id="mem_1", at=one.at + timedelta(minutes=1)) for one in read]
    log_searches(ports, tenant, read, reads=reads)
    log_searches(ports, tenant, [a_search(NOON, "idle") for _ in range(MOST_ROWS)])
    kept = find_logged(owner_connection, tenant)
    assert len(kept) == MOST_ROWS
    assert [one.read_ids for one in kept if one.query != "idle"] == [["mem_1"]] * 20


def test_a_read_belongs_to_the_newest_search_of_its_key_that_showed_it_within_ten_minutes(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    minute = timedelta(minutes=1)
    searches = [
        a_search(NOON - 20 * minute, "long ago", shown=("mem_1",)),
        a_search(NOON, "first", shown=("mem_1",)),
        a_search(NOON + minute, "second", shown=("mem_1",)),
        a_search(NOON + 2 * minute, "found nothing"),
        a_search(NOON + 2 * minute, "of another", key="key_2", shown=("mem_1",)),
        a_search(NOON + 4 * minute, "later", shown=("mem_1",)),
    ]
    at = NOON + 3 * minute
    reads = [WasRead(key_id="key_1", memory_id=one, at=at) for one in ("mem_1", "mem_2", "mem_1")]
    late = WasRead(key_id="key_2", memory_id="mem_1", at=NOON + 15 * minute)
    told = WasTold(memory="mem_1", outcome=Outcome.WRONG, at=at)
    log_searches(ports, tenant, searches, reads=[*reads, late], told=[told])
    found = {one.query: (one.read_ids, one.outcome) for one in find_logged(owner_connection, tenant)}
    assert found == {
        "long ago": ([], ""),
        "first": ([], ""),
        "second": (["mem_1"], ""),
        "found nothing": (["mem_2"], ""),
        "of another": ([], "wrong"),
        "later": ([], ""),
    }


def test_the_reader_gives_what_was_read_or_told_of_the_newest_weeks_first(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant)
    told = WasTold(memory="mem_9", outcome=Outcome.HELPED, at=NOON + timedelta(minutes=1))
    searches = [
        a_search(weeks_before(1), "older", shown=("mem_1",)),
        a_search(NOON, "told", shown=("mem_9",)),
        a_search(NOON, "nothing came of it", key="key_2"),
    ]
    read = WasRead(key_id="key_1", memory_id="mem_1", at=weeks_before(1))
    log_searches(ports, tenant, searches, reads=[read], told=[told])
    assert [one.query for one in ports.search_log.find_asked(tenant, store.id, 10)] == ["told", "older"]
    assert [one.query for one in ports.search_log.find_asked(tenant, store.id, 1)] == ["told"]
    assert ports.search_log.find_asked(f"x{tenant[:20]}", store.id, 10) == []
