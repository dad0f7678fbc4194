"""The Anthropic Messages API, or a compatible one, through the official SDK.

Each call has a client and an event loop of its own, so that `timeout_seconds` cancels it wherever it is (connecting,
waiting, a body that drips), that a worker's time limit can interrupt it while it waits, and that nothing is shared
between threads, survives a fork or has to be closed. A new connection is small beside the seconds that a model takes.

Nothing is retried here, not even a dropped connection: the caller knows the dream's deadline and budget and decides by
the outcome and `retry_after_seconds`.

What is sent to the Messages API for one question: the rules and the instructions, which every question of a phase shares
with those of other dreams and which the server may cache, then the framed documents.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import anthropic
from anthropic import Omit, omit, transform_schema
from anthropic.types import OutputConfigParam, TextBlockParam
from pydantic import BaseModel, SecretStr

from shared.adapters.llm.anthropic.prompt_cache import OF_PROCESS, PromptCache, least_tokens
from shared.adapters.llm.anthropic.reply import (
    WireUsage,
    outcome_of_error,
    read_answer,
    read_message,
    retry_after_seconds,
)
from shared.adapters.llm.api_key import can_be_sent, hide_key
from shared.adapters.llm.token_estimate import count_tokens_of, estimate_tokens
from shared.core.errors import BadInputError
from shared.core.questions.prices import LIST_PRICES, ModelPrice, cost_usd
from shared.core.questions.question import render_question
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage


def system_blocks(request: LlmRequest, *, is_marked: bool) -> list[TextBlockParam] | Omit:
    """Return the rules and the instructions; an empty block would be refused by the API.

    Args:
        request: the call.
        is_marked: have the server cache all of it.
    """
    blocks: list[TextBlockParam] = [{"type": "text", "text": text} for text in shared_texts(request)]
    if not blocks:
        return omit
    if is_marked:
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return blocks


def shared_texts(request: LlmRequest) -> list[str]:
    """Return what a call shares with others: with every call the rules, with those of its phase the instructions."""
    return [text for text in (request.prefix, request.instructions) if text]


def user_text(request: LlmRequest, *, with_schema: bool) -> str:
    """Return the question's framed documents and, if the server cannot enforce it, the schema."""
    parts = [render_question(request.question)]
    if with_schema:
        schema = json.dumps(answer_schema(request.question.answer_type), ensure_ascii=False)
        parts.append(f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{schema}")
    return "\n\n".join(part for part in parts if part)


def output_config(request: LlmRequest, *, with_schema: bool, with_effort: bool) -> OutputConfigParam | Omit:
    """Return the part of the request that holds the answer's schema and the effort."""
    config: dict[str, object] = {}
    if with_schema:
        config["format"] = {"type": "json_schema", "schema": answer_schema(request.question.answer_type)}
    if with_effort:
        config["effort"] = request.effort
    return cast("OutputConfigParam", config) if config else omit


def answer_schema(answer_type: type[BaseModel]) -> dict[str, object]:
    """Return the answer's JSON schema as structured outputs accept it: bounds are words in the descriptions."""
    return transform_schema(answer_type)


_MAX_DETAIL_CHARS = 300
_NO_USAGE = LlmUsage()


class AnthropicLlm:
    """Asks a Claude model. `structured_output=False` is for compatible endpoints that cannot enforce a schema."""

    def __init__(
        self,
        *,
        model: str,
        api_key: str,
        base_url: str | None = None,
        structured_output: bool = True,
        send_effort: bool = True,
        prices: Mapping[str, ModelPrice] = LIST_PRICES,
        prompt_cache: PromptCache = OF_PROCESS,
    ) -> None:
        if not can_be_sent(api_key):
            raise BadInputError("The API key is empty or holds characters that an HTTP header cannot carry.")
        self._model = model
        self._api_key = SecretStr(api_key)
        self._base_url = base_url
        self._structured_output = structured_output
        self._send_effort = send_effort
        self._prices = prices
        self._prompt_cache = prompt_cache

    @property
    def model(self) -> str:
        """Return the model's id."""
        return self._model

    def decide(self, request: LlmRequest) -> LlmReply:
        """Ask one question. Must not be called from inside a running event loop.

        The time limit does not cover a name look-up that the system's resolver is stuck in.
        """
        texts = shared_texts(request)
        beginning = hash((self._base_url, self._model, self._api_key.get_secret_value(), *texts))
        is_long = count_tokens_of(texts) >= least_tokens(self._model)
        is_marked = is_long and self._prompt_cache.decide_marked(beginning)
        reply = self._ask(request, is_marked=is_marked)
        if is_marked:
            usage = reply.usage
            self._prompt_cache.note(
                beginning,
                is_answered=reply.outcome is LlmOutcome.OK,
                is_cached=bool(usage.cached_tokens or usage.cache_write_tokens),
            )
        return reply

    def _ask(self, request: LlmRequest, *, is_marked: bool) -> LlmReply:
        try:
            message = asyncio.run(self._send(request, is_marked=is_marked))
        except (anthropic.AnthropicError, TimeoutError) as error:
            return self._error_reply(error, request)
        except ValueError as error:
            return self._reply(LlmOutcome.FAILED, detail=f"The server's answer cannot be read: {error}")
        return self._read(message, request)

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request; no network is used."""
        return estimate_tokens(request)

    async def _send(self, request: LlmRequest, *, is_marked: bool) -> object:
        async with (
            asyncio.timeout(request.timeout_seconds),
            anthropic.AsyncAnthropic(
                api_key=self._api_key.get_secret_value(),
                base_url=self._base_url,
                max_retries=0,
                timeout=request.timeout_seconds,
            ) as client,
        ):
            return await client.messages.create(
                model=self._model,
                max_tokens=request.max_output_tokens,
                system=system_blocks(request, is_marked=is_marked),
                messages=[{"role": "user", "content": user_text(request, with_schema=not self._structured_output)}],
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
        tokens = LlmUsage(
            input_tokens=usage.input_tokens or 0,
            output_tokens=usage.output_tokens or 0,
            cached_tokens=usage.cache_read_input_tokens or 0,
            cache_write_tokens=usage.cache_creation_input_tokens or 0,
        )
        cost = cost_usd(
            self._model,
            input_tokens=tokens.input_tokens,
            output_tokens=tokens.output_tokens,
            cached_tokens=tokens.cached_tokens,
            cache_write_tokens=tokens.cache_write_tokens,
            prices=self._prices,
        )
        return replace(tokens, cost_usd=cost)

    def _error_reply(self, error: anthropic.AnthropicError | TimeoutError, request: LlmRequest) -> LlmReply:
        outcome = outcome_of_error(error)
        if outcome is LlmOutcome.TIMED_OUT:
            # The server may have read the whole prompt and bill it; how much it wrote is not known.
            is_answered = isinstance(error, anthropic.APIStatusError)
            sent = _NO_USAGE if is_answered else self._usage(WireUsage(input_tokens=estimate_tokens(request)))
            return self._reply(outcome, detail=f"No answer within {request.timeout_seconds:g} s.", usage=sent)
        if outcome is LlmOutcome.UNREACHABLE:
            return self._reply(outcome, detail=f"The model server cannot be reached: {error.__cause__ or error}")
        if not isinstance(error, anthropic.APIStatusError):
            return self._reply(outcome, detail=f"The call failed: {error}")
        return self._reply(
            outcome,
            detail=f"The model server answered {error.status_code} ({type(error).__name__}): {error.api_message or ''}",
            retry_after_seconds=retry_after_seconds(error.response.headers, datetime.now(UTC)),
        )

    def _reply(
        self, outcome: LlmOutcome, *, detail: str, retry_after_seconds: float | None = None, usage: LlmUsage = _NO_USAGE
    ) -> LlmReply:
        # Some servers repeat the key that they refuse.
        detail = hide_key(detail, self._api_key.get_secret_value())[:_MAX_DETAIL_CHARS]
        return LlmReply(
            outcome=outcome,
            model=self._model,
            usage=usage,
            detail=detail,
            retry_after_seconds=retry_after_seconds,
        )
