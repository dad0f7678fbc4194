"""A client of chat completions as OpenAI defined them, through the official SDK: OpenAI, Ollama, vLLM, LM Studio, OpenRouter and others.

Servers differ in what they can enforce, so the answer's schema stands in the prompt, and `response_format` names it, too, unless the
server has refused that once. As for Anthropic's client: each call has a client and an event loop of its own, and nothing is retried here.
"""

import asyncio
from datetime import UTC, datetime

import openai

from shared.adapters.llm.api_key import hide_key
from shared.adapters.llm.openai.completion import WireUsage, read_completion, read_usage
from shared.adapters.llm.openai.endpoint import OpenAiEndpoint
from shared.adapters.llm.sdk_reply import MAX_DETAIL_CHARS, outcome_of_error, retry_after_seconds
from shared.adapters.llm.token_estimate import estimate_tokens
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage

_NO_USAGE = LlmUsage()


class OpenAiLlm(OpenAiEndpoint):
    """Asks a model behind chat completions."""

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._model

    def decide(self, request: LlmRequest) -> LlmReply:
        """Ask one question. Must not be called from inside a running event loop."""
        try:
            sent = asyncio.run(self._send(request))
        except (openai.OpenAIError, TimeoutError) as error:
            return self._error_reply(error, request)
        except ValueError as error:
            return self._reply(LlmOutcome.FAILED, f"The server's answer cannot be read: {error}")
        return read_completion(sent, request.question.answer_type, self._model, self._prices)

    def find_unwritten(self, request: LlmRequest) -> frozenset[int]:  # noqa: ARG002 - the port's signature
        """Return nothing: these servers cache beginnings by themselves or not at all."""
        return frozenset()

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request; no network is used."""
        return estimate_tokens(request)

    async def _send(self, request: LlmRequest) -> object:
        async with (
            asyncio.timeout(request.timeout_seconds),
            self._open(openai.AsyncOpenAI, request.timeout_seconds) as client,
        ):
            try:
                return await client.chat.completions.create(**self._body(request))
            except openai.BadRequestError as error:
                if not self._takes_schema or not _is_about_schema(error):
                    raise
            self._takes_schema = False  # of this process, until it starts again
            return await client.chat.completions.create(**self._body(request))

    def _error_reply(self, error: Exception, request: LlmRequest) -> LlmReply:
        outcome = outcome_of_error(error, openai)
        if outcome is LlmOutcome.TIMED_OUT:
            # The server may have read the whole prompt and bill it; the length of its output is unknown.
            is_answered = isinstance(error, openai.APIStatusError)
            sent = (
                _NO_USAGE
                if is_answered
                else read_usage(WireUsage(prompt_tokens=estimate_tokens(request)), self._model, self._prices)
            )
            return self._reply(outcome, f"No answer within {request.timeout_seconds:g} s.", usage=sent)
        if outcome is LlmOutcome.UNREACHABLE:
            return self._reply(outcome, f"The model server cannot be reached: {error.__cause__ or error}")
        if not isinstance(error, openai.APIStatusError):
            return self._reply(outcome, f"The call failed: {error}")
        if error.code == "insufficient_quota":
            outcome = LlmOutcome.FAILED  # a limit of time passes, an empty account does not
        reply = self._reply(outcome, f"The model server answered {error.status_code} ({type(error).__name__}): {error}")
        seconds = retry_after_seconds(error.response.headers, datetime.now(UTC))
        return LlmReply(
            outcome=reply.outcome, model=reply.model, usage=reply.usage, detail=reply.detail,
            retry_after_seconds=seconds,
        )  # fmt: skip

    def _reply(self, outcome: LlmOutcome, detail: str, *, usage: LlmUsage = _NO_USAGE) -> LlmReply:
        # Some servers repeat a refused key.
        detail = hide_key(detail, self._secret)[:MAX_DETAIL_CHARS]
        return LlmReply(outcome=outcome, model=self._model, usage=usage, detail=detail)


def _is_about_schema(error: openai.BadRequestError) -> bool:
    """Tell whether a server refused `response_format`, which some do not know."""
    said = str(error).lower()
    return any(word in said for word in ("response_format", "json_schema", "schema", "grammar"))
