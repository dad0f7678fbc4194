"""Gather without a model: which of a user's sentences are stated, and in which words."""

import pytest

from shared.core.questions.question import Document, Question
from workers.offline.phrases import state_plainly, title_statement
from workers.phases.gather.answer import GatherAnswer
from workers.phases.gather.offline import decide_gathering


def stated(words: str, role: str = "user") -> list[str]:
    text = f"[1]* {role} 2026-03-04T10:00Z: {words}\n"
    piece = Document(path="sesn_1#1-1", text=text, role="session", at="2026-03-04")
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
        "Our old pier is closed. File that away.",
        "You keep mooring at the northern pier.",
        "The red sail is off the table. Two white sails plus a small jib",
        "Das ist der alte Liegeplatz.",
    ],
)
def test_words_that_need_their_session_blame_and_questions_are_not_stated(words: str) -> None:
    assert [one for one in stated(words) if not one.startswith(("Our old pier", "The red sail"))] == []


def test_a_title_says_what_it_is_about_and_not_how_it_was_said() -> None:
    piece = Document(
        path="p", text="[1]* user 2026-03-04T10:00Z: Let's keep to table tests for invoices.\n", role="session"
    )
    question = Question(phase="gather", key="sessions#1", documents=(piece,), answer_type=GatherAnswer)
    assert [memory.title for memory in decide_gathering(question).memories] == ["Keep to table tests for invoices"]


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("Remember that we use pnpm here.", "We use pnpm here."),
        ("As I said: remember that staging runs in eu-north-1.", "Staging runs in eu-north-1."),
        ("Yeah, let's keep the retry limit at five.", "Let's keep the retry limit at five."),
        ("Das stimmt nicht, die Rechnungen werden netto gespeichert.", "Die Rechnungen werden netto gespeichert."),
        ("请记住，备份是凌晨两点开始的。", "备份是凌晨两点开始的。"),  # noqa: RUF001 - as it is written
        ("No, this exporter writes CSV and never JSON.", "This exporter writes CSV and never JSON."),
        ("No jokes in commit messages.", "No jokes in commit messages."),
        ("No navegues nunca de noche.", "No navegues nunca de noche."),
        ("Remember this: the winch only takes coins.", "The winch only takes coins."),
    ],
)
def test_a_sentence_that_stands_alone_is_stated_without_its_lead_in(words: str, statement: str) -> None:
    assert state_plainly(words) == statement
    assert stated(words) == [statement]


def test_what_a_log_says_of_the_memory_itself_is_no_knowledge() -> None:
    assert stated("- 记录了安全检查流程到MEMORY.md", role="log") == []
    assert stated("- Decision: the pier opens at nine (now in MEMORY.md).", role="log") == []
    assert stated("- Decision: the pier opens at nine.", role="log") == ["Decision: the pier opens at nine."]


def gathered(words: str, memory: str, path: str = "release/guardrails.md") -> list[tuple[str | None, str | None]]:
    piece = Document(path="s", text=f"[1]* user 2026-03-04T10:00Z: {words}\n", role="session", at="2026-03-04")
    known = Document(path=path, text=memory, role="existing")
    question = Question(phase="gather", key="sessions#1", documents=(piece, known), answer_type=GatherAnswer)
    return [(one.target, one.replaces) for one in decide_gathering(question).memories]


LONG = "# Guardrails\n\n" + "\n".join(
    f"- Rule {number}: the {word} is enabled by default for the release."
    for number, word in enumerate(["tag", "log", "hook"])
)


def test_a_statement_does_not_go_into_a_long_memory_that_merely_holds_its_words_here_and_there() -> None:
    words = "Always keep the billing export enabled, whatever the default of the release branch was."
    assert gathered(words, LONG) == [(None, None)]


