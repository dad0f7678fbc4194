"""The exam and the second reader each keep a careless model out: what gets through with one of them switched off."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from shared.core.dream.operations import OperationKind, Plan, Rewrite
from shared.core.memory.model import Author, Memory
from tests.unit.builders import memory
from tests.unit.phases.reading import around, context
from workers.phase.second_question import ConfirmAnswer
from workers.phase.shape import Answers
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.phase import PHASE, Inputs

#: Two pages of two subjects, which no rule can tell from two notes on one subject under two titles.
CLEANING = memory(
    "house/cleaning.md",
    "# Cleaning the sauna\n\nThe cleaner takes the key of the sauna at seven. Towels go into the laundry. Ana pays for soap.\n",
    author=Author.IMPORT,
)
BOOKING = memory(
    "house/booking.md",
    "# Booking the sauna\n\nGuests book the sauna at the desk. The porter writes the names down. The lamp goes on at six.\n",
    author=Author.IMPORT,
)
RULES = memory(
    "house/rules.md",
    "# Rules\n\n- Close the door at ten unless guests are out\n- Close the door at ten\n",
    author=Author.IMPORT,
)
MERGE = {
    "merges": [
        {
            "files": [BOOKING.path, CLEANING.path],
            "into": BOOKING.path,
            "lines": ["{a1-a3}", "- b1: a1", "- b2: a2", "- b3: a3"],
            "confidence": 0.99,
        }
    ]
}
PORTS = memory(
    "ops/ports.md",
    "# Ports\n\n- The server web-01 listens on 8080\n- The server web-02 listens on 9090\n",
    author=Author.IMPORT,
)
#: A value of another server: every check holds, so that no second reader is asked.
UPDATE = {"updates": [{"old": "a1", "by": ["a2"], "write": "The server web-01 listens on 9090", "confidence": 0.99}]}
REPEAT = {"repeats": [{"drop": "a1", "saidBy": ["a2"], "confidence": 0.99}]}
DOUBTED = [((BOOKING, CLEANING), MERGE), ((RULES,), REPEAT)]
CARELESS = [*DOUBTED, ((PORTS,), UPDATE)]


def plan(memories: Sequence[Memory], said: object, *, passed: bool, verdict: str) -> Plan:
    """Return what becomes of a careless answer, if the second reader says the same of everything."""
    inputs = PHASE.read(context(*memories))
    assert isinstance(inputs, Inputs)
    answers: Answers = {"store": UpdateAnswer.model_validate(said)}
    confirmed: Answers = {
        asked.key: ConfirmAnswer.model_validate(
            {"verdicts": [{"change": one.path, "verdict": verdict} for one in asked.documents]}
        )
        for asked in PHASE.confirm(inputs, answers)
    }
    return PHASE.plan(inputs, {**answers, **confirmed}, replace(around(), has_passed=passed, live_memories=200))


def written(planned: Plan) -> str:
    """Return all text that is written without a person."""
    applied = [one for one in planned.operations if not one.propose_only and one.kind is not OperationKind.FLAG]
    return "\n".join(change.content for one in applied for change in one.changes if isinstance(change, Rewrite))


@pytest.mark.parametrize(("memories", "said"), CARELESS)
def test_a_careless_model_that_has_not_passed_changes_nothing_even_if_the_second_reader_confirms_everything(
    memories: Sequence[Memory], said: object
) -> None:
    assert not written(plan(memories, said, passed=False, verdict="nothing_lost"))


def test_without_the_exam_the_value_of_another_server_takes_the_place_of_the_true_one() -> None:
    assert "web-01 listens on 9090" in written(plan((PORTS,), UPDATE, passed=True, verdict="lost"))


@pytest.mark.parametrize(("memories", "said"), DOUBTED)
def test_of_what_is_doubted_nothing_is_changed_that_the_second_reader_does_not_confirm(
    memories: Sequence[Memory], said: object
) -> None:
    assert not written(plan(memories, said, passed=True, verdict="lost"))


def test_with_a_second_reader_who_confirms_everything_two_subjects_become_one_page_and_a_rule_loses_its_exception() -> (
    None
):
    page = written(plan((BOOKING, CLEANING), MERGE, passed=True, verdict="nothing_lost"))
    assert "sauna at the desk" in page
    assert "Ana pays for soap" not in page
    rules = written(plan((RULES,), REPEAT, passed=True, verdict="nothing_lost"))
    assert "Close the door at ten" in rules
    assert "unless guests are out" not in rules
