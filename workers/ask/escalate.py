"""Ask the better model again if the first one was unsure, or gave an unusable answer.

Each question is asked again at most once, under its own key, within the same budgets and limits. The better model's answer
is used if there is one; otherwise the first answer stands.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.core.merging.confidence import is_unsure
from shared.core.questions.escalation import Doubt, escalated_key, find_confidences, is_escalated, plain_key
from shared.core.questions.question import Question
from shared.counting import count
from shared.ports.database import UnitOfWork
from workers.ask.asker import Asked, Asker
from workers.phase.work import PhaseKey

#: Why a question has no answer although a model has spoken.
USELESS = frozenset({"model_refused", "model_unparsable", "model_truncated"})
#: The reason for a question whose useless answer an earlier run of the phase has paid for.
_BOUGHT = "model_unparsable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Askers:
    """The model of a phase, and the better one if there is one.

    Attributes:
        first: asks every question.
        better: asks doubtful questions again.
        sleep_if_limited: raises if answers are delayed by a batch or by rate limits.
        useless: keys of questions that the better model was asked before, because the first answer was unusable.
        doubts: the number of questions that were asked again, by reason.
    """

    first: Asker
    better: Asker | None
    sleep_if_limited: Callable[[Asked], None]
    useless: frozenset[str] = frozenset()
    doubts: Counter[str] = field(default_factory=Counter)

    def ask_all(self, questions: Sequence[Question]) -> Asked:
        """Ask all questions, of the better model where needed; return all answers, preferring the better model's."""
        asked = self.first.ask_all([one for one in questions if one.key not in self.useless])
        self.sleep_if_limited(asked)
        if self.better is None:
            return asked
        bought = {one.key: _BOUGHT for one in questions if one.key in self.useless}
        asked = replace(asked, unanswered=bought | dict(asked.unanswered))
        doubts = {one.key: doubt for one in questions if (doubt := _find_doubt(one, asked)) is not None}
        return self._ask_again(self.better, [one for one in questions if one.key in doubts], doubts, asked)

    def confirm(self, questions: Sequence[Question]) -> Asked:
        """Ask a second reader: the better model, if there is one."""
        asked = (self.better or self.first).ask_all(questions)
        self.sleep_if_limited(asked)
        return asked

    def _ask_again(
        self, better: Asker, questions: Sequence[Question], doubts: Mapping[str, Doubt], first: Asked
    ) -> Asked:
        asked = better.ask_all([replace(one, key=escalated_key(one.key)) for one in questions])
        self.sleep_if_limited(asked)
        self.doubts.update(map(str, doubts.values()))
        found = {plain_key(key): answer for key, answer in asked.answers.items()}
        left = {key: code for key, code in first.unanswered.items() if key not in found}
        return replace(first, answers=first.answers | found, unanswered=left, missing=Counter(left.values()))


def find_useless(uow: UnitOfWork, key: PhaseKey) -> frozenset[str]:
    """Return the keys of questions without a first answer that the better model was asked, or will be in a batch."""
    stored = uow.calls.find_answers(key.dream_id, key.phase).keys()
    asked = {*stored, *uow.batch_calls.find(key.dream_id, key.phase)}
    return frozenset(plain_key(one) for one in asked if is_escalated(one)) - stored


def count_escalations(phase: str, doubts: Mapping[str, int]) -> None:
    """Count the questions that the better model was asked. Call this after the commit."""
    for doubt, number in doubts.items():
        count("slowwave_escalations_total", number, phase=phase, reason=doubt)


def _find_doubt(question: Question, asked: Asked) -> Doubt | None:
    """Return why a question should be asked again of the better model, or None."""
    answer = asked.answers.get(question.key)
    if answer is None:
        return Doubt.NO_ANSWER if asked.unanswered.get(question.key) in USELESS else None
    return Doubt.UNSURE if any(map(is_unsure, find_confidences(answer))) else None
