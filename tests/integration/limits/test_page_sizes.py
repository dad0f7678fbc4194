"""A page of long texts ends early, is never read whole, and continues where it ended."""

import pytest
from starlette.testclient import TestClient

from gateway.api.http.paging import MAX_PAGE_BYTES, find_within
from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import a_store, write

_LONG, _COUNT = 300_000, 12


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    opened = a_client(an_app(ports))
    opened.headers.update(bearer(a_token(ports, tenant, rate_per_minute=100_000)))
    return opened


def test_a_history_of_long_texts_comes_in_short_pages(client: TestClient, ports: Ports, tenant: str) -> None:
    for number in range(_COUNT):
        write(ports, tenant, {"a.md": f"# {number}\n" + "word " * (_LONG // 5)})
    memory = client.get("/api/stores/default/memories").json()["data"][0]["id"]
    where, seen, cursor = f"/api/stores/default/memories/{memory}/history?limit=200", [], ""
    while True:
        answer = client.get(where + cursor)
        assert len(answer.content) < MAX_PAGE_BYTES + 2 * _LONG
        seen += [one["version"] for one in answer.json()["data"]]
        if answer.json()["next_cursor"] is None:
            break
        cursor = f"&cursor={answer.json()['next_cursor']}"
    assert cursor
    assert seen == list(range(_COUNT, 0, -1))


def test_lists_of_v1_with_texts_come_in_short_pages(client: TestClient, ports: Ports, tenant: str) -> None:
    for number in range(_COUNT):
        write(ports, tenant, {f"{number:02}.md": "word " * (_LONG // 5)})
    store = f"/v1/memory_stores/{a_store(ports, tenant).id}"
    for path in (f"{store}/memories?view=full&limit=20", f"{store}/memory_versions?view=full&limit=20"):
        seen, page = [], ""
        while True:
            answer = client.get(path + page)
            assert len(answer.content) < MAX_PAGE_BYTES + 2 * _LONG
            seen += [one["path"] for one in answer.json()["data"]]
            if answer.json()["next_page"] is None:
                break
            page = f"&page={answer.json()['next_page']}"
        assert page
        assert sorted(seen) == [f"/{number:02}.md" for number in range(_COUNT)]


def _page(sizes: list[int], limit: int) -> tuple[list[int], bool, list[int]]:
    """Return the places on a page of texts of these sizes, whether there is more, and how many were asked for at once."""
    asked: list[int] = []

    def find(start_after: int | None, wanted: int) -> list[int]:
        asked.append(wanted)
        first = 0 if start_after is None else start_after + 1
        return list(range(len(sizes)))[first : first + wanted]

    shown, is_more = find_within(find, None, limit, size_of=lambda one: sizes[one], place=lambda one: one)
    return shown, is_more, asked


def test_a_page_ends_at_its_limit_or_at_its_size_whichever_is_first() -> None:
    assert _page([1] * 30, 20)[:2] == (list(range(20)), True)
    assert _page([1] * 20, 20)[:2] == (list(range(20)), False)
    assert _page([], 20)[:2] == ([], False)
    assert _page([MAX_PAGE_BYTES // 4] * 30, 20)[:2] == ([0, 1, 2, 3], True)
    assert _page([2 * MAX_PAGE_BYTES] * 3, 20)[:2] == ([0], True)  # a text that is too long is a page by itself
    assert _page([2 * MAX_PAGE_BYTES], 20)[:2] == ([0], False)


def test_few_long_texts_are_read_at_once_and_short_ones_in_two_questions() -> None:
    assert max(_page([MAX_PAGE_BYTES // 2] * 200, 200)[2]) <= 10
    assert len(_page([10] * 300, 200)[2]) == 2
