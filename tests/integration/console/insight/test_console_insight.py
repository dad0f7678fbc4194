"""An owner's insight: what a week was worth in one page, the weeks before by their address, and what agents are shown."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape

import psycopg
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.insight.digest import render_week
from shared.core.insight.model import Judged, Lesson, OperationsOfKind, find_monday
from shared.core.insight.sentences import say_deeds
from shared.core.memory.model import Author
from shared.core.policy.policy import Autonomy
from shared.core.tenants.roles import Role
from shared.services.approval import approve
from shared.services.insight.week import get_week
from shared.services.operations.review import find_reviews, reject_operation
from shared.services.operations.undo import undo_dream
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import a_store, write
from tests.support.evaluation.reports import a_harmful_report, store_evaluation

THIS_WEEK = find_monday(datetime.now(UTC).date())
_LINK = re.compile(r'<a href="(/console/t/[^"]+)"')


def week_of(browser: TestClient, tenant: str, week: str = "") -> str:
    """The page of a week."""
    answer = browser.get(f"/console/t/{tenant}/insight", params={"week": week})
    assert answer.status_code == 200
    return unescape(answer.text)


def test_one_page_answers_what_was_learned_whether_it_was_right_what_it_cost_and_what_waits(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_rich_store(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    browser = a_visitor(ports, tenant, Role.REVIEWER)
    text = week_of(browser, tenant)
    assert "<q>The code of the office door is 5678.</q>" in text
    assert "instead of <s>The code of the office door is 1234.</s>" in text
    assert "It merged one group of memories" in text
    assert re.search(r"What did it cost[?].{0,80} model calls with [\d,]+ tokens", text, re.DOTALL)
    assert "What waits for you?" in text
    links = [link for link in _LINK.findall(text) if "/operations/" in link or "/memories/" in link]
    assert len(links) > 2
    assert {browser.get(link).status_code for link in links} == {200}
    last_month = datetime.now(UTC) - timedelta(days=28)
    assert "No dream brought a new statement in that week" in week_of(browser, tenant, f"{last_month:%Y-%m-%d}")
    owner_connection.execute("UPDATE dreams SET created_at = %s WHERE id = %s", [last_month, dream.id])
    assert "5678" not in week_of(browser, tenant)
    assert "5678" in week_of(browser, tenant, f"{last_month:%Y-%m-%d}")


def test_imports_and_what_was_taken_back_are_no_new_knowledge(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"imported/a.md": "# A\n\nIt rains.\n", "imported/b.md": "# B\n"}, author=Author.IMPORT)
    a_rich_store(ports, tenant)
    before = get_week(ports.db, tenant, THIS_WEEK)
    dream = dream_of_everything(ports, tenant)
    after = get_week(ports.db, tenant, THIS_WEEK)
    assert after.new.written > before.new.written
    assert after.new.imported == before.new.imported == 2
    assert after.lessons
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    undone = get_week(ports.db, tenant, THIS_WEEK)
    assert undone.new == before.new
    assert undone.lessons == ()
    assert undone.judged.taken_back + undone.judged.rejected == undone.judged.number > 0


def test_each_change_is_counted_once_by_what_became_of_it(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant, autonomy=Autonomy.PROPOSE)
    dream_of_everything(ports, tenant)
    waiting = [one.id for one in find_reviews(ports.db, tenant, limit=50)]
    assert get_week(ports.db, tenant, THIS_WEEK).judged == Judged(waiting=len(waiting))
    approve(ports.db, ports.ids, tenant, waiting[0], actor="a test")
    reject_operation(ports.db, tenant, waiting[1], actor="a test")
    judged = get_week(ports.db, tenant, THIS_WEEK).judged
    assert judged == Judged(approved=1, rejected=1, waiting=len(waiting) - 2)


def test_the_digest_of_a_store_is_fetched_as_markdown_with_the_same_sentences(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    dream_of_everything(ports, tenant)
    a_store(ports, tenant, "empty")
    browser = a_visitor(ports, tenant)
    answer = browser.get(f"/console/t/{tenant}/insight/digest.md", params={"store": "default"})
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "- The code of the office door is 5678. (before: The code of the office door is 1234.)" in answer.text
    for question in ("learned", "was right", "cost", "help?", "waits for you"):
        assert re.search(rf"^## .*{re.escape(question)}", answer.text, re.MULTILINE)
    empty = browser.get(f"/console/t/{tenant}/insight/digest.md", params={"store": "empty"}).text
    assert "Dreams brought no new statement" in empty
    assert "No model was asked" in empty
    assert browser.get(f"/console/t/{tenant}/insight/digest.md", params={"store": "none"}).status_code == 404
    client, header = a_client(an_app(ports)), bearer(a_token(ports, tenant))
    fetched = client.get("/api/insight", params={"store": "default"}, headers=header).json()
    assert fetched["markdown"] == answer.text
    assert fetched["lessons"][0]["instead_of"] == "The code of the office door is 1234."


def test_the_answer_to_whether_it_helps_leads_to_the_evaluation_or_to_where_one_is_ordered(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"a.md": "# A\n\nIt rains.\n"})
    browser = a_visitor(ports, tenant)
    there = f"/console/t/{tenant}/stores/default/evaluations"
    assert f'<a href="{there}">Evaluate default on a copy</a>' in week_of(browser, tenant)
    reviewer = a_visitor(ports, tenant, Role.REVIEWER)
    assert f'<a href="{there}">Evaluations of default</a>' in week_of(reviewer, tenant), "who may not order one"
    done = store_evaluation(ports, tenant, "default", a_harmful_report()).id
    assert f'<a href="{there}/{done}">How it was evaluated</a>' in week_of(browser, tenant)
    assert {browser.get(one).status_code for one in (there, f"{there}/{done}")} == {200}


def test_an_instruction_of_a_memory_stays_text_in_the_digest(ports: Ports, tenant: str) -> None:
    lesson = Lesson(
        operation_id="op_1", kind=OperationKind.GATHER, store="s", path="a.md", text="<b>See</b> [it](http://x)"
    )
    a_store(ports, tenant)
    week = replace(get_week(ports.db, tenant, THIS_WEEK), lessons=(lesson,))
    assert "- \\<b>See\\</b> \\[it](http://x)" in render_week(week, tenant)


def test_memories_come_in_the_order_in_which_agents_were_shown_them_and_the_others_are_counted(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {f"notes/{name}.md": f"# Note {name}\n\n<b>{name}</b>\n" for name in "abc"})
    browser = a_visitor(ports, tenant)
    assert "No agent has been shown any of the 3 memories yet." in week_of(browser, tenant)
    for name, times in (("a", 2), ("c", 5)):
        owner_connection.execute(
            "UPDATE memories SET access_count = %s WHERE tenant_id = %s AND path = %s",
            [times, tenant, f"notes/{name}.md"],
        )
    text = week_of(browser, tenant)
    assert "have shown agents 2 of 3 memories; 1 was never shown." in text
    shown = text[text.index("Most often") :]
    assert shown.index(">Note c</a>") < shown.index(">Note a</a>")


def test_an_address_that_names_no_week_shows_this_one(ports: Ports, tenant: str) -> None:
    browser = a_visitor(ports, tenant)
    for odd in ("", "soon", "9999-12-31", "2026-02-30", "0001-01-01"):
        text = browser.get(f"/console/t/{tenant}/insight", params={"week": odd}).text
        assert "learned" in text
    assert "What it learned this week" in browser.get(f"/console/t/{tenant}/insight").text


def test_a_sentence_counts_and_skips_what_only_keeps_house() -> None:
    deeds = {
        OperationKind.ARCHIVE: OperationsOfKind(kind=OperationKind.ARCHIVE, number=1, memories=1),
        OperationKind.ARCHIVE_STALE: OperationsOfKind(kind=OperationKind.ARCHIVE_STALE, number=1, memories=1_200),
        OperationKind.CORRECT: OperationsOfKind(kind=OperationKind.CORRECT, number=1, memories=1),
        OperationKind.INDEX: OperationsOfKind(kind=OperationKind.INDEX, number=9, memories=9),
    }
    assert [one.text for one in say_deeds(deeds)] == ["It corrected one statement", "It archived 1,201 memories"]
