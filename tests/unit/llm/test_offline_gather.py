"""Gather without a model: which of a user's sentences are stated, and in which words."""

import pytest

from shared.adapters.llm.offline_gather import decide_gathering, state_plainly
from shared.core.answers import GatherAnswer
from shared.core.question import Document, Question


def stated(words: str) -> list[str]:
    piece = Document(path="sesn_1#1-1", text=f"[1]* user 2026-03-04T10:00Z: {words}\n", role="session", at="2026-03-04")
    question = Question(phase="gather", key="sessions#1", documents=(piece,), answer_type=GatherAnswer)
    return [memory.statement for memory in decide_gathering(question).memories]


@pytest.mark.parametrize(
    "words",
    [
        "Let's remove this too",
        "Implement the following plan:",
        "Can we move the design document into its own folder?",
        "Is there any way to not repeat the whole error?",
        "No, you have attached it to the project...",
    ],
)
def test_what_nobody_understands_without_the_session_and_what_asks_is_not_stated(words: str) -> None:
    assert stated(words) == []


def test_a_title_says_what_it_is_about_and_not_how_it_was_said() -> None:
    piece = Document(
        path="p", text="[1]* user 2026-03-04T10:00Z: Let's add table tests for invoices.\n", role="session"
    )
    question = Question(phase="gather", key="sessions#1", documents=(piece,), answer_type=GatherAnswer)
    assert [memory.title for memory in decide_gathering(question).memories] == ["Add table tests invoices"]


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("Remember that we use pnpm here.", "We use pnpm here."),
        ("As I said: remember that staging runs in eu-north-1.", "Staging runs in eu-north-1."),
        ("Yeah, let's make the retry limit a constant.", "Let's make the retry limit a constant."),
        ("No, this exporter writes CSV and never JSON.", "This exporter writes CSV and never JSON."),
    ],
)
def test_what_stands_alone_is_stated_without_what_leads_into_it(words: str, statement: str) -> None:
    assert state_plainly(words) == statement
    assert stated(words) == [statement]
