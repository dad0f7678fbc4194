"""A question, and the answer that a model of a test writes."""

from shared.core.questions.question import Document, Question
from shared.ports.llm import LlmRequest
from workers.phases.prune.answer import PruneAnswer, PruneDecision

KEY = "sk-very-secret"
ARCHIVE = PruneAnswer(decisions=(PruneDecision(file="a.md", decision="ARCHIVE", confidence=0.9),))
WRITTEN = ARCHIVE.model_dump_json(by_alias=True)


def question(key: str = "one") -> Question:
    document = Document(path="a.md", text="Old.", role="candidate", facts=(f"candidate {key}",))
    return Question(phase="prune", key=key, documents=(document,), answer_type=PruneAnswer)


def request(key: str = "one", timeout_seconds: float = 5.0) -> LlmRequest:
    return LlmRequest(
        question=question(key),
        prefix="You tidy the memory of an agent.",
        instructions="Decide about each candidate.",
        max_output_tokens=1000,
        timeout_seconds=timeout_seconds,
    )
