"""The review queue: choosing by facets, one verdict on a page of operations, and why something was rejected."""

import re
from collections import Counter

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.dream.model import ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.tenants.roles import Role
from shared.ports.dreams import RecordedOperation
from shared.services.operations.review import find_reviews, get_operation
from tests.integration.console.console_support import a_visitor, csrf_of, send
from tests.integration.undo.undo_support import Dreamt, find_operation
from tests.support.builders import take_picture

_CARD = re.compile(r'<li class="card review" id="(op_\w+)"')


@pytest.fixture
def visitor(ports: Ports, dreamt: Dreamt) -> TestClient:
    return a_visitor(ports, dreamt.tenant, Role.REVIEWER)


@pytest.fixture
def address(dreamt: Dreamt) -> str:
    return f"/console/t/{dreamt.tenant}/reviews"


def waiting(ports: Ports, dreamt: Dreamt) -> list[RecordedOperation]:
    return find_reviews(ports.db, dreamt.tenant, limit=100)


def judge(browser: TestClient, where: str, ids: list[str], **fields: str) -> str:
    csrf = csrf_of(browser.get(where.rpartition("/")[0]).text)
    answer = browser.post(where, data={"csrf": csrf, "op": ids, **fields})
    assert answer.status_code == 200
    return answer.text


def test_the_queue_is_narrowed_by_kind_confidence_store_and_dream_and_says_how_many_each_shows(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    every = waiting(ports, dreamt)
    kinds = Counter(one.operation.kind for one in every)
    text = visitor.get(address).text
    assert f"<title>({len(every)}) Reviews" in text
    assert _CARD.findall(text) == [one.id for one in every]
    assert f'{address}?kind=MERGE">merged {kinds[OperationKind.MERGE]}<' in text
    merges = visitor.get(f"{address}?kind=MERGE&dream={dreamt.dream.id}&store=default&confidence=unsaid").text
    assert _CARD.findall(merges) == [one.id for one in every if one.operation.kind is OperationKind.MERGE]
    sure = visitor.get(f"{address}?confidence=high").text
    assert _CARD.findall(sure) == [one.id for one in every if one.operation.confidence == 0.9]
    assert "Nothing like that waits" in visitor.get(f"{address}?dream=drm_0").text
    assert _CARD.findall(visitor.get(f"{address}?kind=ODD&confidence=odd").text) == [one.id for one in every]


def test_one_verdict_on_a_page_is_taken_back_as_a_whole(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    before, ids = take_picture(ports, dreamt.tenant), [one.id for one in waiting(ports, dreamt)]
    rejected = judge(visitor, f"{address}/reject", ids, why="It loses something")
    assert f"Rejected: {len(ids)} operations" in rejected
    assert waiting(ports, dreamt) == []
    assert {get_operation(ports.db, dreamt.tenant, one).decided_why for one in ids} == {"It loses something"}
    back = re.findall(r'name="op" value="(op_\w+)"', rejected)
    assert "Taken back" in judge(visitor, f"{address}/reopen", back)
    assert [one.id for one in waiting(ports, dreamt)] == ids
    now = {one.path: one.content for one in take_picture(ports, dreamt.tenant).memories.values()}
    assert now == {one.path: one.content for one in before.memories.values()}
    again = judge(visitor, f"{address}/approve", [*ids[:2], "op_0"])
    assert "Approved: 2 operations" in again
    assert "1 operation left as it is" in again
    assert "Approved: 0 operations" in judge(visitor, f"{address}/approve", ids[:2]), "a page that is loaded again"


def test_a_rejection_keeps_the_words_or_the_reason_that_was_pressed(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    page = f"/console/t/{dreamt.tenant}/operations/{find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)}"
    assert 'data-reason="1"' in visitor.get(address).text
    visitor.headers["hx-request"] = "true"
    fields = {"from": "queue", "why": "It is wrong", "words": " The gate opens at <eight> "}
    settled = send(visitor, f"{page}/reject", **fields).text
    assert "because: The gate opens at &lt;eight&gt;" in settled
    assert settled.lower().count("rejected") == 1
    del visitor.headers["hx-request"]
    assert "Rejected because: The gate opens at &lt;eight&gt;" in visitor.get(page).text
    assert get_operation(ports.db, dreamt.tenant, page.rpartition("/")[2]).review is ReviewState.REJECTED


def test_a_merge_shows_which_lines_of_its_source_survive_and_folds_the_frontmatter(
    ports: Ports, dreamt: Dreamt, visitor: TestClient
) -> None:
    merge = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    text = visitor.get(f"/console/t/{dreamt.tenant}/operations/{merge}").text
    lines = text[text.index('aria-label="Lines of web/cookies-twin.md"') :].partition("</table>")[0]
    assert '<span class="state good">kept</span> <span class="dim">line' in lines
    assert "# Cookie rules" in lines
    assert "<summary>Frontmatter</summary>" in text
