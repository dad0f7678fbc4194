"""Two dreams of a store side by side, in the console and in the shell, and what the second changed again."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape

import pytest
from pydantic import BaseModel
from starlette.testclient import TestClient
from typer.testing import Result

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.questions.question import Question
from shared.core.tenants.roles import Role
from tests.integration.console.console_support import a_visitor
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import run_dream, write
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

CommandLine = Callable[..., Result]
DOOR = "office/door.md"
OLD, NEW = "The code of the office door is 5678.", "The code of the office door is 9012."


def said(page: str) -> str:
    """The text that a person reads, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def correct_again(question: Question) -> BaseModel | None:
    if question.phase != "gather":
        return None
    return GatherAnswer(
        memories=tuple(
            GatheredMemory(
                kind="correction", window=one.path, quote=f"No, {NEW.lower()}", statement=NEW, target=DOOR, replaces=OLD,
                confidence=0.9,
            )
            for one in question.documents
            if "9012" in one.text and one.role == "session"
        )
    )  # fmt: skip


@pytest.fixture
def second(ports: Ports, dreamt: Dreamt, command_line: CommandLine) -> Dream:
    """A dream that corrects again what the first one had corrected, after a setting was changed."""
    command_line("stores", "set", f"{dreamt.tenant}/default", "--set", "gates.min_hours=7")
    tell(ports, dreamt.tenant, "s9", f"No, {NEW.lower()}", at=datetime.now(UTC))
    return run_dream(ports, dreamt.tenant, ScriptedLlm(correct_again))


@pytest.fixture
def reviewer(ports: Ports, dreamt: Dreamt) -> TestClient:
    return a_visitor(ports, dreamt.tenant, Role.REVIEWER)


def test_a_dream_is_compared_with_the_one_before_and_names_what_it_changed_again(
    dreamt: Dreamt, second: Dream, reviewer: TestClient
) -> None:
    where = f"/console/t/{dreamt.tenant}/dreams"
    assert f'{where}/{second.id}/compare">Compare with the dream before' in reviewer.get(f"{where}/{second.id}").text
    page = said(reviewer.get(f"{where}/{second.id}/compare").text)
    assert re.search(r"Corrected 1 1 ", page), page
    assert re.search(r"gates.min_hours \S+ → 7", page)
    assert f"{NEW} corrected {DOOR} instead of: {OLD}" in page
    assert f"{DOOR} : corrected , then corrected gone again: {OLD}" in page
    assert (
        said(reviewer.get(f"{where}/{dreamt.dream.id}/compare?with={second.id}").text).count(f"gone again: {OLD}") == 1
    )
    alone = said(reviewer.get(f"{where}/{dreamt.dream.id}/compare").text)
    assert "There is no earlier dream of this store." in alone


def test_the_shell_gives_the_same_comparison(
    ports: Ports, dreamt: Dreamt, second: Dream, command_line: CommandLine
) -> None:
    told = json.loads(command_line("dreams", "diff", dreamt.tenant, second.id, "--json").stdout)
    assert (told["first"]["id"], told["second"]["id"]) == (dreamt.dream.id, second.id)
    assert [(one["path"], one["taken"]) for one in told["changed_again"]] == [(DOOR, [OLD])]
    assert told["second"]["operations"]["CORRECT"] == 1
    assert told["settings"]["gates.min_hours"]["to"] == 7
    shown = command_line("dreams", "diff", dreamt.tenant, dreamt.dream.id, second.id).stdout
    assert f"- {OLD}" in shown
    refused = command_line("dreams", "diff", dreamt.tenant, dreamt.dream.id)
    assert "first dream of its store" in str(refused.exception)
    write(ports, dreamt.tenant, {"a.md": "# A\n\nIt is a.\n"}, store="other")
    other = run_dream(ports, dreamt.tenant, store="other")
    mixed = command_line("dreams", "diff", dreamt.tenant, other.id, second.id)
    assert "choose two of one store" in str(mixed.exception)
