"""A search with embeddings finds what is said in other words, beside all that words find."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from gateway.api.server import create_server
from shared.all_ports import Ports
from shared.core.memory.model import MemoryState
from shared.ports.embedder import Vector
from shared.services.memories.read import search_memories
from shared.services.memories.search import search_together
from tests.integration.api.api_support import a_client, a_token, bearer
from tests.integration.mcp.mcp_support import call
from tests.integration.meaning.embedders import FailingEmbedder, SubjectEmbedder, meaning_by
from tests.integration.meaning.vectors_support import fill, retire
from tests.support.builders import write

_NOTES = {
    "infra/storage.md": "Our live data sits in Amazon's RDS.\n",
    "ops/release.md": "We deploy on Thursdays, after lunch.\n",
    **{f"misc/{n}.md": f"Note number {n} is about nothing in particular.\n" for n in range(10)},
}
Search = Callable[..., list[str]]
_QUESTION = "which database is used?"


@pytest.fixture
def meant(ports: Ports, tenant: str) -> Ports:
    """Ports with embeddings, over a store whose vectors are made."""
    write(ports, tenant, _NOTES)
    embedder = SubjectEmbedder()
    fill(ports, tenant, embedder)
    return replace(ports, meaning=meaning_by(embedder))


def find(ports: Ports, tenant: str, query: str = _QUESTION) -> list[str]:
    hits = search_memories(ports.db, ports.search, tenant, "default", query, 10, ports.meaning)
    return [hit.path for hit in hits]


def find_together(ports: Ports, tenant: str, query: str = _QUESTION) -> list[str]:
    places = search_together(ports.db, ports.search, tenant, "default", query, 10, ports.meaning)
    assert all(0 <= place.score <= 1 for place in places)
    return [memory.path for place in places for memory in place.memories]


@pytest.mark.parametrize("search", [find, find_together])
def test_search_by_meaning_finds_a_memory_in_other_words(meant: Ports, tenant: str, search: Search) -> None:
    assert search(replace(meant, meaning=None), tenant) == []
    assert search(meant, tenant) == ["infra/storage.md"]


@pytest.mark.parametrize("search", [find, find_together])
def test_search_by_meaning_still_finds_a_memory_by_its_words(meant: Ports, tenant: str, search: Search) -> None:
    assert "misc/3.md" in search(meant, tenant, "number 3 database")
    assert "infra/storage.md" in search(meant, tenant, "number 3 database")


@pytest.mark.parametrize("search", [find, find_together])
def test_when_the_embedder_fails_words_alone_decide(meant: Ports, tenant: str, search: Search) -> None:
    broken = replace(meant, meaning=meaning_by(FailingEmbedder(fails_at=1)))
    assert (
        search(broken, tenant, "lunch") == search(replace(meant, meaning=None), tenant, "lunch") == ["ops/release.md"]
    )


def test_a_memory_that_changed_is_not_found_by_what_it_meant_before(meant: Ports, tenant: str) -> None:
    assert find(meant, tenant) == ["infra/storage.md"]
    write(meant, tenant, {"infra/storage.md": "Bicycles stand in the cellar.\n"})
    assert find(meant, tenant) == []


def test_a_retired_memory_is_not_found_by_its_meaning(meant: Ports, tenant: str) -> None:
    assert find(meant, tenant) == ["infra/storage.md"]
    retire(meant, tenant, "infra/storage.md", MemoryState.REMOVED)
    assert find(meant, tenant) == []


def test_a_new_vector_is_found_by_the_next_search(meant: Ports, tenant: str) -> None:
    find(meant, tenant)
    write(meant, tenant, {"infra/copy.md": "A copy of the live data lies in Oslo.\n"})
    fill(meant, tenant, SubjectEmbedder())
    assert sorted(find(meant, tenant)) == ["infra/copy.md", "infra/storage.md"]


def test_another_tenant_with_the_same_embedder_finds_no_foreign_memory(meant: Ports, tenant: str) -> None:
    write(meant, f"{tenant}x", {"a.md": "Bicycles stand in the cellar.\n"})
    assert find(meant, f"{tenant}x") == []


class _AsHttp(SubjectEmbedder):
    """Has an event loop of its own while it works, as the embedder of an endpoint has."""

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:
        asyncio.run(asyncio.sleep(0))
        return super().embed(texts, seconds=seconds, is_query=is_query)


@pytest.mark.thorough  # it builds a server of its own
def test_every_way_of_searching_goes_by_meaning(meant: Ports, tenant: str) -> None:
    app = create_server(replace(meant, meaning=meaning_by(_AsHttp())))
    key, store = bearer(a_token(meant, tenant)), "/api/stores/default"
    client = a_client(app)
    by_words = client.get(f"{store}/search", params={"q": _QUESTION}, headers=key).json()["data"]
    with_sessions = client.get(f"{store}/search/sessions", params={"q": _QUESTION}, headers=key).json()["data"]
    by_agent = call(app, key, "search_memory", query=_QUESTION)["memories"]
    paths = [[one["path"] for one in found] for found in (by_words, with_sessions[0]["memories"], by_agent)]
    assert paths == [["infra/storage.md"]] * 3
