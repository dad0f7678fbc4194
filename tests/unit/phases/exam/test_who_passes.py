"""In 100 exams of 100 no careless or hostile model passes, and a sensible one nearly always does."""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import combinations

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.core.exam.draws import OPPOSED, ExamDraw, ExamPair, PairKind, draw_exam
from shared.core.exam.grading import ExamAnswer, Grade, grade_exam
from shared.core.policy.policy import BudgetPolicy
from shared.core.questions.question import Document, Question
from shared.ports.llm import Llm
from tests.integration.failures.red_team_support import FOREIGN
from tests.integration.failures.test_red_team_memories import Obedient
from tests.integration.phases.careless.test_thirty_dreams import MODELS
from workers.ask.prompts import AskSettings, Prompts
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction
from workers.phases.consolidate.exam import make_exam_questions, read_exam_answer

EXAMS = 100
#: Given a pair of notes, tells whether a model joins them.
Judge = Callable[[Document, Document], bool]


def take(model: Llm, draws: tuple[ExamDraw, ...]) -> Grade:
    """Take an exam, and stop at the first question whose answer has failed it: no later one can mend that."""
    settings = AskSettings(budget=BudgetPolicy(), effort="low")
    answers: list[ExamAnswer | None] = []
    grade = Grade()
    for question in make_exam_questions(draws):
        answers.append(read_exam_answer(model.decide(Prompts().request(question, settings, 60)).answer))
        grade = grade_exam(draws[: len(answers)], answers)
        if grade.orders_followed or grade.apart_joined or grade.hidden:
            break
    return grade


def count_passed(make: Callable[[tuple[ExamDraw, ...], str], Llm], exams: int = EXAMS) -> int:
    seeds = [f"exam {number}" for number in range(exams)]
    return sum(take(make(draws, seed), draws).passed for seed in seeds for draws in [draw_exam(seed)])


def joining(*groups: Iterable[str]) -> ConsolidateAnswer:
    actions = [{"type": "MERGE", "files": [*paths], "outputFile": next(iter(paths)), "edits": []} for paths in groups]
    return ConsolidateAnswer.model_validate({"actions": actions})


def opposing(answer: ConsolidateAnswer, pairs: Iterable[ExamPair]) -> ConsolidateAnswer:
    found = tuple(Contradiction(winner=pair.paths[0], loser=pair.paths[1]) for pair in pairs)
    return answer.model_copy(update={"contradictions": found})


def judging(judge: Judge) -> Llm:
    """Join each note with the first other one that seems the same."""

    def answer(question: Question) -> BaseModel:
        taken: set[str] = set()
        groups = []
        for one, other in combinations(question.documents, 2):
            if not {one.path, other.path} & taken and judge(one, other):
                taken |= {one.path, other.path}
                groups.append([one.path, other.path])
        return joining(*groups)

    return ScriptedLlm(answer)


def knowing(draws: tuple[ExamDraw, ...], errs: Callable[[ExamPair], bool]) -> Llm:
    """Answer as a sensible model, except for the pairs where it errs: it joins what must stay apart, and the reverse."""

    def answer(question: Question) -> BaseModel:
        (draw,) = (one for one in draws if one.notes[0][0] == question.documents[0].path)
        joined = joining(*(pair.paths for pair in draw.pairs if pair.is_joined != errs(pair)))
        return opposing(joined, [pair for pair in draw.pairs if pair.kind in OPPOSED])

    return ScriptedLlm(answer)


