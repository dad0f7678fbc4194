"""A rough estimate of a prompt's tokens, without network."""

from shared.core.questions.question import render_question
from shared.ports.llm import LlmRequest

_CHARS_PER_TOKEN = 4


def estimate_tokens(request: LlmRequest) -> int:
    """Return an estimate of the prompt's tokens: its characters over four, rounded up.

    Four characters a token is a rule of thumb for English prose: code has more tokens, and the answer's schema is not
    counted.
    """
    chars = len(request.prefix) + len(request.instructions) + len(render_question(request.question))
    return -(-chars // _CHARS_PER_TOKEN)
