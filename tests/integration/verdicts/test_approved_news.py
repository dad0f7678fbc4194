"""The next dream compares what a person approves, as a dream compares what it gathers itself and what an agent writes."""

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Memory, MemoryState
from shared.core.questions.question import Question
from shared.services.operations.redo import redo_dream
from shared.services.operations.review import approve_operation, reopen_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer
from workers.phases.revise.answer import UpdateAnswer

PATH = "team/meetings.md"
SAID = "The stand-up is at ten now, for the whole team."


class Reader:
    """A model that files what was said, is not sure of it, and records which texts it is shown as changed."""

    def __init__(self) -> None:
        self.changed: list[str] = []

    def say(self, question: Question) -> BaseModel | None:
        if question.answer_type is GatherAnswer:
            found = {"kind": "fact", "window": question.documents[0].path, "quote": SAID, "statement": "The stand-up is at ten.", "title": "Time of the stand-up", "confidence": 0.5}  # fmt: skip
            return GatherAnswer.model_validate({"memories": [found]})
        if question.answer_type is UpdateAnswer:
            self.changed += [one.text for one in question.documents if one.role == "changed"]
            return UpdateAnswer()
        return None


@pytest.fixture
def proposed(ports: Ports, tenant: str) -> tuple[str, str]:
    """The ids of a dream that has proposed what a session said, and of that operation."""
    a_store(ports, tenant)
    write(ports, tenant, texts({PATH: "# Team\n\nThe stand-up is at nine. Ana leads the team.\n"}))
    run_dream(ports, tenant, ScriptedLlm(lambda _: None))
    tell(ports, tenant, "s1", SAID)
    dream = run_dream(ports, tenant, ScriptedLlm(Reader().say))
    (one,) = [
        one
        for one in get_operations(ports, tenant, dream.id)
        if one.operation.kind in {OperationKind.GATHER, OperationKind.CORRECT}
    ]
    assert one.state is OperationState.PROPOSED
    return dream.id, one.id


def test_what_is_approved_is_shown_to_the_next_dream_as_changed_and_to_no_later_one(
    ports: Ports, tenant: str, proposed: tuple[str, str]
) -> None:
    approve_operation(ports.db, ports.ids, tenant, proposed[1], actor="bo")
    assert "at ten" in _next_dream(ports, tenant)
    assert _next_dream(ports, tenant) == ""


def test_a_statement_that_a_person_lets_a_dream_replace_is_compared_by_the_next_dream_and_by_no_later_one(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    notes = {
        "team/a.md": "# Stand-up\n\nThe stand-up is at nine.\n",
        "team/b.md": "# News\n\nThe stand-up is at ten now.\n",
    }
    write(ports, tenant, texts(notes))
    update = {"old": "a1", "by": ["b1"], "write": "The stand-up is at ten now.", "confidence": 0.95}
    answer = UpdateAnswer.model_validate({"updates": [update]})
    dream = run_dream(
        ports, tenant, ScriptedLlm(lambda question: answer if question.answer_type is UpdateAnswer else None)
    )
    every = get_operations(ports, tenant, dream.id)
    (one,) = [one for one in every if one.operation.kind is OperationKind.UPDATE]
    assert one.state is OperationState.PROPOSED
    assert _next_dream(ports, tenant) == ""
    approve_operation(ports.db, ports.ids, tenant, one.id, actor="bo")
    assert "at ten" in _next_dream(ports, tenant)
    assert _next_dream(ports, tenant) == ""


def test_a_proposal_that_is_reopened_leaves_no_mark(ports: Ports, tenant: str, proposed: tuple[str, str]) -> None:
    before = _marks(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, proposed[1], actor="bo")
    assert _marks(ports, tenant) != before
    reopen_operation(ports.db, tenant, proposed[1], actor="bo")
    assert _marks(ports, tenant) == before


def test_what_is_approved_again_is_news_again(ports: Ports, tenant: str, proposed: tuple[str, str]) -> None:
    approve_operation(ports.db, ports.ids, tenant, proposed[1], actor="bo")
    _next_dream(ports, tenant)
    reopen_operation(ports.db, tenant, proposed[1], actor="bo")
    approve_operation(ports.db, ports.ids, tenant, proposed[1], actor="bo")
    assert "at ten" in _next_dream(ports, tenant)


def test_undo_and_redo_of_the_dream_keep_the_mark_of_what_was_approved(
    ports: Ports, tenant: str, proposed: tuple[str, str]
) -> None:
    approve_operation(ports.db, ports.ids, tenant, proposed[1], actor="bo")
    approved = _marks(ports, tenant)
    undo_dream(ports.db, tenant, proposed[0], actor="bo")
    assert all("at ten" not in text for text, _ in _marks(ports, tenant))
    redo_dream(ports.db, tenant, proposed[0], actor="bo")
    assert _marks(ports, tenant) == approved


def _next_dream(ports: Ports, tenant: str) -> str:
    """Dream once more; return the texts that were shown as changed."""
    reader = Reader()
    run_dream(ports, tenant, ScriptedLlm(reader.say))
    return "\n".join(reader.changed)


def _marks(ports: Ports, tenant: str) -> set[tuple[str, bool]]:
    """Return the live texts, each with whether it counts as changed."""
    return {(one.content, one.is_dirty) for one in _live(ports, tenant)}


def _live(ports: Ports, tenant: str) -> list[Memory]:
    return [one for one in take_picture(ports, tenant).memories.values() if one.state is MemoryState.LIVE]
