"""Asking a store as its agents do, in the console and in the shell: what is found and why, and saying what is wrong there."""

import json
import re
from collections.abc import Callable
from html import unescape

import psycopg
import pytest
from starlette.testclient import TestClient
from typer.testing import Result

from shared.all_ports import Ports
from shared.core.learning.feedback import FeedbackKind
from shared.core.memory.model import Author
from shared.core.memory.writers import Rank
from shared.core.tenants.roles import Role
from shared.services.sessions.feedback import find_feedback
from tests.integration.console.console_support import a_visitor, send
from tests.integration.evidence.search_log_support import find_logged
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import a_store, take_picture, write

CommandLine = Callable[..., Result]
_CARD = '<li class="card read">'
DOOR = "office/door.md"


def said(page: str) -> str:
    """The text that a person reads, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture
def reviewer(ports: Ports, dreamt: Dreamt) -> TestClient:
    return a_visitor(ports, dreamt.tenant, Role.REVIEWER)


def address_of(tenant: str) -> str:
    return f"/console/t/{tenant}/stores/default/ask"


def test_a_reviewer_sees_what_both_readers_find_why_and_which_dream_wrote_each_line(
    dreamt: Dreamt, reviewer: TestClient
) -> None:
    page = reviewer.get(address_of(dreamt.tenant), params={"q": "What is the code of the office door?"}).text
    cards = [said(one) for one in page.split(_CARD)[1:]]
    first = next(one for one in cards if one.startswith("1 "))
    assert first.startswith(f"1 {DOOR}")
    assert "Found by code office door" in first
    assert "trust" in first
    assert "The code of the office door is 5678." in first
    assert "brought by default, " in first, "the dream that corrected it"
    assert f'href="/console/t/{dreamt.tenant}/dreams/{dreamt.dream.id}"' in page
    index = next(one for one in cards if one.startswith("MEMORY.md"))
    assert "Loaded at the start; it holds code office door" in index
    assert "Note the correction" not in index, "it repeats other memories"
    assert re.search(r"A search, over the API or MCP \d+ texts?, [\d,]+ tokens loaded", said(page))
    assert re.search(r"Files, as a coding agent reads them \d texts? after MEMORY.md, [\d,]+ tokens loaded", said(page))


def test_what_a_person_asks_is_no_search_of_an_agent_and_no_read(
    ports: Ports, dreamt: Dreamt, reviewer: TestClient, owner_connection: psycopg.Connection, command_line: CommandLine
) -> None:
    before = take_picture(ports, dreamt.tenant)
    assert DOOR in reviewer.get(address_of(dreamt.tenant), params={"q": "office door"}).text
    assert DOOR in command_line("memory", "ask", dreamt.tenant, "office door").stdout
    ports.recall.flush()
    assert find_logged(owner_connection, dreamt.tenant) == []
    assert take_picture(ports, dreamt.tenant) == before


def test_a_line_that_is_wrong_becomes_a_correction_of_its_memory_by_a_person(
    ports: Ports, dreamt: Dreamt, reviewer: TestClient
) -> None:
    where = address_of(dreamt.tenant)
    memory = next(one.id for one in take_picture(ports, dreamt.tenant).memories.values() if one.path == DOOR)
    line = "The code of the office door is 5678."
    asked = {"memory": memory, "line": line, "q": "office door"}
    send(reviewer, f"{where}/wrong", right=line, **asked)
    assert "write what is right in place of the line" in said(reviewer.get(where).text)
    assert find_feedback(ports.db, dreamt.tenant, "default", limit=10) == []
    answer = send(reviewer, f"{where}/wrong", right="The code of the office door is 9012.", **asked)
    assert answer.headers["location"] == f"{where}?q=office+door"
    assert f"the next dream corrects {DOOR}" in said(reviewer.get(where).text)
    [noted] = find_feedback(ports.db, dreamt.tenant, "default", limit=10)
    assert (noted.kind, noted.subject, noted.rank) == (FeedbackKind.CORRECTION, DOOR, Rank.OWNER)
    assert noted.text == "The code of the office door is 9012."


def test_texts_that_are_found_and_not_read_are_named_with_the_reason(
    ports: Ports, tenant: str, command_line: CommandLine
) -> None:
    long = "The plumbus hums. " * 600
    write(ports, tenant, {"ops/manual.md": f"# Plumbus plumbus\n\n{long}\n"}, author=Author.USER)
    write(
        ports,
        tenant,
        {"ops/shift.md": "# Shift\n\nThe plumbus rests on Sundays, once the hall is swept and locked.\n"},
        author=Author.USER,
    )
    write(ports, tenant, {"ops/agent.md": "# Agent\n\nThe plumbus ships on Fridays.\n"})
    many = {f"notes/plumbus-{number}.md": f"# Note {number}\n\nNumber {number}.\n" for number in range(8)}
    write(ports, tenant, many, author=Author.USER)
    command_line("stores", "set", f"{tenant}/default", "--set", "recall.least_rank=user")
    page = a_visitor(ports, tenant).get(address_of(tenant), params={"q": "plumbus"}).text
    text = said(page)
    assert "ops/agent.md hidden from agents: recall.least_rank is user" in text
    assert "2,000 tokens were read before it" in text
    assert "behind the first 3 files" in text
    told = json.loads(command_line("memory", "ask", tenant, "plumbus", "--json").stdout)["readers"]
    assert "ops/agent.md" not in [one["path"] for one in told["search"]["read"]]
    assert told["search"]["tokens"] == 2_000
    assert {one["path"] for one in told["search"]["left_out"]} >= {"ops/agent.md"}
    assert [one["place"] for one in told["files"]["read"]] == [1, 2, 3]


def test_a_store_without_memories_a_question_without_an_answer_and_a_long_one_are_answered_in_words(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), address_of(tenant)
    assert "Ask what the agent should know." in browser.get(where).text
    assert "This store has no memories yet." in browser.get(where, params={"q": "door"}).text
    write(ports, tenant, {DOOR: "# Door\n\nThe code is 1234.\n"})
    nothing = said(browser.get(where, params={"q": "offise"}).text)
    assert "A search finds nothing." in nothing
    assert "Spelt alike Door office/door.md" in nothing
    assert "no embeddings: texts are found by their words alone" in nothing
    assert "no MEMORY.md, which a dream writes" in nothing
    long = " ".join(f"word{number}" for number in range(120))[:1_000]
    assert "Only the first 50 telling words" in browser.get(where, params={"q": long}).text
    assert browser.get(where, params={"q": "x" * 1_001}).status_code == 422
    assert browser.get(where.replace("default", "gone")).status_code == 404
