from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.core.questions.question import Document, Question, render_question
from shared.ports.llm import Llm, LlmOutcome, LlmReply, LlmRequest, LlmUsage
from workers.phases.prune.answer import PruneAnswer, PruneDecision

KEEP = PruneAnswer(decisions=(PruneDecision(file="a.md", decision="KEEP"),))
ARCHIVE = PruneAnswer(decisions=(PruneDecision(file="a.md", decision="ARCHIVE"),))


def ask(llm: Llm, question: Question) -> LlmReply:
    return llm.decide(request(question))


def request(question: Question) -> LlmRequest:
    return LlmRequest(
        question=question, prefix="rules", instructions="prune", max_output_tokens=100, timeout_seconds=1.0
    )


def prune(key: str = "one") -> Question:
    document = Document(path="a.md", text="old", role="candidate")
    return Question(phase="prune", key=key, documents=(document,), answer_type=PruneAnswer)


def decide_one() -> Question:
    return Question(phase="prune", key="one", documents=(), answer_type=PruneDecision)


@pytest.mark.parametrize("by", [lambda q: q, lambda q: q.key, lambda q: q.phase])
def test_a_question_is_answered_by_itself_its_key_or_its_phase(by: Callable[[Question], object]) -> None:
    reply = ask(ScriptedLlm({by(prune()): KEEP}), prune())
    assert (reply.outcome, reply.answer, reply.model) == (LlmOutcome.OK, KEEP, "scripted")


def test_a_function_answers_by_what_it_is_asked() -> None:
    llm = ScriptedLlm(lambda question: KEEP if question.key == "one" else LlmOutcome.REFUSED)
    assert ask(llm, prune("one")).answer == KEEP
    assert ask(llm, prune("two")).outcome is LlmOutcome.REFUSED


def test_lines_are_said_in_order_and_then_the_answers_are_empty() -> None:
    llm = ScriptedLlm({"prune": [LlmOutcome.OVERLOADED, ARCHIVE]})
    replies = [ask(llm, prune(key)) for key in ("one", "two", "three")]
    assert [reply.outcome for reply in replies] == [LlmOutcome.OVERLOADED, LlmOutcome.OK, LlmOutcome.OK]
    assert [reply.answer for reply in replies] == [None, ARCHIVE, PruneAnswer()]


def test_the_lines_of_a_function_are_said_in_order_for_each_question() -> None:
    llm = ScriptedLlm(lambda _: [ARCHIVE, KEEP])
    assert [ask(llm, prune(key)).answer for key in ("one", "two", "one")] == [ARCHIVE, ARCHIVE, KEEP]


def test_a_whole_reply_is_given_back_as_it_is() -> None:
    later = LlmReply(outcome=LlmOutcome.RATE_LIMITED, model="m", usage=LlmUsage(), retry_after_seconds=7.0)
    assert ask(ScriptedLlm({"prune": later}), prune()) is later


def test_an_unknown_question_gets_an_empty_answer_if_its_type_allows_one() -> None:
    assert ask(ScriptedLlm(), prune()).answer == PruneAnswer()
    assert ask(ScriptedLlm(), decide_one()).outcome is LlmOutcome.UNPARSABLE


def test_an_answer_has_the_tokens_of_its_prompt_and_a_failure_has_none() -> None:
    llm = ScriptedLlm({"prune": [KEEP, LlmOutcome.TIMED_OUT]})
    usage = ask(llm, prune()).usage
    assert usage.input_tokens == llm.count_tokens(request(prune()))
    assert usage.output_tokens > 0
    assert ask(llm, prune()).usage == LlmUsage()


def test_tokens_are_a_quarter_of_the_characters_rounded_up() -> None:
    chars = len("rules") + len("prune") + len(render_question(prune()))
    estimate = ScriptedLlm().count_tokens(request(prune()))
    assert 4 * (estimate - 1) < chars <= 4 * estimate


def test_threads_share_one_script_and_every_request_is_kept() -> None:
    llm = ScriptedLlm({"prune": [KEEP] * 20 + [LlmOutcome.REFUSED] * 20}, latency_seconds=0.001)
    questions = [prune(str(number)) for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda question: ask(llm, question), questions))
    assert sum(reply.answer == KEEP for reply in replies) == 20
    assert {asked.question for asked in llm.requests} == set(questions)
