"""Searching memories and sessions at once: what a dream wrote down is found beside what it came from, in one place."""

from fastapi import FastAPI
from fastapi.testclient import TestClient

from gateway.api.server import create_server
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.sessions.model import EventKind
from shared.services.memories.search import SearchResult, search_together
from tests.integration.api.api_support import a_token, bearer
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import run_dream, write
from tests.support.session_builders import tell

ROTA = "Remember that the on-call rota changes on Mondays."


def search(ports: Ports, tenant: str, query: str, limit: int = 10) -> list[SearchResult]:
    return search_together(ports.db, ports.search, tenant, "default", query, limit)


def shown(places: list[SearchResult]) -> list[tuple[str | None, list[str]]]:
    return [(place.said.event_id if place.said else None, [one.path for one in place.memories]) for place in places]


def test_a_dream_moves_nothing_out_of_what_a_search_finds(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", ROTA, "the rota file is huge", "who is in the rota?", "rota done")
    before = search(ports, tenant, "on-call rota", limit=3)
    run_dream(ports, tenant, OfflineLlm())
    after = search(ports, tenant, "on-call rota", limit=3)
    assert [place.said for place in after] == [place.said for place in before]
    assert len(before) == 3
    (said, (path,)) = shown(after)[0]
    assert said == "e1"
    assert path.endswith(".md")


def test_memories_and_events_of_sessions_are_in_one_list(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"ops/rota.md": "# Rota\n\nAnna keeps the rota of the night shift.\n"})
    tell(ports, tenant, "s1", "the rota is in the wiki", (EventKind.TOOL_RESULT, "rota rota rota"))
    places = search(ports, tenant, "who keeps the rota of the night shift")
    assert shown(places) == [(None, ["ops/rota.md"]), ("e1", [])]
    assert 0 < places[1].score < places[0].score < 1


def test_nothing_is_found_where_there_is_nothing_and_no_query_breaks_it(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "a plain text")
    for query in ("absent", "' | & !", "\x00", "the", "%"):
        assert search(ports, tenant, query) == []
    assert shown(search(ports, tenant, "plain\x00 text")) == [("e1", [])]


def test_the_api_and_the_tool_find_the_same(ports: Ports, tenant: str) -> None:
    app: FastAPI = create_server(ports)
    tell(ports, tenant, "s1", ROTA)
    run_dream(ports, tenant, OfflineLlm())
    key = bearer(a_token(ports, tenant))
    with TestClient(app) as client:
        answer = client.get("/api/stores/default/search/sessions", params={"q": "rota"}, headers=key)
    assert answer.status_code == 200
    (place,) = answer.json()["data"]
    assert (place["said"]["event_id"], len(place["memories"])) == ("e1", 1)
    assert call(a_server(ports), key, "search_everything", query="rota")["places"] == [place]