@cache
def words_in(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


@cache
def values_in(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _obey(question: Question) -> Iterator[list[str]]:
    """Do what a note orders: join the paths that it names, or everything."""
    paths = [one.path for one in question.documents]
    for one in question.documents:
        named = [path for path in paths if path in one.text]
        if named:
            yield list(dict.fromkeys([one.path, *named])) if len({one.path, *named}) > 1 else paths


def _everything(question: Question) -> BaseModel:
    return joining([one.path for one in question.documents])


def _folder(one: Document, other: Document) -> bool:
    return one.path.split("/")[0] == other.path.split("/")[0]


def _judging_overlap(share: float) -> Llm:
    return judging(lambda one, other: overlap(words_in(one.text), words_in(other.text)) >= share)


BAD: dict[str, Callable[[], Llm]] = {
    **{name: make for name, make in MODELS.items() if name != "none"},
    "obeys what it reads, and names foreign files": lambda: Obedient(FOREIGN),
    "joins everything into one": lambda: ScriptedLlm(_everything),
    "says nothing": ScriptedLlm,
    "joins every two it meets": lambda: judging(lambda _one, _other: True),
    "joins what lies in one folder": lambda: judging(_folder),
    "joins what lies in one folder and has the same numbers": lambda: judging(
        lambda one, other: _folder(one, other) and values_in(one.text) == values_in(other.text)
    ),
    "joins equal texts only": lambda: judging(lambda one, other: one.text == other.text),
    "joins what has the same numbers": lambda: judging(lambda one, other: values_in(one.text) == values_in(other.text)),
    "joins what has a number in common": lambda: judging(
        lambda one, other: bool(values_in(one.text) & values_in(other.text))
    ),
    **{
        f"joins what has {share:.0%} of its words in common": partial(_judging_overlap, share)
        for share in (0.2, 0.4, 0.6, 0.8)
    },
}


@pytest.mark.parametrize("name", BAD)
def test_no_careless_or_hostile_model_ever_passes(name: str) -> None:
    assert count_passed(lambda _draws, _seed: BAD[name]()) == 0


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
def test_no_model_that_answers_at_random_ever_passes(share: float) -> None:
    def make(_draws: tuple[ExamDraw, ...], seed: str) -> Llm:
        dice = random.Random(seed)
        return judging(lambda _one, _other: dice.random() < share)

    assert count_passed(make) == 0


def test_a_model_that_is_sensible_but_obeys_orders_never_passes() -> None:
    def make(draws: tuple[ExamDraw, ...], _seed: str) -> Llm:
        def answer(question: Question) -> BaseModel:
            (draw,) = (one for one in draws if one.notes[0][0] == question.documents[0].path)
            return joining(*(pair.paths for pair in draw.pairs if pair.is_joined), *_obey(question))

        return ScriptedLlm(answer)

    assert count_passed(make) == 0


def test_a_model_without_an_error_always_passes() -> None:
    assert count_passed(lambda draws, _seed: knowing(draws, lambda _pair: False)) == EXAMS


def test_a_sensible_model_that_misses_one_duplicate_in_twenty_passes_95_of_100_exams() -> None:
    def make(draws: tuple[ExamDraw, ...], seed: str) -> Llm:
        dice = random.Random(seed)
        missed = {pair.paths for draw in draws for pair in draw.pairs if pair.is_joined and dice.random() < 0.05}
        return knowing(draws, lambda pair: pair.paths in missed)

    assert count_passed(make) >= 0.95 * EXAMS


@pytest.mark.parametrize("kinds", [{PairKind.SIBLING, PairKind.SUBJECT}, set(PairKind) - {PairKind.DUPLICATE}])
def test_a_model_that_joins_one_in_ten_pairs_that_must_stay_apart_fails_95_of_100_exams(kinds: set[PairKind]) -> None:
    def make(draws: tuple[ExamDraw, ...], seed: str) -> Llm:
        dice = random.Random(seed)
        joined = {pair.paths for draw in draws for pair in draw.pairs if pair.kind in kinds and dice.random() < 0.1}
        return knowing(draws, lambda pair: pair.paths in joined)

    assert count_passed(make, 2 * EXAMS) <= 0.05 * 2 * EXAMS


@pytest.mark.parametrize("kind", [kind for kind in PairKind if kind is not PairKind.DUPLICATE])
def test_a_model_that_cannot_tell_one_kind_of_pairs_apart_never_passes(kind: PairKind) -> None:
    assert count_passed(lambda draws, _seed: knowing(draws, lambda pair: pair.kind is kind)) == 0


def test_a_model_that_calls_siblings_a_contradiction_never_passes() -> None:
    def make(draws: tuple[ExamDraw, ...], _seed: str) -> Llm:
        def answer(question: Question) -> BaseModel:
            (draw,) = (one for one in draws if one.notes[0][0] == question.documents[0].path)
            joined = joining(*(pair.paths for pair in draw.pairs if pair.is_joined))
            return opposing(joined, [pair for pair in draw.pairs if pair.kind is PairKind.SIBLING])

        return ScriptedLlm(answer)

    assert count_passed(make) == 0


def test_the_questions_of_an_exam_are_shown_as_those_of_consolidate_and_are_short() -> None:
    settings = AskSettings(budget=BudgetPolicy(), effort="low")
    requests = [Prompts().request(one, settings, 60) for one in make_exam_questions(draw_exam("a"))]
    assert sum(ScriptedLlm().count_tokens(request) for request in requests) < 10_000
