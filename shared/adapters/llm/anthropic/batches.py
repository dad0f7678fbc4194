"""Message Batches of the Anthropic API through the official SDK: half the price, usually an hour, at most 24.

The request for a question is that of `AnthropicLlm` without cache marks: entries of a batch run in any order, so it is
unknown which of them writes the cache and which reads it.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, cast

import anthropic
from anthropic import Omit
from anthropic.types.messages.batch_create_params import Request
from pydantic import BaseModel, SecretStr

from shared.adapters.llm.anthropic.client import read_usage
from shared.adapters.llm.anthropic.reply import WireUsage, read_answer, read_message
from shared.adapters.llm.anthropic.request_body import output_config, system_blocks, user_content
from shared.adapters.llm.api_key import can_be_sent, hide_key
from shared.adapters.llm.untraced import UNTRACED
from shared.core.errors import BadInputError, RateLimitedError, ServiceUnavailableError
from shared.core.questions.prices import ModelPrice, find_price
from shared.ports.batches import BatchEntry, BatchRefusedError
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from shared.prices.price_list import find_prices

_TIMEOUT_SECONDS = 60.0
_MAX_DETAIL_CHARS = 300
_RETRY_SECONDS = 60.0


class AnthropicBatches:
    """Implements `MessageBatches`."""

    def __init__(
        self,
        *,
        model: str,
        api_key: str,
        base_url: str | None = None,
        structured_output: bool = True,
        prices: Mapping[str, ModelPrice] | None = None,
    ) -> None:
        if not can_be_sent(api_key):
            raise BadInputError("The API key is empty or contains characters that are not allowed in an HTTP header.")
        self._model = model
        self._api_key = SecretStr(api_key)
        self._base_url = base_url
        self._structured_output = structured_output
        self._prices = find_prices() if prices is None else prices

    @property
    def account(self) -> str:
        """Return the endpoint and a fingerprint of the key."""
        fingerprint = hashlib.sha256(self._api_key.get_secret_value().encode()).hexdigest()[:16]
        return f"{self._base_url or 'anthropic'} {fingerprint}"

    def build(self, request: LlmRequest) -> dict[str, Any]:
        """Return the parameters of a message."""
        parts = {
            "model": self._model,
            "max_tokens": request.max_output_tokens,
            "system": system_blocks(request, ()),
            "messages": [
                {"role": "user", "content": user_content(request, (), with_schema=not self._structured_output)}
            ],
            "output_config": output_config(request, with_schema=self._structured_output, with_effort=True),
        }
        return {name: value for name, value in parts.items() if not isinstance(value, Omit)}

    def read(self, model: str, result: Mapping[str, Any], answer_type: type[BaseModel]) -> LlmReply:
        """Convert a result to a reply. Only successful entries are billed."""
        kind = result.get("type")
        if kind != "succeeded":
            outcome = LlmOutcome.TIMED_OUT if kind == "expired" else LlmOutcome.FAILED
            return LlmReply(outcome=outcome, model=model, usage=LlmUsage(), detail=self._said(result))
        message = read_message(result.get("message"))
        if message is None:
            detail = "The batch's result is not a message."
            return LlmReply(outcome=LlmOutcome.FAILED, model=model, usage=LlmUsage(), detail=detail)
        found, answer, detail = read_answer(message, answer_type)
        usage = read_usage(model, message.usage or WireUsage(), self._prices)
        price = find_price(model, self._prices)
        usage = replace(usage, cost_usd=usage.cost_usd * (price.batch_factor if price is not None else 1.0))
        return LlmReply(outcome=found, model=model, usage=usage, answer=answer, detail=detail)

    def create(self, entries: Sequence[BatchEntry]) -> str:
        """Create a batch. It is not retried here: a retry could create a second one."""
        requests = [cast("Request", {"custom_id": one.id, "params": one.request}) for one in entries]
        with self._client(retries=0) as client:
            return client.messages.batches.create(requests=requests).id

    def find_results(self, batch_id: str) -> dict[str, Mapping[str, Any]] | None:
        """Return the results of a batch by the ids of its entries; None while it is in progress."""
        with self._client(retries=2) as client:
            if client.messages.batches.retrieve(batch_id).processing_status != "ended":
                return None
            found = client.messages.batches.results(batch_id)
            return {one.custom_id: one.result.model_dump(mode="json") for one in found}

    def find_since(self, moment: datetime) -> list[str]:
        """Return the ids of the account's batches that were created since a moment; the API lists the newest first."""
        found: list[str] = []
        with self._client(retries=2) as client:
            for one in client.messages.batches.list(limit=100):
                if one.created_at < moment:
                    break
                found.append(one.id)
        return found

    def _said(self, result: Mapping[str, Any]) -> str:
        said = ((result.get("error") or {}).get("error") or {}).get("message") or result.get("detail") or ""
        text = f"The batch's entry is {result.get('type', 'unknown')}{f': {said}' if said else ''}"
        return hide_key(text, self._api_key.get_secret_value())[:_MAX_DETAIL_CHARS]

    @contextmanager
    def _client(self, *, retries: int) -> Iterator[anthropic.Anthropic]:
        """Yield the SDK's client, and translate its errors."""
        key = self._api_key.get_secret_value()
        try:
            with anthropic.Anthropic(
                api_key=key,
                base_url=self._base_url,
                max_retries=retries,
                timeout=_TIMEOUT_SECONDS,
                open_telemetry=UNTRACED,
            ) as client:
                yield client
        except anthropic.RateLimitError as error:
            raise RateLimitedError(_RETRY_SECONDS) from error
        except anthropic.APIStatusError as error:
            said = f"The model server answered {error.status_code}: {hide_key(error.api_message or '', key)}"
            if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise ServiceUnavailableError(said[:_MAX_DETAIL_CHARS]) from error
            raise BatchRefusedError(said[:_MAX_DETAIL_CHARS]) from error
        except anthropic.AnthropicError as error:
            raise ServiceUnavailableError(f"The model server cannot be reached: {error}"[:_MAX_DETAIL_CHARS]) from error
