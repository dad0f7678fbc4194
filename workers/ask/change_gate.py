"""The change gate: find questions whose inputs have not changed and that need no call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.core.questions.change_gate import decide_spared
from shared.core.questions.escalation import plain_key
from shared.core.questions.fingerprint import AskingTerms, question_fingerprint, settings_of
from shared.core.questions.question import Question
from shared.ports.database import UnitOfWork
from workers.ask.prompts import Prompts, get_prompt, with_order_instructions
from workers.phase.work import PhaseWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCheck:
    """The fingerprint of each question by key, and the dream that recently asked the same question."""

    fingerprints: Mapping[str, str]
    spared: Mapping[str, str]


def find_unchanged_questions(
    uow: UnitOfWork, work: PhaseWork, questions: Sequence[Question], prompts: Prompts, model: str
) -> ChangeCheck:
    """Return the questions that need no call; none in a forced dream or a dry run.

    A question that already has an answer in this dream is not looked up.
    """
    if work.phase.asks_new_events_only:
        return ChangeCheck(fingerprints={}, spared={})
    settings = settings_of(work.policy)
    fingerprints = {
        one.key: question_fingerprint(one, _terms(work, one, prompts, model, settings)) for one in questions
    }
    if work.dream.is_forced or work.dream.is_dry_run or work.policy.change_gate.forced_days <= 0:
        return ChangeCheck(fingerprints=fingerprints, spared={})
    has_stored = work.facts.has_answers
    answered = uow.calls.find_answers(work.key.dream_id, work.key.phase) if has_stored else ()
    stored = frozenset(map(plain_key, answered))
    wanted = {key: fingerprint for key, fingerprint in fingerprints.items() if key not in stored}
    last = uow.asked(work.store.id).find_last(work.key.phase, set(wanted.values()))
    spared = {
        key: last[fingerprint].dream_id
        for key, fingerprint in wanted.items()
        if decide_spared(work.policy.change_gate, last.get(fingerprint), uow.now())
    }
    return ChangeCheck(fingerprints=fingerprints, spared=spared)


def find_complete(
    fingerprints: Mapping[str, str], answered: Sequence[str], unrepaired: Sequence[str]
) -> dict[str, str]:
    """Return the fingerprints of questions whose answer is final; those with an open repair are asked again.

    Args:
        fingerprints: by question key.
        answered: the keys of answered questions.
        unrepaired: the keys of further rounds without an answer; they begin with the key of the first one.
    """
    return {
        key: fingerprints[key]
        for key in answered
        if key in fingerprints and not any(repair.startswith(key) for repair in unrepaired)
    }


def _terms(work: PhaseWork, question: Question, prompts: Prompts, model: str, settings: str) -> AskingTerms:
    return AskingTerms(
        model=model,
        prompts=(get_prompt("rules"), with_order_instructions(prompts.get(question), work.facts.wish)),
        version=work.phase.version,
        settings=settings,
        facts_tell=work.phase.facts_tell,
    )