def test_a_statement_goes_into_the_memory_that_has_a_sentence_about_the_same_things() -> None:
    memory = "# Exports\n\n- The billing export of the depots stays enabled over night.\n"
    words = "Remember that the billing export of all depots is enabled for customers, too."
    assert gathered(words, memory, "billing/exports.md") == [("billing/exports.md", None)]


def test_a_taste_does_not_replace_what_a_memory_says() -> None:
    memory = "# Talks\n\n- Sharing experiences is important to promote understanding.\n"
    words = "I prefer that sharing experiences is not important to promote understanding."
    assert [replaces for _, replaces in gathered(words, memory, "talks.md")] == [None]


@pytest.mark.parametrize(
    ("statement", "title"),
    [
        (
            "The deploy token is [masked: GitHub Token] and lives in vault.",
            "Deploy token is [masked] and lives in vault",
        ),
        ("`yesterday` is a keyword of our DSL.", "Yesterday is a keyword of our DSL"),
        ("The flag is `--fast` and it stays.", "Flag is `--fast` and it stays"),
    ],
)
def test_a_title_breaks_neither_off_in_a_masked_key_nor_within_code(statement: str, title: str) -> None:
    assert title_statement(statement) == title


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("No, that's wrong. The staging API listens on port 9090.", "The staging API listens on port 9090."),
        ("No, that's wrong. Why would it be 8080?", None),
        ("No, that's wrong. Let me look at the logs again first.", None),
        ("No, that's wrong.", None),
    ],
)
def test_behind_a_bare_no_the_next_sentence_says_what_is_right(words: str, statement: str | None) -> None:
    assert stated(words) == ([statement] if statement else [])


def said_on(*days: tuple[str, str]) -> list[tuple[str, str, str | None]]:
    pieces = tuple(
        Document(path=f"s{day}#1-1", text=f"[1]* user {day}T10:00Z: {words}\n", role="session", at=day)
        for day, words in days
    )
    question = Question(phase="gather", key="sessions#1", documents=pieces, answer_type=GatherAnswer)
    return [(one.statement, one.title, one.replaces) for one in decide_gathering(question).memories]


def test_of_two_corrections_of_one_thing_the_later_one_wins_and_names_the_memory() -> None:
    later = ("2026-03-09", "No, that's wrong. The staging API listens on port 9090 now.")
    earlier = ("2026-03-04", "No, that's wrong. The staging API listens on port 8080, always.")
    for order in ([earlier, later], [later, earlier]):
        first, second = said_on(*order)
        assert second[0] == "The staging API listens on port 9090 now."
        assert second[2] == first[0] == "The staging API listens on port 8080, always."
        assert first[1] == second[1], "one memory, called by what holds"


def test_corrections_of_two_things_stand_beside_each_other() -> None:
    found = said_on(
        ("2026-03-04", "No, that's wrong. The staging API listens on port 8080."),
        ("2026-03-09", "No, that's wrong. The production API listens on port 9090."),
    )
    assert [replaces for _, _, replaces in found] == [None, None]


def test_a_correction_of_one_thing_leaves_a_memory_of_another_thing_alone() -> None:
    memory = "# Ports\n\n- The staging API listens on port 8080.\n"
    assert [replaces for _, replaces in gathered("No, the production API listens on port 9090.", memory)] == [None]
    assert [replaces for _, replaces in gathered("No, the staging API listens on port 9090.", memory)] == [
        "The staging API listens on port 8080."
    ]


def test_a_subject_that_only_comes_up_again_becomes_no_memory_without_a_model() -> None:
    theme = ('theme "bridge" in 2 sessions at [1]',)
    text = "[1]* user 2026-03-04T10:00Z: All jobs of the Print Bridge have a row in `jobs.db`.\n"
    piece = Document(path="s#1-1", text=text, role="session", at="2026-03-04", facts=theme)
    question = Question(phase="gather", key="sessions#1", documents=(piece,), answer_type=GatherAnswer)
    assert decide_gathering(question).memories == ()
