"""A later value from a session takes the place of an earlier one in the same dream, if the model has passed its exam."""

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from shared.model_endpoint import name_examined
from shared.services.exams.results import set_exam
from tests.integration.exams.exam_support import with_exams
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer
from workers.phases.revise.answer import UpdateAnswer

NOTE = "# Team\n\nThe stand-up is at nine. Ana leads the team.\n"
SAID = "The stand-up is at ten now, for the whole team."


@pytest.fixture
def examined(ports: Ports, tenant: str) -> Ports:
    a_store(ports, tenant)
    write(ports, tenant, texts({"team/meetings.md": NOTE}))
    with ports.db.transaction(tenant) as uow:
        model = name_examined(ports.settings, uow.stores.get_tenant(), uow.stores.get("default"), "scripted")
    set_exam(ports, tenant, model, passed=True, why="a test", actor="bo")
    examining = with_exams(ports)
    run_dream(examining, tenant, ScriptedLlm(lambda _: None))  # the note is known from here on
    return examining


def test_a_new_value_from_a_session_supersedes_the_old_one_wherever_it_was_filed(examined: Ports, tenant: str) -> None:
    tell(examined, tenant, "s1", SAID)
    shown: list[str] = []

    def say(question: Question) -> BaseModel | None:
        if question.answer_type is GatherAnswer:
            found = {"kind": "fact", "window": question.documents[0].path, "quote": SAID, "statement": "The stand-up is at ten.", "title": "Time of the stand-up", "confidence": 0.9}  # fmt: skip
            return GatherAnswer.model_validate({"memories": [found]})
        if question.answer_type is UpdateAnswer:
            shown.extend(one.text for one in question.documents)
            (new,) = [one.text for one in question.documents if "at ten" in one.text]
            (old,) = [one.text for one in question.documents if "at nine" in one.text]
            update = {"old": _name(old, "at nine"), "by": [_name(new, "at ten")], "write": "The stand-up is at ten.", "confidence": 0.9}  # fmt: skip
            return UpdateAnswer.model_validate({"updates": [update]})
        return None

    dream = run_dream(examined, tenant, ScriptedLlm(say))
    assert any("The stand-up is at ten." in one for one in shown), "what was gathered a moment before is shown, too"
    (update,) = [
        one for one in get_operations(examined, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE
    ]
    assert update.state is OperationState.APPLIED, update.note
    (content,) = [
        one.content for one in take_picture(examined, tenant).memories.values() if one.path == "team/meetings.md"
    ]
    current, _, superseded = content.partition("## Superseded")
    assert "at nine" not in current
    assert "“The stand-up is at nine.” — no longer so on 2026-03-04" in superseded


def _name(shown: str, words: str) -> str:
    """Return the name of the statement with some words."""
    (line,) = [line for line in shown.splitlines() if words in line and line.startswith("[")]
    return line[1 : line.index("]")]
