"""The offline model as a port: usage, dispatch, refusal."""

from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.core.questions.question import Document, Question, render_question
from shared.ports.llm import Llm, LlmOutcome, LlmRequest, LlmUsage
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation


class UnknownAnswer(BaseModel):
    words: tuple[str, ...] = ()


def request(question: Question) -> LlmRequest:
    return LlmRequest(question=question, prefix="p" * 8, instructions="i" * 8, max_output_tokens=10, timeout_seconds=1)


DOCUMENT = Document(path="a/b.md", text="Some text about nothing.", role="changed")
QUESTION = Question(
    phase="consolidate",
    key="a#1",
    documents=(DOCUMENT,),
    answer_type=ConsolidateAnswer,
    without_model=decide_consolidation,
)


def test_it_is_a_model_named_offline_that_costs_nothing() -> None:
    llm: Llm = OfflineLlm()
    reply = llm.decide(request(QUESTION))
    assert (reply.outcome, reply.model, reply.usage.cost_usd) == (LlmOutcome.OK, "offline", 0.0)
    assert isinstance(reply.answer, ConsolidateAnswer)


def test_rules_use_no_tokens_and_estimate_a_prompt_by_four_characters_a_token() -> None:
    llm = OfflineLlm()
    assert llm.decide(request(QUESTION)).usage == LlmUsage()
    assert llm.count_tokens(request(QUESTION)) == -(-(16 + len(render_question(QUESTION))) // 4)


def test_a_question_without_rules_is_refused_and_says_so() -> None:
    question = Question(phase="gather", key="g", documents=(DOCUMENT,), answer_type=UnknownAnswer)
    reply = OfflineLlm().decide(request(question))
    assert reply.outcome is LlmOutcome.REFUSED
    assert reply.answer is None
    assert "gather" in reply.detail
