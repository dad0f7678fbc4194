"""Read what a model wrote, and how a call of an SDK ended; the SDKs of Anthropic and OpenAI name their errors alike."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import ModuleType

from pydantic import BaseModel, ValidationError

from shared.core.inputs.wrong_values import tell_wrong
from shared.core.questions.extract_json import extract_json
from shared.ports.llm import LlmOutcome

MAX_DETAIL_CHARS = 300


def read_json(text: str, answer_type: type[BaseModel]) -> tuple[LlmOutcome, BaseModel | None, str]:
    """Return the outcome of a text, its answer, and a sentence if it has none."""
    value = extract_json(text)
    if value is None:
        return LlmOutcome.UNPARSABLE, None, f"The answer holds no JSON ({len(text)} characters)."
    try:
        return LlmOutcome.OK, answer_type.model_validate(value), ""
    except ValidationError as error:
        # The values are a tenant's text, so only places and rules are logged.
        first = tell_wrong(error.errors(include_input=False, include_url=False, include_context=False))[0]
        return (
            LlmOutcome.UNPARSABLE,
            None,
            f"The answer does not fit {answer_type.__name__}: {first.where or 'the answer'}: {first.why}"[
                :MAX_DETAIL_CHARS
            ],
        )


def outcome_of_error(error: Exception, sdk: ModuleType) -> LlmOutcome:
    """Return the outcome for an error of an SDK, or of waiting for it too long."""
    if isinstance(error, (TimeoutError, sdk.APITimeoutError)):
        return LlmOutcome.TIMED_OUT
    if isinstance(error, sdk.APIConnectionError):
        return LlmOutcome.UNREACHABLE
    if not isinstance(error, sdk.APIStatusError):
        return LlmOutcome.FAILED
    status = error.status_code
    if status == HTTPStatus.REQUEST_TIMEOUT:
        return LlmOutcome.TIMED_OUT
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return LlmOutcome.RATE_LIMITED
    # 503 and 529 mean overload; 500, 502 and 504 get the same treatment: ask later
    return LlmOutcome.OVERLOADED if status >= HTTPStatus.INTERNAL_SERVER_ERROR else LlmOutcome.FAILED


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
