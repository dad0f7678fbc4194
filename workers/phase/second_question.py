"""The second question: a reader who does not know the first one's reasons says whether a change loses anything.

It is asked about changes that the checks of the host neither refuse nor confirm, all those of a phase at once, and of the better
model where one is set.
"""

from collections.abc import Sequence
from typing import Literal

from shared.core.questions.answer import Answer
from shared.core.questions.question import Document, Question
from workers.phase.shape import Answers


class Verdict(Answer):
    """The second reader's verdict on one change, by its name."""

    change: str
    verdict: Literal["nothing_lost", "lost", "unsure"]
    reason: str = ""


class ConfirmAnswer(Answer):
    """The second reader's verdicts."""

    verdicts: tuple[Verdict, ...] = ()


_KEY = "confirm/1"


def confirm_question(phase: str, changes: Sequence[tuple[str, str]]) -> tuple[Question, ...]:
    """Return the question about some changes, each by its name with the text that tells it; none without changes."""
    if not changes:
        return ()
    documents = tuple(Document(path=name, text=text, role="change") for name, text in changes)
    return (
        Question(phase=phase, key=_KEY, documents=documents, answer_type=ConfirmAnswer, instructions_name="confirm"),
    )


def find_confirmed(answers: Answers) -> frozenset[str]:
    """Return the names of the changes of which the second reader says, in one voice, that they lose nothing."""
    answer = answers.get(_KEY)
    verdicts = answer.verdicts if isinstance(answer, ConfirmAnswer) else ()
    doubted = {one.change for one in verdicts if one.verdict != "nothing_lost"}
    return frozenset(one.change for one in verdicts) - doubted
