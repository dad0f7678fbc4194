"""A rough estimate of a prompt's tokens, without network."""

from collections.abc import Sequence

from shared.core.questions.question import render_question
from shared.ports.llm import LlmRequest

_CHARS_PER_TOKEN = 4


def estimate_tokens(request: LlmRequest) -> int:
    """Return an estimate of the prompt's tokens: its characters over four, rounded up.

    Four characters a token is a rule of thumb for English prose: code has more tokens, and the answer's schema is not
    counted.
    """
    return count_tokens_of([request.prefix, request.instructions, render_question(request.question)])


def count_tokens_of(texts: Sequence[str]) -> int:
    """Return the same estimate of texts that follow each other."""
    return -(-sum(map(len, texts)) // _CHARS_PER_TOKEN)
