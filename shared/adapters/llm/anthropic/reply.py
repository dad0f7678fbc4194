"""Translate answers of the Messages API into `LlmReply`: each possible end of a call has an outcome and a sentence."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import anthropic
from pydantic import BaseModel, ValidationError

from shared.core.questions.extract_json import extract_json
from shared.ports.llm import LlmOutcome

_MAX_DETAIL_CHARS = 300
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
    value = extract_json(message.text)
    if value is None:
        return LlmOutcome.UNPARSABLE, None, f"The answer holds no JSON ({len(message.text)} characters)."
    try:
        return LlmOutcome.OK, answer_type.model_validate(value), ""
    except ValidationError as error:
        # The values are a tenant's text, so only places and rules are logged.
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        first = f"{'.'.join(map(str, problems[0]['loc'])) or 'the answer'}: {problems[0]['msg']}"
        return (
            LlmOutcome.UNPARSABLE,
            None,
            f"The answer does not fit {answer_type.__name__}: {first}"[:_MAX_DETAIL_CHARS],
        )


def outcome_of_error(error: anthropic.AnthropicError | TimeoutError) -> LlmOutcome:
    """Return the outcome for an error of the SDK."""
    match error:
        case TimeoutError() | anthropic.APITimeoutError() | anthropic.RequestTimeoutError():
            return LlmOutcome.TIMED_OUT
        case anthropic.RateLimitError():
            return LlmOutcome.RATE_LIMITED
        case anthropic.APIConnectionError():
            return LlmOutcome.UNREACHABLE
        case anthropic.APIStatusError() if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return (
                LlmOutcome.OVERLOADED
            )  # 503 and 529 mean overload; 500, 502 and 504 get the same treatment: ask later
        case _:
            return LlmOutcome.FAILED


def said_of(error: anthropic.APIStatusError) -> str:
    """Return a server's message about an error: Anthropic and Vertex put it inside `error`, Bedrock only in `message`."""
    if error.api_message:
        return error.api_message
    said = error.body.get("message") if isinstance(error.body, dict) else None
    return said if isinstance(said, str) else ""


def retry_after_seconds(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how long the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None
