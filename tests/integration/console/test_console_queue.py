"""The review queue: choosing by facets, one verdict on a page of operations, and why something was rejected."""

import re
from collections import Counter

import pytest
from starlette.testclient import TestClient

from gateway.console.reviews import bulk_reviews, reviews
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.ports.dreams import RecordedOperation
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.operations.bulk_review import MOST_AT_ONCE
from shared.services.operations.review import find_reviews, get_operation, reject_operation
from tests.integration.console.console_support import a_visitor, csrf_of, fields_of, send
from tests.integration.undo.undo_support import Dreamt, at, find_operation
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
    answer = browser.post(where, data={"csrf": csrf, "ops": " ".join(ids), **fields})
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
    assert "Nothing that matches is waiting" in visitor.get(f"{address}?dream=drm_0").text
    assert _CARD.findall(visitor.get(f"{address}?kind=ODD&confidence=odd").text) == [one.id for one in every]


def test_one_verdict_on_a_page_is_taken_back_as_a_whole(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    before, ids = take_picture(ports, dreamt.tenant), [one.id for one in waiting(ports, dreamt)]
    rejected = judge(visitor, f"{address}/reject", ids, why="It loses something")
    assert f"Rejected: {len(ids)} operations" in rejected
    assert waiting(ports, dreamt) == []
    assert {get_operation(ports.db, dreamt.tenant, one).decided_why for one in ids} == {"It loses something"}
    back = fields_of(rejected)["ops"].split()
    assert back == ids
    assert "Taken back" in judge(visitor, f"{address}/reopen", back)
    assert [one.id for one in waiting(ports, dreamt)] == ids
    now = {one.path: one.content for one in take_picture(ports, dreamt.tenant).memories.values()}
    assert now == {one.path: one.content for one in before.memories.values()}
    again = judge(visitor, f"{address}/approve", [*ids[:2], "op_0"])
    assert "Approved: 2 operations" in again
    assert "1 operation left as it is" in again
    assert "Approved: 0 operations" in judge(visitor, f"{address}/approve", ids[:2]), "a page that is loaded again"


def test_all_that_match_a_filter_are_decided_in_one_request_and_taken_back_in_one(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "_ON_A_PAGE", 2)
    every = [one.id for one in waiting(ports, dreamt)]
    assert f'href="{address}/all">Select all {len(every)} …' in visitor.get(address).text
    asked = visitor.get(f"{address}/all").text
    assert fields_of(asked)["ops"].split() == every
    verdict = {"csrf": csrf_of(asked), "ops": fields_of(asked)["ops"], "why": "It loses something"}
    told = visitor.post(f"{address}/reject", data=verdict).text
    assert f"Rejected: {len(every)} operations" in told
    assert waiting(ports, dreamt) == []
    assert {get_operation(ports.db, dreamt.tenant, one).decided_why for one in every} == {"It loses something"}
    back = {"csrf": csrf_of(told), "ops": fields_of(told)["ops"]}
    assert f"Taken back: {len(every)} operations" in visitor.post(f"{address}/reopen", data=back).text
    assert [one.id for one in waiting(ports, dreamt)] == every


def test_a_verdict_falls_on_what_was_counted_and_tells_what_another_person_decided_meanwhile(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    merges = [one.id for one in waiting(ports, dreamt) if one.operation.kind is OperationKind.MERGE]
    others = [one.id for one in waiting(ports, dreamt) if one.operation.kind is not OperationKind.MERGE]
    assert fields_of(visitor.get(f"{address}/all?kind=MERGE&phase=consolidate").text)["ops"].split() == merges
    asked = visitor.get(f"{address}/all").text
    shown = fields_of(asked)["ops"].split()[:-1]  # the last one has come since
    reject_operation(ports.db, dreamt.tenant, shown[0], actor="another person")
    told = visitor.post(f"{address}/approve", data={"csrf": csrf_of(asked), "ops": " ".join(shown)}).text
    assert f"Approved: {len(shown) - 1} operations" in told
    assert "1 operation left as it is" in told
    assert f'operations/{shown[0]}">' in told
    assert "it is rejected" in told, "its reason is told"
    assert get_operation(ports.db, dreamt.tenant, shown[0]).review is ReviewState.REJECTED
    assert [one.id for one in waiting(ports, dreamt)] == others[-1:]


def test_more_than_a_verdict_may_cover_is_said_and_the_oldest_are_taken(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_reviews, "MOST_AT_ONCE", 3)
    every = [one.id for one in waiting(ports, dreamt)]
    asked = visitor.get(f"{address}/all").text
    assert fields_of(asked)["ops"].split() == every[:3]
    assert f"{len(every)} are waiting. One verdict covers at most 3: the oldest" in asked
    assert "Nothing that matches is waiting" in visitor.get(f"{address}/all?kind=MERGE&confidence=low").text


def test_a_form_for_many_fits_into_what_a_form_may_hold(visitor: TestClient, address: str) -> None:
    unknown = [f"op_{number:026d}" for number in range(MOST_AT_ONCE)]
    told = judge(visitor, f"{address}/approve", unknown)
    assert f"{MOST_AT_ONCE:,} operations left as they are" in told
    assert "And 800 more" in told
    assert len(told) < 150_000


@pytest.mark.parametrize("is_bulk", [False, True])
def test_a_changed_proposal_is_shown_as_it_would_be_applied_now_before_its_changed_result_is_approved(
    ports: Ports, proposed: Dreamt, *, is_bulk: bool
) -> None:
    browser = a_visitor(ports, proposed.tenant, Role.REVIEWER)
    base = f"/console/t/{proposed.tenant}"
    merge = find_operation(ports, proposed.tenant, proposed.dream, OperationKind.MERGE, OperationState.PROPOSED)
    pinned = at(ports, proposed.tenant, "web/cookies.md")
    assert pinned is not None
    edit = MemoryEdit(pinned=True)
    edit_memory(ports.db, proposed.tenant, "default", pinned.id, edit, expected=Expected(), author=Author.USER)
    if is_bulk:
        told = judge(browser, f"{base}/reviews/approve", [merge])
        assert "Approve the changed result" in told
        assert (fields_of(told)["ops"], fields_of(told)["accept"]) == (merge, "yes")
        assert "Approved: 1 operation" in browser.post(f"{base}/reviews/approve", data=fields_of(told)).text
    else:
        browser.headers["hx-request"] = "true"
        card = send(browser, f"{base}/operations/{merge}/approve", **{"from": "queue"}).text
        assert _CARD.findall(card) == [merge], "it waits in its place"
        assert "changed since it was proposed" in card
        assert (
            f'<details data-diff open hx-get="{base}/dreams/{proposed.dream.id}/diffs/{merge}" hx-trigger="load"'
            in card
        )
        assert "Approve the changed result" in card
        del browser.headers["hx-request"]
        assert "Approve the changed result" in browser.get(f"{base}/operations/{merge}").text
        send(browser, f"{base}/operations/{merge}/approve")
    assert get_operation(ports.db, proposed.tenant, merge).review is ReviewState.APPROVED


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
    assert "because: The gate opens at &lt;eight&gt;" in visitor.get(page).text
    other = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.CROSS_REFERENCE)
    assert 'data-reason="5"' in visitor.get(f"{page.rpartition('/')[0]}/{other}").text, (
        "its own page asks as the queue does"
    )
    assert get_operation(ports.db, dreamt.tenant, page.rpartition("/")[2]).review is ReviewState.REJECTED


def test_a_merge_shows_which_lines_of_its_source_survive_and_folds_the_frontmatter(
    ports: Ports, dreamt: Dreamt, visitor: TestClient
) -> None:
    merge = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    text = visitor.get(f"/console/t/{dreamt.tenant}/operations/{merge}").text
    lines = text[text.index('aria-label="Lines of web/cookies-twin.md"') :].partition("</table>")[0]
    assert '<span class="state good">kept</span> <span class="dim">line' in lines
    assert "# Cookies" in lines
    assert "<summary>Frontmatter</summary>" in text
