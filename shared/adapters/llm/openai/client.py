"""A client of chat completions as OpenAI defined them, through the official SDK: OpenAI, Ollama, vLLM, LM Studio, OpenRouter and others.

Servers differ in what they can enforce, so the answer's schema stands in the prompt, and `response_format` names it, too, unless the
server has refused that once. As for Anthropic's client: each call has a client and an event loop of its own, and nothing is retried here.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

import openai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.shared_params import ResponseFormatJSONSchema
from pydantic import BaseModel, SecretStr, ValidationError

from shared.adapters.llm.anthropic.beginnings import shared_texts
from shared.adapters.llm.anthropic.request_body import answer_schema, user_texts
from shared.adapters.llm.api_key import can_be_sent, hide_key
from shared.adapters.llm.sdk_reply import MAX_DETAIL_CHARS, outcome_of_error, read_json, retry_after_seconds
from shared.adapters.llm.token_estimate import estimate_tokens
from shared.core.errors import BadInputError
from shared.core.questions.prices import ModelPrice, cost_usd
from shared.core.tenants.model_settings import OPENAI_URL
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from shared.prices.price_list import find_prices

#: What is sent where no key is set: local servers take any, and the SDK wants one.
_NO_KEY = "none"
_NO_USAGE = LlmUsage()


class _Details(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    """The fields of a completion that are read. They are checked here, because the SDK does not check them."""

    choices: list[_Choice]
    usage: _Usage | None = None


class OpenAiLlm:
    """Asks a model behind chat completions. `base_url=None` is OpenAI itself."""

    def __init__(
        self,
        *,
        model: str,
        key: SecretStr | None,
        base_url: str | None,
        structured_output: bool = True,
        prices: Mapping[str, ModelPrice] | None = None,
    ) -> None:
        if key is not None and not can_be_sent(key.get_secret_value()):
            raise BadInputError("The API key is empty or contains characters that are not allowed in an HTTP header.")
        self._model = model
        self._key = key
        self._base_url = base_url
        self._takes_schema = structured_output
        self._prices = find_prices() if prices is None else prices

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._model

    @property
    def _secret(self) -> str:
        return self._key.get_secret_value() if self._key is not None else ""

    def decide(self, request: LlmRequest) -> LlmReply:
        """Ask one question. Must not be called from inside a running event loop."""
        try:
            sent = asyncio.run(self._send(request))
        except (openai.OpenAIError, TimeoutError) as error:
            return self._error_reply(error, request)
        except ValueError as error:
            return self._reply(LlmOutcome.FAILED, f"The server's answer cannot be read: {error}")
        return self._read(sent, request)

    def find_unwritten(self, request: LlmRequest) -> frozenset[int]:  # noqa: ARG002 - the port's signature
        """Return nothing: these servers cache beginnings by themselves or not at all."""
        return frozenset()

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request; no network is used."""
        return estimate_tokens(request)

    def _open(self, seconds: float) -> openai.AsyncOpenAI:
        client = openai.AsyncOpenAI(
            api_key=self._secret or _NO_KEY, base_url=self._base_url or OPENAI_URL, max_retries=0, timeout=seconds
        )
        # The SDK takes these from the environment, and would send them to any tenant's server.
        client.organization = client.project = None
        return client

    async def _send(self, request: LlmRequest) -> object:
        async with (
            asyncio.timeout(request.timeout_seconds),
            self._open(request.timeout_seconds) as client,
        ):
            try:
                return await self._complete(client, request)
            except openai.BadRequestError as error:
                if not self._takes_schema or not _is_about_schema(error):
                    raise
            self._takes_schema = False  # of this process, until it starts again
            return await self._complete(client, request)

    async def _complete(self, client: openai.AsyncOpenAI, request: LlmRequest) -> object:
        rules = "\n\n".join(shared_texts(request))
        messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": rules}] if rules else []
        messages.append({"role": "user", "content": "\n\n".join(user_texts(request, with_schema=True))})
        most = request.max_output_tokens
        return await client.chat.completions.create(
            model=self._model,
            messages=messages,
            # OpenAI's newer models refuse the older name, and other servers know only that.
            max_completion_tokens=most if self._base_url is None else openai.omit,
            max_tokens=openai.omit if self._base_url is None else most,
            response_format=_schema_of(request.question.answer_type) if self._takes_schema else openai.omit,
        )

    def _read(self, sent: object, request: LlmRequest) -> LlmReply:
        try:
            completion = _Completion.model_validate(sent, from_attributes=True)
            choice = completion.choices[0]
        except (ValidationError, IndexError):
            detail = "The server's answer is not a chat completion. Check that base_url ends where /chat/completions begins, often in /v1."
            return self._reply(LlmOutcome.FAILED, detail)
        usage = self._usage(completion.usage or _Usage())
        if choice.message.refusal or choice.finish_reason == "content_filter":
            return self._reply(LlmOutcome.REFUSED, "The model refused to answer.", usage=usage)
        if choice.finish_reason == "length":
            return self._reply(LlmOutcome.TRUNCATED, "The answer was cut off at its token limit.", usage=usage)
        outcome, answer, detail = read_json(choice.message.content or "", request.question.answer_type)
        return LlmReply(outcome=outcome, model=self._model, usage=usage, answer=answer, detail=detail)

    def _usage(self, usage: _Usage) -> LlmUsage:
        """Return tokens as the server reports them, with their list price. It counts cached ones as part of the prompt."""
        cached = (usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else 0) or 0
        fresh, written = max(0, (usage.prompt_tokens or 0) - cached), usage.completion_tokens or 0
        cost = cost_usd(
            self._model,
            input_tokens=fresh,
            output_tokens=written,
            cached_tokens=cached,
            cache_write_tokens=0,
            prices=self._prices,
        )
        return LlmUsage(input_tokens=fresh, output_tokens=written, cached_tokens=cached, cost_usd=cost)

    def _error_reply(self, error: Exception, request: LlmRequest) -> LlmReply:
        outcome = outcome_of_error(error, openai)
        if outcome is LlmOutcome.TIMED_OUT:
            # The server may have read the whole prompt and bill it; the length of its output is unknown.
            is_answered = isinstance(error, openai.APIStatusError)
            sent = _NO_USAGE if is_answered else self._usage(_Usage(prompt_tokens=estimate_tokens(request)))
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


def _schema_of(answer_type: type[BaseModel]) -> ResponseFormatJSONSchema:
    return {
        "type": "json_schema",
        "json_schema": {"name": answer_type.__name__, "schema": answer_schema(answer_type)},
    }


def _is_about_schema(error: openai.BadRequestError) -> bool:
    """Tell whether a server refused `response_format`, which some do not know."""
    said = str(error).lower()
    return any(word in said for word in ("response_format", "json_schema", "schema", "grammar"))
