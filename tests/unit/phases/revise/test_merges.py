"""Merges by reference: what becomes of the lines of a note that a model puts in place of several."""

from dataclasses import replace

import pytest

from shared.core.checks.merges import judge_merge
from shared.core.checks.updates import Outcome
from shared.core.dream.operations import Operation, OperationKind, Plan, Retire, Rewrite
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Author, Memory
from shared.core.reading.placed import read_placed
from tests.unit.builders import codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.second_question import ConfirmAnswer
from workers.phase.shape import Answers
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.phase import PHASE, Inputs

RETRY = memory(
    "ops/retry.md",
    "# Retries\n\nA failed call is tried again three times.\n\n## Limits\n\n- The gateway allows 600 requests a minute\n"
    "- Ask Ana before you raise the limit\n",
    author=Author.IMPORT,
)
RETRIES = memory(
    "ops/retries.md",
    "# Retries\n\nA request that fails is repeated three times.\n\n## Limits\n\n- The gateway allows 600 requests a minute\n"
    "- Bursts of more than 50 calls are cut\n\n## Superseded\n\n- “The gateway allows 400 requests.” — until 2026-01-04\n",
    author=Author.IMPORT,
)
#: a is retries.md, b is retry.md; 1 is the sentence, 2 and 3 are the items.
STORE = (RETRIES, RETRY)


def read(*memories: Memory) -> Inputs:
    found = PHASE.read(context(*(memories or STORE)))
    assert isinstance(found, Inputs)
    return found


def merge(*lines: str, files: tuple[Memory, ...] = STORE, into: str = RETRY.path) -> Answers:
    item = {
        "files": [one.path for one in files],
        "into": into,
        "lines": lines,
        "reason": "Both tell it.",
        "confidence": 0.9,
    }
    return {"store": UpdateAnswer.model_validate({"merges": [item]})}


def plan(answers: Answers, *, doubts: str = "-", passed: bool = True, inputs: Inputs | None = None) -> Plan:
    found = inputs or read()
    (asked,) = PHASE.confirm(found, answers) or (None,)
    if asked is not None:
        verdicts = [
            {"change": one.path, "verdict": "lost" if one.path.endswith(doubts) else "nothing_lost"}
            for one in asked.documents
        ]
        answers = {**answers, asked.key: ConfirmAnswer.model_validate({"verdicts": verdicts})}
    return PHASE.plan(found, answers, replace(around(), has_passed=passed, live_memories=20))


def merged(planned: Plan) -> tuple[Operation, str]:
    (operation,) = (one for one in planned.operations if one.kind is OperationKind.MERGE)
    (written,) = (one for one in operation.changes if isinstance(one, Rewrite))
    return operation, body_of(written.content)


def test_two_notes_on_one_subject_become_one_that_says_each_thing_once() -> None:
    operation, text = merged(plan(merge("# Retries", "{b1} [a1]", "## Limits", "{b2} [a2]", "{a3}", "{b3}")))
    assert operation.propose_only is None
    assert text.strip() == (
        "# Retries\n\nA failed call is tried again three times.\n\n## Limits\n\n- The gateway allows 600 requests a minute\n"
        "- Bursts of more than 50 calls are cut\n- Ask Ana before you raise the limit\n\n"
        "## Superseded\n\n- “The gateway allows 400 requests.” — until 2026-01-04"
    )
    assert [one.path for one in operation.changes if isinstance(one, Retire)] == [RETRIES.path]


def test_a_bold_label_stays_above_its_list_as_a_heading_does() -> None:
    text = "{}\n\n**How to apply:**\n- {}\n- {}\n"
    one = memory(
        "ops/a.md", text.format("Calls are tried again.", "Wait two seconds", "Log each call"), author=Author.IMPORT
    )
    two = memory(
        "ops/b.md", text.format("Calls are tried once more.", "Wait two seconds", "Tell Ana"), author=Author.IMPORT
    )
    planned = plan(merge("{a1} [b1]", "{a2-a3} [b2]", "{b3}", files=(one, two), into=one.path), inputs=read(one, two))
    assert merged(planned)[1] == (
        "Calls are tried again.\n\n**How to apply:**\n- Wait two seconds\n- Log each call\n- Tell Ana\n"
    )


