"""Batches of chat completions as OpenAI defined them, through the official SDK: half the price, at most 24 hours.

A batch is a file of requests, one a line, and its results are two files more. OpenAI is asked to delete them after two days.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

import openai
from pydantic import BaseModel

from shared.adapters.llm.api_key import hide_key
from shared.adapters.llm.openai.completion import read_completion
from shared.adapters.llm.openai.endpoint import OpenAiEndpoint
from shared.adapters.llm.sdk_reply import MAX_DETAIL_CHARS
from shared.core.errors import RateLimitedError, ServiceUnavailableError
from shared.core.questions.prices import find_price
from shared.ports.batches import BatchEntry, BatchFailedError, BatchRefusedError
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage

_TIMEOUT_SECONDS = 60.0
_RETRY_SECONDS = 60.0
_ENDPOINT: Final = "/v1/chat/completions"
#: Results are read within 25 hours.
_KEPT_SECONDS = 2 * 24 * 3600
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


class OpenAiBatches(OpenAiEndpoint):
    """Implements `MessageBatches`."""

    @property
    def account(self) -> str:
        """Return the endpoint and a fingerprint of the key."""
        return f"{self._base_url or 'openai'} {hashlib.sha256(self._secret.encode()).hexdigest()[:16]}"

    def build(self, request: LlmRequest) -> dict[str, Any]:
        """Return the body of a chat completion."""
        return self._body(request)

    def read(self, model: str, result: Mapping[str, Any], answer_type: type[BaseModel]) -> LlmReply:
        """Convert a line of the results to a reply. Only answered lines are billed."""
        response, error = result.get("response") or {}, result.get("error") or {}
        if response.get("status_code") != HTTPStatus.OK:
            is_late = error.get("code") == "batch_expired" or result.get("type") == "expired"
            refusal = (response.get("body") or {}).get("error") or {}
            said = error.get("message") or refusal.get("message") or result.get("detail") or ""
            detail = hide_key(f"The batch's entry has no answer{f': {said}' if said else ''}", self._secret)
            outcome = LlmOutcome.TIMED_OUT if is_late else LlmOutcome.FAILED
            return LlmReply(outcome=outcome, model=model, usage=LlmUsage(), detail=detail[:MAX_DETAIL_CHARS])
        reply = read_completion(response.get("body"), answer_type, model, self._prices)
        price = find_price(model, self._prices)
        cost = reply.usage.cost_usd * (price.batch_factor if price is not None else 1.0)
        return replace(reply, usage=replace(reply.usage, cost_usd=cost))

    def create(self, entries: Sequence[BatchEntry]) -> str:
        """Create a batch. It is not retried here: a retry could create a second one."""
        lines = [
            {"custom_id": one.id, "method": "POST", "url": _ENDPOINT, "body": dict(one.request)} for one in entries
        ]
        content = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()
        own = self._base_url is not None  # other servers do not know how to expire a file
        kept: Any = openai.omit if own else {"anchor": "created_at", "seconds": _KEPT_SECONDS}
        with self._client(retries=0) as client:
            file = client.files.create(file=("questions.jsonl", content), purpose="batch", expires_after=kept)
            try:
                return client.batches.create(
                    input_file_id=file.id, endpoint=_ENDPOINT, completion_window="24h", output_expires_after=kept
                ).id
            except openai.APIStatusError as error:
                if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
                    with suppress(openai.OpenAIError):
                        client.files.delete(file.id)
                raise

    def find_results(self, batch_id: str) -> dict[str, Mapping[str, Any]] | None:
        """Return the results of a batch by the ids of its entries; None while it is in progress."""
        with self._client(retries=2) as client:
            batch = client.batches.retrieve(batch_id)
            if batch.status not in _ENDED:
                return None
            if batch.status == "failed":  # the whole file was refused, so nothing in it was asked
                said = "; ".join(one.message or "" for one in (batch.errors.data if batch.errors else None) or ())
                raise BatchFailedError(hide_key(f"The batch failed: {said}", self._secret)[:MAX_DETAIL_CHARS])
            files = [one for one in (batch.output_file_id, batch.error_file_id) if one]
            texts = [client.files.content(one).text for one in files]
        lines = [json.loads(line) for text in texts for line in text.splitlines() if line.strip()]
        return {line["custom_id"]: {name: line.get(name) for name in ("response", "error")} for line in lines}

    def find_since(self, moment: datetime) -> list[str]:
        """Return the ids of the account's batches that were created since a moment; the API lists the newest first."""
        found: list[str] = []
        with self._client(retries=2) as client:
            for one in client.batches.list(limit=100):
                if datetime.fromtimestamp(one.created_at, UTC) < moment:
                    break
                found.append(one.id)
        return found

    @contextmanager
    def _client(self, *, retries: int) -> Iterator[openai.OpenAI]:
        """Yield the SDK's client, and translate its errors."""
        try:
            with self._open(openai.OpenAI, _TIMEOUT_SECONDS, retries=retries) as client:
                yield client
        except openai.RateLimitError as error:
            raise RateLimitedError(_RETRY_SECONDS) from error
        except openai.APIStatusError as error:
            said = hide_key(f"The model server answered {error.status_code}: {error.message}", self._secret)
            if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise ServiceUnavailableError(said[:MAX_DETAIL_CHARS]) from error
            raise BatchRefusedError(said[:MAX_DETAIL_CHARS]) from error
        except (openai.OpenAIError, ValueError) as error:
            raise ServiceUnavailableError(f"The model server cannot be reached: {error}"[:MAX_DETAIL_CHARS]) from error
