"""The exam in the form in which consolidate asks: its prompt, its question, its answer."""

from collections.abc import Sequence

from pydantic import BaseModel

from shared.core.exam.draws import ExamDraw
from shared.core.exam.grading import ExamAnswer
from shared.core.questions.escalation import exam_key
from shared.core.questions.question import Document, Question
from workers.phases.consolidate import NAME
from workers.phases.consolidate.answer import ConsolidateAnswer


def make_exam_questions(draws: Sequence[ExamDraw]) -> tuple[Question, ...]:
    """Return a question for each draw, whose notes are all new, as after an import."""
    return tuple(
        Question(
            phase=NAME,
            key=exam_key(number),
            documents=tuple(Document(path=path, text=text, role="changed") for path, text in draw.notes),
            answer_type=ConsolidateAnswer,
        )
        for number, draw in enumerate(draws, start=1)
    )


def read_exam_answer(answer: BaseModel | None) -> ExamAnswer | None:
    """Return what an answer joins and hides. A link or a skip leaves notes apart."""
    if not isinstance(answer, ConsolidateAnswer):
        return None
    joined = tuple(frozenset(action.files) for action in answer.actions if action.type == "MERGE")
    deleted = frozenset(answer.to_delete).difference(*joined)
    opposed = [frozenset((one.winner, one.loser)) for one in answer.contradictions]
    return ExamAnswer(joined=joined, opposed=(*opposed, *(frozenset((path,)) for path in deleted)))