def test_what_no_line_names_stays_at_its_place() -> None:
    _, text = merged(plan(merge("# Retries", "{b1} [a1]")))
    assert text.count("600 requests") == 2, "the model did not say that it stands twice"
    assert all(said in text for said in ("Ask Ana", "Bursts of more than 50", "## Limits"))


def test_what_a_second_reader_doubts_stays_beside_what_should_have_said_it_and_the_merge_is_made() -> None:
    lines = ("# Retries", "{b1} [a1]", "{b2} [a2]")
    operation, text = merged(plan(merge(*lines), doubts="/a1"))
    assert operation.propose_only is None
    assert "A request that fails is repeated three times." in text, "in other words, and not confirmed"
    assert text.count("600 requests") == 1, "the same words need no second reader"


def test_a_sentence_of_the_models_own_may_say_what_it_cites_and_no_more() -> None:
    written = "A failed call is tried again three times, {more}. [a1 b1]"
    _, text = merged(plan(merge("# Retries", written.format(more="as both notes say"))))
    assert text.startswith("# Retries\n\nA failed call is tried again three times, as both notes say.")
    _, text = merged(plan(merge("# Retries", written.format(more="after 17 seconds"))))
    assert "17 seconds" not in text
    assert "A failed call is tried again three times." in text


def test_what_introduces_a_list_stays_although_another_note_has_it_too() -> None:
    text = "# Deploys\n\nNever do these:\n\n- {}\n- Skip the tests\n"
    one = memory("ops/deploy.md", text.format("Deploy on Fridays"), author=Author.IMPORT)
    two = memory("ops/deploys.md", text.format("Push to main"), author=Author.IMPORT)
    inputs = read(one, two)
    said = [placed.text for placed in read_placed(two.content)]
    at = next(number for number, text in enumerate(said, 1) if text.startswith("Never do these:"))
    planned = plan(merge("{a1-a9}", f"- b{at}: a1", files=(one, two), into=one.path), inputs=inputs)
    assert merged(planned)[1].count("Never do these:") == 2, "without it the items under it would read as advice"


def test_a_sentence_that_does_not_say_all_that_it_cites_gives_way_to_what_it_cites() -> None:
    _, text = merged(plan(merge("# Retries", "Calls are tried again; bursts are cut. [b1 a3]")))
    assert "Calls are tried again; bursts are cut." not in text
    assert "A failed call is tried again three times." in text
    assert "Bursts of more than 50 calls are cut" in text


def test_a_statement_is_not_left_out_if_a_value_of_it_would_be_lost() -> None:
    _, text = merged(plan(merge("# Retries", "{b1} [a3]")))
    assert "Bursts of more than 50 calls are cut" in text


@pytest.mark.parametrize(
    "line",
    ["{c1}", "Run curl now.", "{b1} [z9]", "- a99: b1", "# Run curl now", "## Run curl now", "**Run curl now:**"],
)
def test_unknown_names_and_lines_without_a_source_write_nothing(line: str) -> None:
    _, text = merged(plan(merge(line, "{b1} [a1]")))
    assert "curl" not in text
    assert all(said in text for said in ("tried again", "Ask Ana", "Bursts of more than 50"))


def test_a_model_that_has_not_passed_its_exam_proposes_the_merge() -> None:
    operation, _ = merged(plan(merge("# Retries", "{b1} [a1]", "{b2} [a2]"), passed=False))
    assert operation.propose_only is not None
    assert "exam" in operation.propose_only


def test_pages_of_two_subjects_are_not_merged_whatever_a_second_reader_says() -> None:
    text = "# Watering\n\n{}\n\n- Water it once a week\n- Feed it in spring\n- Keep it out of the sun\n"
    fern, palm = (
        memory(f"plants/{name}/care.md", text.format(f"The {name} stands in the hall."), author=Author.IMPORT)
        for name in ("fern", "palm")
    )
    planned = plan(merge("{a1-a4} [b2 b3 b4]", files=(fern, palm), into=fern.path), inputs=read(fern, palm))
    assert not [one for one in planned.operations if one.kind is OperationKind.MERGE and not one.propose_only]


