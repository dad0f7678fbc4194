"""Find the bytes that requests have in common from the first one on, as far as they are long enough for the prompt cache."""

from shared.adapters.llm.token_estimate import count_tokens_of
from shared.core.questions.question import render_parts
from shared.ports.llm import LlmRequest

#: Of one request, by the API.
_MAX_MARKS = 4


def shared_texts(request: LlmRequest) -> list[str]:
    """Return what a call shares with others: with every call the rules, with those of its phase the instructions."""
    return [text for text in (request.prefix, request.instructions) if text]


def count_shared_parts(request: LlmRequest) -> int:
    """Return how many of the texts of the question other questions of its phase begin with, too."""
    return len(request.question.beginning.parts) if request.question.beginning else 0


def find_long_beginnings(request: LlmRequest, least: int) -> dict[int, tuple[str, ...]]:
    """Return the beginnings that others share and that are long enough for the cache, by the number of the question's texts in them.

    That of 0 is the rules and the instructions alone. Of the others the longest are returned, as many as a request may mark.
    """
    system, asked = shared_texts(request), render_parts(request.question)
    beginnings = {number: (*system, *asked[:number]) for number in range(count_shared_parts(request) + 1)}
    long = [number for number, texts in beginnings.items() if texts and count_tokens_of(texts) >= least]
    return {number: beginnings[number] for number in long if number == 0 or number in long[-(_MAX_MARKS - 1) :]}
