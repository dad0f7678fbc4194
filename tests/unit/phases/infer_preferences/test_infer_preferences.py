"""The phase that infers preferences: what it looks at, what it asks, and what a missing answer leaves alone."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from shared.core.dream.operations import OperationKind
from shared.core.learning.feedback import Feedback, FeedbackKind, Rating
from shared.core.memory.model import Author, Memory
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from shared.core.sessions.model import SaidMatches
from tests.unit.builders import NOW, codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo, Offered, PhaseContext
from workers.phases.infer_preferences.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer

TOLD = Feedback(
    id="fbk_1", external_id="x", kind=FeedbackKind.CORRECTION, text="Not on Fridays.", rating=Rating.NONE,
    subject="deploy", skill="", session="", occurred_at=NOW,
)  # fmt: skip
OLD = memory("user-preferences/inferred/old.md", "# Old\n\nOld.\n", author=Author.DREAM, untouched_days=31)


def piece(number: int, reason: str, text: str = "Use tabs.") -> Excerpt:
    line = ExcerptLine(position=number, event_id=f"e{number}", role="user", at=NOW, text=text, is_hit=True)
    return Excerpt(session_id="sesn_1", lines=(line,), reasons=(f"{reason} at [{number}]",))


def a_context(*memories: Memory, pieces: Sequence[Excerpt] = (), feedback: Sequence[Feedback] = ()) -> PhaseContext:
    made = context(*memories)
    uow: Any = made.uow
    uow.feedback = lambda _id: SimpleNamespace(find=lambda **_: list(feedback))
    uow.orders = SimpleNamespace(find=lambda _id: None)
    nothing = SaidMatches(events=(), texts=0, holding={})
    uow.gathering = lambda _id, _sessions: SimpleNamespace(find_said=lambda _terms, _limit: nothing)
    return replace(made, find_offered=lambda: Offered(excerpts=tuple(pieces)))


def read(*memories: Memory, pieces: Sequence[Excerpt] = (), feedback: Sequence[Feedback] = ()) -> Inputs:
    found = PHASE.read(a_context(*memories, pieces=pieces, feedback=feedback))
    assert isinstance(found, Inputs)
    return found


def test_without_words_and_feedback_there_is_nothing_to_do() -> None:
    found = PHASE.read(a_context(memory("web/a.md", "# A\n"), pieces=[piece(1, "decision")]))
    assert found == NothingToDo("nothing that users said or that feedback says shows a wish")


def test_pieces_with_a_wish_or_a_correction_and_feedback_are_one_question() -> None:
    pieces = [piece(1, "preference"), piece(2, "correction"), piece(3, "save")]
    (question,) = PHASE.ask(read(pieces=pieces, feedback=[TOLD]))
    assert [(one.role, one.path) for one in question.documents] == [
        ("session", "sesn_1#1-1"),
        ("session", "sesn_1#2-2"),
        ("feedback", "fbk_1"),
    ]
    assert question.documents[2].facts == ("correction", "about deploy")


def test_where_no_user_speaks_nothing_is_asked() -> None:
    log = piece(1, "preference")
    log = replace(log, lines=tuple(replace(line, role="log") for line in log.lines))
    found = PHASE.read(a_context(pieces=[log]))
    assert found == NothingToDo("what shows a wish is in agents' words alone, and no user speaks beside it")
    (question,) = PHASE.ask(read(pieces=[log, piece(2, "correction")]))
    assert [one.path for one in question.documents] == ["sesn_1#2-2"]


def test_the_evidence_in_a_question_is_bounded() -> None:
    inputs = read(pieces=[piece(number, "preference", "Use tabs. " * 1_000) for number in range(1, 20)])
    assert 0 < len(inputs.excerpts) < 19
    assert inputs.more == 19 - len(inputs.excerpts)


def test_a_preference_whose_time_is_over_is_retired_without_asking_a_model() -> None:
    inputs = read(OLD)
    assert PHASE.ask(inputs) == ()
    (operation,) = PHASE.plan(inputs, {}, around()).operations
    assert operation.kind is OperationKind.UNRATIFY


def test_no_answer_and_the_answer_of_another_phase_change_nothing() -> None:
    inputs = read(feedback=[TOLD])
    for answers in ({}, {"preferences": PruneAnswer()}):
        found = PHASE.plan(inputs, answers, around())
        assert (found.operations, codes(found), found.used) == ((), ["no_answer"], ())
