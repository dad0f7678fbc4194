"""An owner's insight: a week as a digest of sentences, weeks before by their address, and what is recalled."""

import re
from datetime import UTC, datetime, timedelta

import psycopg
from starlette.testclient import TestClient

from gateway.console.insight.sentences import say_deeds
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.ports.tenants import OperationsOfKind
from tests.integration.console.console_support import a_visitor
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import write

_LINK = re.compile(r'<a href="(/console/t/[^"]+)"')


def digest_of(browser: TestClient, tenant: str, week: str = "") -> str:
    """The digest of a week's page; empty where nothing was learned."""
    answer = browser.get(f"/console/t/{tenant}/insight", params={"week": week})
    assert answer.status_code == 200
    found = re.search(r'(?s)<div class="learned">(.*?)</div>', answer.text)
    return found.group(1) if found else ""


def test_a_week_reads_as_sentences_whose_links_lead_to_what_they_tell(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_rich_store(ports, tenant)
    dream_of_everything(ports, tenant)
    browser = a_visitor(ports, tenant)
    digest = digest_of(browser, tenant)
    assert "memories are new" in digest
    assert "It merged one group of memories" in digest
    links = _LINK.findall(digest)
    assert any("/operations/" in link for link in links)
    assert any("/memories/" in link for link in links)
    assert {browser.get(link).status_code for link in links} == {200}
    last_month = datetime.now(UTC) - timedelta(days=28)
    assert digest_of(browser, tenant, f"{last_month:%Y-%m-%d}") == ""
    owner_connection.execute("UPDATE dreams SET created_at = %s WHERE tenant_id = %s", [last_month, tenant])
    assert "It merged" not in digest_of(browser, tenant)
    assert "It merged one group of memories" in digest_of(browser, tenant, f"{last_month:%Y-%m-%d}")


def test_recalled_memories_come_in_the_order_of_their_recalls_and_the_others_are_counted(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {f"notes/{name}.md": f"# Note {name}\n\n<b>{name}</b>\n" for name in "abc"})
    browser = a_visitor(ports, tenant)
    where = f"/console/t/{tenant}/insight"
    assert "No agent has recalled any of the 3 memories yet." in browser.get(where).text
    for name, times in (("a", 2), ("c", 5)):
        owner_connection.execute(
            "UPDATE memories SET access_count = %s WHERE tenant_id = %s AND path = %s",
            [times, tenant, f"notes/{name}.md"],
        )
    text = browser.get(where).text
    assert "Agents have read 2 of 3 memories; 1 was never recalled." in text
    assert text.index(">Note c</a>") < text.index(">Note a</a>", text.index("Most often"))


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
