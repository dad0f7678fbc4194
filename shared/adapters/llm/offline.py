"""A substitute for a model: fixed rules over the given texts. No key, no network, no clock; always the same answer.

The rules are conservative: in doubt they skip, keep or leave empty.
"""

from shared.adapters.llm.token_estimate import estimate_tokens
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage


class OfflineLlm:
    """Answers the phases' questions by rules; a question without rules is refused, which changes nothing."""

    @property
    def model(self) -> str:
        """Return the model's name for the log."""
        return "offline"

    def decide(self, request: LlmRequest) -> LlmReply:
        """Answer one question; holds no state, so any number of threads may ask."""
        question = request.question
        if question.without_model is None:
            detail = f"The offline model has no rules for {question.answer_type.__name__} in phase {question.phase!r}."
            return LlmReply(outcome=LlmOutcome.REFUSED, model=self.model, usage=LlmUsage(), detail=detail)
        answer = question.without_model(question)
        # No tokens: rules read and write none, and must not use up a day's budget.
        return LlmReply(outcome=LlmOutcome.OK, model=self.model, usage=LlmUsage(), answer=answer)

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request without sending it."""
        return estimate_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        """Return nothing: there is no cache."""
        return frozenset()
