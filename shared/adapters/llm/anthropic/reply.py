"""Read answers of the Messages API: each possible end of a call has an outcome and a sentence."""

import anthropic
from pydantic import BaseModel, ValidationError

from shared.adapters.llm.sdk_reply import read_json
from shared.ports.llm import LlmOutcome

_STOPPED_EARLY = {
    "refusal": (LlmOutcome.REFUSED, "The model refused to answer."),
    "max_tokens": (LlmOutcome.TRUNCATED, "The answer was cut off at its token limit."),
    "model_context_window_exceeded": (LlmOutcome.TRUNCATED, "The answer was cut off at the model's context window."),
}


class _Block(BaseModel):
    type: str
    text: str | None = None


class WireUsage(BaseModel):
    """Tokens as the API reports them; a compatible server may leave some out."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class WireMessage(BaseModel):
    """The fields of a message that are read. They are checked here, because the SDK does not check them."""

    content: list[_Block]
    stop_reason: str | None = None
    usage: WireUsage | None = None

    @property
    def text(self) -> str:
        """Return the text of the answer, without its thinking."""
        return "".join(block.text or "" for block in self.content if block.type == "text")


def read_message(message: object) -> WireMessage | None:
    """Parse a server's response as a message; None if it is something else, such as a web page."""
    try:
        return WireMessage.model_validate(message, from_attributes=True)
    except ValidationError:
        return None


def read_answer(message: WireMessage, answer_type: type[BaseModel]) -> tuple[LlmOutcome, BaseModel | None, str]:
    """Return the outcome of a message, its answer, and a sentence if it has none."""
    if message.stop_reason in _STOPPED_EARLY:
        outcome, detail = _STOPPED_EARLY[message.stop_reason]
        return outcome, None, detail
    return read_json(message.text, answer_type)


def said_of(error: anthropic.APIStatusError) -> str:
    """Return a server's message about an error: Anthropic and Vertex put it inside `error`, Bedrock only in `message`."""
    if error.api_message:
        return error.api_message
    said = error.body.get("message") if isinstance(error.body, dict) else None
    return said if isinstance(said, str) else ""
