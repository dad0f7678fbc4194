"""A client of the Anthropic Messages API, a compatible API, or a cloud with its models, through the official SDK.

Each call has a client and an event loop of its own, so that `timeout_seconds` cancels it wherever it is (connecting,
waiting, a body that drips), that a worker's time limit can interrupt it while it waits, and that nothing is shared
between threads, survives a fork or has to be closed. A new connection takes little time compared with a model.

Nothing is retried here, not even a dropped connection: the caller knows the dream's deadline and budget and decides by
the outcome and `retry_after_seconds`.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import anthropic

from shared.adapters.llm.anthropic.beginnings import find_long_beginnings
from shared.adapters.llm.anthropic.prompt_cache import OF_PROCESS, PromptCache, least_tokens
from shared.adapters.llm.anthropic.providers import Provider
from shared.adapters.llm.anthropic.reply import (
    WireUsage,
    read_answer,
    read_message,
    said_of,
)
from shared.adapters.llm.anthropic.request_body import (
    output_config,
    system_blocks,
    user_content,
)
from shared.adapters.llm.api_key import hide_key
from shared.adapters.llm.sdk_reply import MAX_DETAIL_CHARS, outcome_of_error, retry_after_seconds
from shared.adapters.llm.token_estimate import estimate_tokens
from shared.core.errors import BadInputError
from shared.core.questions.prices import ModelPrice, cost_usd
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from shared.prices.price_list import find_prices


def read_usage(model: str, usage: WireUsage, prices: Mapping[str, ModelPrice]) -> LlmUsage:
    """Return tokens as the API reports them, with their list price."""
    tokens = LlmUsage(
        input_tokens=usage.input_tokens or 0,
        output_tokens=usage.output_tokens or 0,
        cached_tokens=usage.cache_read_input_tokens or 0,
        cache_write_tokens=usage.cache_creation_input_tokens or 0,
    )
    cost = cost_usd(
        model,
        input_tokens=tokens.input_tokens,
        output_tokens=tokens.output_tokens,
        cached_tokens=tokens.cached_tokens,
        cache_write_tokens=tokens.cache_write_tokens,
        prices=prices,
    )
    return replace(tokens, cost_usd=cost)


_NO_USAGE = LlmUsage()


class AnthropicLlm:
    """Asks a Claude model. `structured_output=False` is for compatible endpoints that cannot enforce a schema."""

    def __init__(
        self,
        *,
        model: str,
        provider: Provider,
        structured_output: bool = True,
        send_effort: bool = True,
        prices: Mapping[str, ModelPrice] | None = None,
        prompt_cache: PromptCache = OF_PROCESS,
    ) -> None:
        self._provider = provider
        if not self._provider.is_usable:
            raise BadInputError("The API key is empty or contains characters that are not allowed in an HTTP header.")
        self._model = model
        self._structured_output = structured_output
        self._send_effort = send_effort
        self._prices = find_prices() if prices is None else prices
        self._prompt_cache = prompt_cache
        self._server = hash((self._provider, model))

    @property
    def model(self) -> str:
        """Return the model's id."""
        return self._model

    def decide(self, request: LlmRequest) -> LlmReply:
        """Ask one question. Must not be called from inside a running event loop.

        The time limit does not cover a name look-up that the system's resolver is stuck in.
        """
        keys = self._find_beginnings(request)
        is_expected = len(keys) > (0 in keys)
        marked = [n for n, key in keys.items() if self._prompt_cache.decide_marked(key, is_expected=is_expected)]
        reply = self._ask(request, marked)
        if marked:
            usage = reply.usage
            for key in (*(keys[number] for number in marked), self._server):
                self._prompt_cache.note(
                    key,
                    is_answered=reply.outcome is LlmOutcome.OK,
                    is_cached=bool(usage.cached_tokens or usage.cache_write_tokens),
                )
        return reply

    def find_unwritten(self, request: LlmRequest) -> frozenset[int]:
        """Return keys of the beginnings that this call would write; none if the server has cached nothing recently."""
        if self._prompt_cache.is_left_alone(self._server):
            return frozenset()
        keys = self._find_beginnings(request)
        return frozenset(key for number, key in keys.items() if number and self._prompt_cache.would_write(key))

    def _find_beginnings(self, request: LlmRequest) -> dict[int, int]:
        """Return a key of each beginning that the model would cache, by its number."""
        found = find_long_beginnings(request, least_tokens(self._model))
        answers = request.question.answer_type.__name__  # the server puts the schema before everything else
        return {number: hash((self._server, answers, *texts)) for number, texts in found.items()}

    def _ask(self, request: LlmRequest, marked: Collection[int]) -> LlmReply:
        try:
            message = asyncio.run(self._send(request, marked))
        except (anthropic.AnthropicError, TimeoutError) as error:
            return self._error_reply(error, request)
        except ValueError as error:
            return self._reply(LlmOutcome.FAILED, detail=f"The server's answer cannot be read: {error}")
        except Exception as error:
            if not self._provider.is_closed_by(error):
                raise
            return self._reply(
                LlmOutcome.FAILED, detail=f"There are no credentials for {self._provider.adapter}: {error}"
            )
        return self._read(message, request)

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request; no network is used."""
        return estimate_tokens(request)

    async def _send(self, request: LlmRequest, marked: Collection[int]) -> object:
        async with (
            asyncio.timeout(request.timeout_seconds),
            self._provider.open(request.timeout_seconds) as client,
        ):
            return await client.messages.create(
                model=self._model,
                max_tokens=request.max_output_tokens,
                system=system_blocks(request, marked),
                messages=[
                    {
                        "role": "user",
                        "content": user_content(request, marked, with_schema=not self._structured_output),
                    }
                ],
                output_config=output_config(
                    request, with_schema=self._structured_output, with_effort=self._send_effort
                ),
            )

    def _read(self, sent: object, request: LlmRequest) -> LlmReply:
        message = read_message(sent)
        if message is None:
            return self._reply(
                LlmOutcome.FAILED, detail="The server's answer is not a message. Check that base_url is a Messages API."
            )
        outcome, answer, detail = read_answer(message, request.question.answer_type)
        usage = self._usage(message.usage or WireUsage())
        return LlmReply(outcome=outcome, model=self._model, usage=usage, answer=answer, detail=detail)

    def _usage(self, usage: WireUsage) -> LlmUsage:
        return read_usage(self._model, usage, self._prices)

    def _error_reply(self, error: anthropic.AnthropicError | TimeoutError, request: LlmRequest) -> LlmReply:
        outcome = outcome_of_error(error, anthropic)
        if outcome is LlmOutcome.TIMED_OUT:
            # The server may have read the whole prompt and bill it; the length of its output is unknown.
            is_answered = isinstance(error, anthropic.APIStatusError)
            sent = _NO_USAGE if is_answered else self._usage(WireUsage(input_tokens=estimate_tokens(request)))
            return self._reply(outcome, detail=f"No answer within {request.timeout_seconds:g} s.", usage=sent)
        if outcome is LlmOutcome.UNREACHABLE:
            return self._reply(outcome, detail=f"The model server cannot be reached: {error.__cause__ or error}")
        if not isinstance(error, anthropic.APIStatusError):
            return self._reply(outcome, detail=f"The call failed: {error}")
        return self._reply(
            outcome,
            detail=f"The model server answered {error.status_code} ({type(error).__name__}): {said_of(error)}",
            retry_after_seconds=retry_after_seconds(error.response.headers, datetime.now(UTC)),
        )

    def _reply(
        self, outcome: LlmOutcome, *, detail: str, retry_after_seconds: float | None = None, usage: LlmUsage = _NO_USAGE
    ) -> LlmReply:
        # Some servers repeat a refused key.
        detail = hide_key(detail, self._provider.secret)[:MAX_DETAIL_CHARS]
        return LlmReply(
            outcome=outcome,
            model=self._model,
            usage=usage,
            detail=detail,
            retry_after_seconds=retry_after_seconds,
        )
