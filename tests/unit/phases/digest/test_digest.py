"""The digest phase: what one question shows, and the operations that follow from its answer."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from shared.core.dream.operations import Create, OperationKind
from shared.core.memory.frontmatter import body_of
from tests.unit.builders import NOW, codes, memory
from tests.unit.phases.reading import around
from workers.phase.shape import Answers
from workers.phases.digest.answer import DigestAnswer
from workers.phases.digest.offline import decide_digest
from workers.phases.digest.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer

MEMORIES = tuple(
    memory(
        f"notes/n{number}.md", f"# Note {number}\n\nThe gardener came for visit {number} in spring. More.\n" + "x" * 400
    )
    for number in range(9)
)
INPUTS = Inputs(
    day="2026-11-21", since=NOW - timedelta(days=1), until=NOW, memories=MEMORIES, found=12, preview_chars=300
)


def test_the_memories_are_one_question_over_their_beginnings_with_their_times() -> None:
    (question,) = PHASE.ask(INPUTS)
    assert [(one.path, len(one.text), one.role) for one in question.documents] == [
        (one.path, 300, "memory") for one in MEMORIES
    ]
    assert all("first=" in one.facts[0] for one in question.documents)


@pytest.mark.parametrize("answers", [{}, {"day": PruneAnswer()}, {"other": DigestAnswer()}])
def test_garbage_in_place_of_an_answer_writes_nothing(answers: Answers) -> None:
    plan = PHASE.plan(INPUTS, answers, around())
    assert (plan.operations, codes(plan)) == ((), ["no_answer"])


@pytest.mark.parametrize("garbage", [{"bullets": "many"}, {"bullets": [7]}, {"bullets": [{"text": ["a"]}]}])
def test_a_garbled_answer_is_refused_by_its_shape(garbage: object) -> None:
    with pytest.raises(ValidationError):
        DigestAnswer.model_validate(garbage)


def test_without_a_model_the_digest_holds_the_first_sentences_of_the_first_memories() -> None:
    (question,) = PHASE.ask(INPUTS)
    assert decide_digest(question) == decide_digest(question)
    (operation,) = PHASE.plan(INPUTS, {"day": decide_digest(question)}, around()).operations
    (create,) = operation.changes
    assert isinstance(create, Create)
    assert operation.kind is OperationKind.DIGEST
    lines = [line for line in body_of(create.content).splitlines() if line.startswith("- ")]
    assert lines == [f"- Note {number}: The gardener came for visit {number} in spring." for number in range(7)]
