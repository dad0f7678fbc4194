"""Examine the models of a phase, before its own questions are asked, where no result holds.

The questions of an exam are asked, recorded, paid for and resumed like any others of the dream, but at once, also where the
dream asks in batches. A model that could not be examined counts as not passed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from shared.core.checks.merges import MERGE_CHECKS, TEXT_CHECKS
from shared.core.checks.updates import CHECKS, REPEAT_CHECKS, Check
from shared.core.dream.operations import Skip
from shared.core.exam.draws import ExamDraw, draw_exam
from shared.core.exam.grading import grade_exam
from shared.core.exam.model import ExaminedModel, ExamResult, exam_fingerprint, find_valid
from shared.core.questions.escalation import escalated_key
from shared.core.questions.prices import FREE_MODEL
from shared.core.questions.question import Question
from shared.counting import count
from shared.logger import get_logger
from shared.model_endpoint import name_examined
from workers.ask.asker import Asked, Asker
from workers.ask.escalate import USELESS, Askers
from workers.ask.prompts import Prompts, get_prompt
from workers.phase.work import PhaseWork
from workers.phases import ALL_PHASES
from workers.phases.consolidate.exam import make_exam_questions, read_exam_answer

_log = get_logger()
#: All questions of an exam have the same prompt.
(_ANY_QUESTION,) = make_exam_questions((ExamDraw(pairs=(), notes=()),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The standing of the models that may answer a phase; a note for the dream's log tells why one has not passed."""

    has_passed: bool = False
    note: Skip | None = None


def examine_models(work: PhaseWork, askers: Askers) -> Standing:
    """Return whether all models that may answer have passed; the better model is examined only if the first one has."""
    is_off = work.ports.settings.llm_exam == "off"
    if is_off or not work.phase.needs_exam or askers.first.llm.model == FREE_MODEL:
        return Standing()
    for asker in filter(None, (askers.first, askers.better)):
        reason = _find_reason_against(work, askers, asker)
        if reason is not None:
            return Standing(note=reason)
    return Standing(has_passed=True)


def fingerprint_of(prompts: Prompts, effort: str) -> str:
    """Return the fingerprint of the prompts in force, a tenant's own included, and of the checks that follow."""
    asked = (prompts.get_named(phase.name) for phase in ALL_PHASES if phase.needs_exam)
    tables: tuple[Iterable[Check[Any]], ...] = (CHECKS, REPEAT_CHECKS, MERGE_CHECKS, TEXT_CHECKS)
    checks = (f"{one.code} {one.outcome}" for one in chain.from_iterable(tables))
    return exam_fingerprint((get_prompt("rules"), get_prompt("confirm"), *asked, *checks), effort)


def _find_reason_against(work: PhaseWork, askers: Askers, asker: Asker) -> Skip | None:
    """Return why the answers of a model are not trusted; None if it has passed."""
    settings, model = work.ports.settings, asker.llm.model
    examined = name_examined(settings, work.tenant, work.store, model)
    fingerprint = fingerprint_of(asker.prompts, settings.llm_effort)
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        result = find_valid(uow.exams.find_all(examined), fingerprint, uow.now())
    if result is None:
        taken = _take(work, askers, asker, examined, fingerprint)
        if isinstance(taken, str):
            count("slowwave_exams_total", result="not_taken")
            return Skip(code="no_exam", detail=f"{model} took no exam, so a person decides: {taken}")
        result = taken
    if result.passed:
        return None
    said = f"a person has set it: {result.reason}" if result.set_by else result.reason
    return Skip(code="exam_not_passed", detail=f"{model} has not passed its exam, so a person decides: {said}")


def _take(work: PhaseWork, askers: Askers, asker: Asker, examined: ExaminedModel, fingerprint: str) -> ExamResult | str:
    """Take and store an exam; return the result, or why none was taken. A resumed dream has the same questions."""
    draws = draw_exam(f"{work.dream.id}/{examined.model}")
    questions = make_exam_questions(draws)
    if asker is askers.better:
        questions = tuple(replace(one, key=escalated_key(one.key)) for one in questions)
    at_once = replace(asker, ask_otherwise=None, wish="", survey="")
    needed, left = _count_tokens(at_once, questions), asker.tokens.count_left()
    if needed > left:
        return f"it may take {needed:,} tokens, and {max(0, left):,} are left of the budget"
    asked = at_once.ask_all(questions)
    askers.sleep_if_limited(asked)
    if (missing := _find_missing(asked)) is not None:
        return missing
    grade = grade_exam(draws, [read_exam_answer(asked.answers.get(one.key)) for one in questions])
    with work.fenced() as uow:
        tokens, usd = uow.exams.sum_calls(work.key.dream_id, work.key.phase, [one.key for one in questions])
        result = ExamResult.of_grade(
            work.ports.ids.new("exm"), examined, fingerprint, grade, now=uow.now(), tokens=tokens, usd=usd
        )
        uow.exams.add(result)
    count("slowwave_exams_total", result="passed" if grade.passed else "failed")
    _log.info("exam_taken", dream_id=work.dream.id, model=examined.model, passed=grade.passed, reason=grade.reason)
    return result


def _count_tokens(asker: Asker, questions: Sequence[Question]) -> int:
    requests = [asker.build_request(question) for question in questions]
    return sum(asker.llm.count_tokens(request) + request.max_output_tokens for request in requests)


def _find_missing(asked: Asked) -> str | None:
    """Return why an exam is incomplete; an answer that the model failed to give counts in its grade instead."""
    codes = sorted(set(asked.unanswered.values()) - USELESS)
    return asked.said or f"a question has no answer ({', '.join(codes)})" if codes else None
