"""Find common beginnings of requests that are long enough for the prompt cache."""

from shared.adapters.llm.token_estimate import count_tokens_of
from shared.core.questions.question import render_parts
from shared.ports.llm import LlmRequest

#: The API's limit for one request.
_MAX_MARKS = 4


def shared_texts(request: LlmRequest) -> list[str]:
    """Return the shared texts of a call: the rules, shared with all calls, and the instructions, shared within its phase."""
    return [text for text in (request.prefix, request.instructions) if text]


def count_shared_parts(request: LlmRequest) -> int:
    """Return how many of the question's first texts other questions of its phase also begin with."""
    return len(request.question.beginning.parts) if request.question.beginning else 0


def find_long_beginnings(request: LlmRequest, least: int) -> dict[int, tuple[str, ...]]:
    """Return the shared beginnings that are long enough for the cache, by the number of the question's texts in them.

    Number 0 is only the rules and the instructions. Of the others the longest are returned, up to the limit of marks.
    """
    system, asked = shared_texts(request), render_parts(request.question)
    beginnings = {number: (*system, *asked[:number]) for number in range(count_shared_parts(request) + 1)}
    long = [number for number, texts in beginnings.items() if texts and count_tokens_of(texts) >= least]
    return {number: beginnings[number] for number in long if number == 0 or number in long[-(_MAX_MARKS - 1) :]}
