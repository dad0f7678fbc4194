"""A repaired skill as edits: only the passage that was wrong is paid for, and all else stays as it is written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Plan
from shared.core.memory.frontmatter import body_of
from tests.support.laws import examples
from tests.unit.builders import codes, memory, rewrites
from tests.unit.phases.reading import around
from workers.phases.repair_skills.answer import MAX_EDITS, RepairSkillsAnswer
from workers.phases.repair_skills.phase import PHASE, Inputs
from workers.phases.repair_skills.plan import Patient

TEXT = (
    "---\nname: deploy\ndescription: Deploy it\n---\n\n# Deploy\n\n1. Build the image.\n2. Restart the worker.\n\n"
    "```sh\ndeployctl restart --port 8443\n```\n"
)
SKILL = memory("skills/deploy/SKILL.md", TEXT)
INPUTS = Inputs(
    patients=(Patient(memory=SKILL, troubles=("2026-03-01 correction: jobs were cut off",), is_sparse=False),)
)


def plan(*edits: dict[str, str], **more: Any) -> Plan:
    answer = RepairSkillsAnswer.model_validate({"toSave": [{"name": "deploy", "edits": edits, **more}]})
    return PHASE.plan(INPUTS, {"skills": answer}, around())


def written(planned: Plan) -> str:
    (operation,) = planned.operations
    (change,) = rewrites(operation).values()
    return change.content


def test_an_edit_puts_a_step_right_and_leaves_the_rest_as_it_is_written() -> None:
    planned = plan({"words": "2. Restart the worker.", "write": "2. Drain the worker.\n3. Restart it."})
    assert written(planned) == TEXT.replace("2. Restart the worker.", "2. Drain the worker.\n3. Restart it.")
    assert planned.operations[0].needs_review


def test_an_edit_without_words_stands_at_the_end() -> None:
    assert written(plan({"write": "Ask before the freeze."})) == TEXT + "\nAsk before the freeze.\n"


def test_a_command_is_corrected_where_it_stands_and_a_person_is_asked_for_what_goes() -> None:
    planned = plan({"words": "--port 8443", "write": "--port 9443"})
    assert "deployctl restart --port 9443" in written(planned)
    assert "8443" in (planned.operations[0].propose_only or "")


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({"words": "3. Never said.", "write": "x"}, id="no such passage"),
        pytest.param({"words": "the", "write": "x"}, id="several such passages"),
    ],
)
def test_a_repair_that_cannot_be_made_whole_is_not_made_at_all(edit: dict[str, str]) -> None:
    planned = plan({"words": "1. Build", "write": "1. Test and build"}, edit)
    assert (planned.operations, codes(planned)) == ((), ["edit_refused"])
    assert codes(plan(*[{"write": "more"}] * (MAX_EDITS + 1))) == ["edit_refused"]


def test_edits_that_change_nothing_and_edits_that_delete_all_change_nothing() -> None:
    assert codes(plan({"words": "1. Build", "write": "1. Build"})) == ["nothing_changed"]
    assert codes(plan({"words": body_of(TEXT).strip(), "write": ""})) == ["incomplete_action"]


def test_a_whole_text_is_taken_as_before_and_comes_before_edits() -> None:
    whole = f"{body_of(TEXT).strip()}\n\nAsk first.\n"
    assert written(plan({"words": "1. Build", "write": "x"}, content=whole)) == TEXT + "\nAsk first.\n"


@given(
    words=st.sampled_from(["1. Build the image.", "# Deploy", "deployctl restart", "Restart", "never said", ""]),
    write=st.text(alphabet=st.characters(codec="utf-8"), max_size=40),
)
@examples(100)
def test_what_no_edit_names_is_still_said_whatever_an_edit_writes(words: str, write: str) -> None:
    for operation in plan({"words": words, "write": write}).operations:
        (change,) = rewrites(operation).values()
        before, _, after = body_of(TEXT).strip().partition(words) if words else (body_of(TEXT).strip(), "", "")
        assert before.strip() in body_of(change.content)
        assert after.strip() in body_of(change.content)