def test_days_of_a_log_are_not_merged() -> None:
    days = [
        memory(f"log/2026-03-0{day}.md", "# Day\n\nAna fixed the gateway.\n", author=Author.IMPORT)
        for day in range(1, 5)
    ]
    planned = plan(merge("{a1} [b1]", files=(days[0], days[1]), into=days[0].path), inputs=read(*days))
    assert (planned.operations, codes(planned)) == ((), ["series"])


def test_notes_that_contradict_each_other_wait_for_a_person() -> None:
    other = memory(
        "ops/retry-calls.md", "# Retries\n\nA failed call is never tried again three times.\n", author=Author.IMPORT
    )
    planned = plan(merge("{a1}", files=(other, RETRY)), inputs=read(other, RETRY))
    operation, _ = merged(planned)
    assert operation.propose_only


def test_a_file_is_in_one_merge_only_and_an_update_of_it_comes_first() -> None:
    item = {"files": [one.path for one in STORE], "into": RETRY.path, "lines": ["{b1} [a1]"], "confidence": 0.9}
    planned = plan({"store": UpdateAnswer.model_validate({"merges": [item, item]})})
    assert codes(planned) == ["already_changed"]
    update = {"old": "b2", "by": ["a3"], "write": "Bursts of more than 50 calls are cut", "confidence": 0.95}
    planned = plan({"store": UpdateAnswer.model_validate({"merges": [item], "updates": [update]})})
    assert [one.kind for one in planned.operations] == [OperationKind.UPDATE]
    assert "already_changed" in codes(planned)


TASKS = memory(
    "ops/tasks.md",
    "# Retries\n\n**Never do:**\n- Retry a payment by hand\n- Skip the queue at night\n\n# Money\n\nThe weekly report goes to Ana.\n",
    author=Author.IMPORT,
)


def test_a_bold_label_comes_with_what_stands_under_it() -> None:
    found = read(TASKS, RETRY)  # a is retry.md, b is tasks.md
    _, text = merged(plan(merge("# Retries", "{b1}", "{a1-a3}", files=(TASKS, RETRY)), inputs=found))
    assert "**Never do:**\n- Retry a payment by hand\n- Skip the queue at night" in text


@pytest.mark.parametrize("lines", [("## Do", "{b1}", "{a1}"), ("{a1}", "## Reports", "{b1}")])
def test_a_statement_stays_under_its_label_if_a_second_reader_doubts_another_place(lines: tuple[str, ...]) -> None:
    found = read(TASKS, RETRY)
    _, text = merged(plan(merge("# Retries", *lines, files=(TASKS, RETRY)), doubts="/b1", inputs=found))
    assert "**Never do:**\n- Retry a payment by hand" in text


def test_a_second_heading_of_the_first_level_is_no_title() -> None:
    found = read(TASKS, RETRY)
    _, text = merged(plan(merge("# Retries", "{a1}", "{b3}", files=(TASKS, RETRY)), inputs=found))
    assert "# Money\n\nThe weekly report goes to Ana." in text
    _, text = merged(plan(merge("# Retries", "## Limits", "{b3}", files=(TASKS, RETRY)), doubts="/b3", inputs=found))
    assert "# Money\n\nThe weekly report goes to Ana." in text


@pytest.mark.parametrize(
    ("one", "other", "is_for_a_person"),
    [
        ("The lady is slicing a tomato.", "There is no one cutting a tomato.", True),
        ("Calls are repeated by the gateway.", "- Ana wrote it\n- Calls are never repeated by the gateway", True),
        ("Run the smoke tests. Do not stop the gateway.", "Run the smoke tests. Don't stop the gateway.", False),
        ("**Never skip it.** Run the smoke tests first.", "Run the smoke tests first.", False),
        ("Run the smoke tests first.", "What to do:\n- Run all smoke tests\n- Do not stop the gateway", False),
    ],
)
def test_a_denial_is_looked_for_in_single_sentences(one: str, other: str, is_for_a_person: bool) -> None:
    texts = (f"# Retries\n\n{text}\n" for text in (one, other))
    found = judge_merge(
        [memory(path, text) for path, text in zip(("ops/retry.md", "ops/retries.md"), texts, strict=True)]
    )
    assert (found is not None and found.outcome is Outcome.PERSON) is is_for_a_person
