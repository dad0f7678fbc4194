"""Merged skills as edits: the host joins whole skills, and leaves out only what a model names and another sentence says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Operation, Plan
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.merging.statements import find_unsaid
from tests.support.laws import examples
from tests.unit.builders import codes, created, memory, retired, rewrites
from tests.unit.phases.reading import around, context
from workers.phases.merge_skills.answer import MergeSkillsAnswer
from workers.phases.merge_skills.offline import decide_skill_merges
from workers.phases.merge_skills.phase import PHASE, Inputs

MAIL = "---\nname: mail\ndescription: Sort the mail\n---\n\n# Mail\n\nSort the mail by sender. Use port 993.\n"
INBOX = "---\nname: inbox\n---\n\n# Mail\n\nKeep invoices apart.\n"
REWORDED = INBOX.replace("Keep", "Mails are sorted by sender. Keep")
SOURCES = [MAIL, INBOX]
DROP = {"words": "Mails are", "keep": "Sort the mail"}


def skill(name: str, text: str) -> Memory:
    return memory(f"skills/{name}/SKILL.md", text, untouched_days=10)


def read(*texts: str) -> Inputs:
    found = PHASE.read(context(*(skill(name, text) for name, text in zip(("mail", "inbox"), texts, strict=True))))
    assert isinstance(found, Inputs)
    return found


def answer(edits: list[dict[str, str]] | None, **more: Any) -> dict[str, Any]:
    draft = {"name": "mail", "sourceNames": ["inbox"], "confidence": 0.9, "edits": edits} | more
    return {"skills": MergeSkillsAnswer.model_validate({"toSave": [draft]})}


def merge(edits: list[dict[str, str]] | None, *texts: str, **more: Any) -> Plan:
    inputs, answers = read(*(texts or SOURCES)), answer(edits, **more)
    assert PHASE.repair(inputs, answers) == ()  # nothing is paid for twice
    return PHASE.plan(inputs, answers, around())


def only(found: Plan) -> Operation:
    (operation,) = found.operations
    return operation


def text_of(operation: Operation) -> str:
    return body_of(rewrites(operation)["skills/mail/SKILL.md"].content)


def test_skills_merged_without_an_edit_hold_every_sentence_of_both_and_what_both_say_once() -> None:
    operation = only(merge([]))
    assert operation.propose_only is None
    assert find_unsaid(text_of(operation), SOURCES) == ()
    assert text_of(operation).count("# Mail") == 1
    assert set(retired(operation)) == {"skills/inbox/SKILL.md"}


def test_long_skills_that_a_model_saw_in_part_are_joined_whole_without_a_second_question() -> None:
    tail = "".join(f"Step {number} is to look at folder {number}.\n\n" for number in range(90))
    operation = only(merge([], MAIL + tail, INBOX))
    assert operation.propose_only is None
    assert find_unsaid(text_of(operation), [MAIL + tail, INBOX]) == ()


def test_a_sentence_that_goes_for_another_one_is_for_a_person_and_nothing_else_goes() -> None:
    operation = only(merge([DROP], MAIL, REWORDED))
    assert '"Sort the mail by sender." says "Mails are sorted by sender."' in (operation.propose_only or "")
    assert [one.text for one in find_unsaid(text_of(operation), [MAIL, REWORDED])] == ["Mails are sorted by sender."]


@pytest.mark.parametrize(
    "edit", [{"words": "Use port", "keep": "Sort the mail"}, {"words": "Delete the", "keep": "Sort the mail"}]
)
def test_an_edit_that_would_lose_a_number_or_names_nothing_is_refused_with_its_reason(edit: dict[str, str]) -> None:
    found = merge([edit])
    assert codes(found) == ["edit_refused"]
    assert only(found).propose_only is None
    assert find_unsaid(text_of(only(found)), SOURCES) == ()


def test_a_whole_text_is_taken_in_place_of_edits() -> None:
    whole = "# Mail\n\nSort the mail by sender. Use port 993. Keep invoices apart.\n"
    assert text_of(only(merge([DROP], content=whole))).split() == whole.split()


def test_a_merge_under_a_new_name_is_joined_from_its_sources() -> None:
    operation = only(merge([], name="post", sourceNames=["mail", "inbox"]))
    assert find_unsaid(created(operation).content, SOURCES) == ()


def test_a_merge_with_neither_edits_nor_a_text_is_refused() -> None:
    found = PHASE.plan(read(*SOURCES), answer(None), around())
    assert (found.operations, codes(found)) == ((), ["incomplete_action"])


def test_edits_of_a_skill_that_nothing_is_merged_into_change_nothing() -> None:
    assert merge([DROP], sourceNames=[]).operations == ()


_PARTS = st.sampled_from(
    [
        "Sort the mail. ", "The mail is sorted. ", "Never on Fridays. ", "The port is 993. ", "## How\n\n", "1. Open it.\n2. Sort it.\n",
        "- Ask Ada first.\n", "- Ada is asked.\n", "\n\n", "```\nsort --mail\n```\n", "| a | b |\n|---|---|\n| c | d |\n",
    ]
)  # fmt: skip
_TEXTS = st.lists(_PARTS, min_size=1, max_size=8).map("".join)
_WORDS = st.sampled_from(
    ["Sort the", "The mail", "Never", "Ask Ada", "Ada is", "The port", "Open", "| c", "", "x" * 900]
)
_EDITS = st.lists(
    st.fixed_dictionaries({"words": _WORDS}, optional={"keep": _WORDS, "write": _WORDS | _PARTS, "until": st.just("2026-03-04")}),
    max_size=6,
)  # fmt: skip


@given(_TEXTS, _TEXTS, _EDITS)
@examples(200)
def test_whatever_the_edits_every_sentence_of_the_skills_is_in_what_is_applied(
    left: str, right: str, edits: list[dict[str, str]]
) -> None:
    inputs = read(left, right)
    found = PHASE.plan(inputs, answer(edits), around())
    for operation in found.operations:
        if operation.propose_only is None:
            assert find_unsaid(text_of(operation), [left, right]) == ()


def test_without_a_model_long_skills_of_which_the_beginnings_are_shown_are_joined_whole() -> None:
    care = "# Care\n\n" + "".join(f"{n}. Oil part {n} of the crane and write it into the log.\n" for n in range(1, 25))
    ends = care, f"{care}\nLock the gate at 21:00.\n"
    inputs = read(*ends)
    (question,) = PHASE.ask(inputs)
    answers = {"skills": decide_skill_merges(question)}
    assert PHASE.repair(inputs, answers) == ()
    operation = only(PHASE.plan(inputs, answers, around()))
    assert "under two names" in (operation.propose_only or "")
    merged = next(iter(rewrites(operation).values()))
    assert find_unsaid(body_of(merged.content), ends) == ()


def test_of_a_long_skill_whole_lines_are_shown() -> None:
    care = "# Care\n\n" + "".join(f"{n}. Oil part {n} of the crane and write it into the log.\n" for n in range(1, 40))
    (question,) = PHASE.ask(read(care, "x" * 1_000))
    shown = {one.path: one.text for one in question.documents}
    assert care.startswith(shown["mail"])
    assert shown["mail"].endswith("log.\n")
    assert shown["inbox"] == "x" * 800  # a single line is cut
