"""Vectors from an endpoint with OpenAI's embeddings API, such as Voyage, Ollama, vLLM and TEI: POST …/embeddings.

Only the operator can name the endpoint, so it may be in a private network. Redirects are not followed, answers are read
up to a limit, and every call ends in time: it has its own client and event loop, like a call of a model.
"""

import asyncio
import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from shared.adapters.llm.api_key import can_be_sent, hide_key
from shared.core.errors import BadInputError
from shared.core.search.vectors import embeddable_text, pack_vector
from shared.ports.embedder import EmbedderError, Vector

#: Numbers of a vector; common models give 384 to 4,096.
MAX_DIMENSIONS = 4_096
_BATCH = 32
_MAX_BYTES = 20_000_000
_MAX_SAID = 200
#: httpx' own limits for each step are longer than the limit of the whole call, which gives a clearer error.
_SPARE_SECONDS = 5.0
#: Errors about the texts: too long, too many, or unreadable for the model.
_REFUSED = frozenset(
    {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}
)  # fmt: skip


class HttpEmbedder:
    """Implements `Embedder`."""

    def __init__(self, *, url: str, model: str, api_key: str = "", dimensions: int | None = None) -> None:
        """Use this endpoint.

        Args:
            url: the API's address, with or without `/embeddings` at its end.
            model: the model's name there.
            api_key: sent as a bearer token; empty for an endpoint that needs none.
            dimensions: the length to request from models that can shorten their vectors.
        """
        if api_key and not can_be_sent(api_key):
            raise BadInputError(
                "SLOWWAVE_EMBEDDINGS_API_KEY contains characters that are not allowed in an HTTP header"
            )
        self._url = url if url.rstrip("/").endswith("/embeddings") else f"{url.rstrip('/')}/embeddings"
        self._host = urlsplit(url).netloc.rpartition("@")[2]
        self._name, self._dimensions, self._key = model, dimensions, SecretStr(api_key)

    @property
    def model(self) -> str:
        """Return the name under which vectors are stored."""
        return f"{self._name}:{self._dimensions}" if self._dimensions else self._name

    @property
    def batch_size(self) -> int:
        """Return the preferred number of texts per call."""
        return _BATCH

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:  # noqa: ARG002 - the API makes no difference
        """Return one vector for each text. Must not be called from inside a running event loop."""
        wanted: dict[str, Any] = {"model": self._name, "input": [embeddable_text(text) for text in texts]}
        wanted["encoding_format"] = "float"
        if self._dimensions:
            wanted["dimensions"] = self._dimensions
        try:
            status, body = asyncio.run(self._post(wanted, seconds))
        except TimeoutError:
            raise self._error(f"no answer within {seconds:.1f} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise self._error(f"cannot be reached ({type(error).__name__})") from None
        if status != HTTPStatus.OK:
            said = " ".join(body.decode("utf-8", "replace").split())[:_MAX_SAID]
            raise self._error(f"answered {status}: {said}", is_refused=status in _REFUSED)
        return self._read(body, len(texts))

    async def _post(self, wanted: dict[str, Any], seconds: float) -> tuple[int, bytes]:
        headers = {"authorization": f"Bearer {key}"} if (key := self._key.get_secret_value()) else {}
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(timeout=seconds + _SPARE_SECONDS, follow_redirects=False) as client,
            client.stream("POST", self._url, json=wanted, headers=headers) as response,
        ):
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > _MAX_BYTES:
                    raise self._error(f"answered with more than {_MAX_BYTES:,} bytes")
            return response.status_code, bytes(body)

    def _read(self, body: bytes, number: int) -> list[Vector]:
        try:
            items = json.loads(body)["data"]
            by_place = {item["index"]: item["embedding"] for item in items}
            found = [by_place[place] for place in range(number)]
            if any(len(numbers) > MAX_DIMENSIONS for numbers in found):
                raise self._error(f"gave a vector of more than {MAX_DIMENSIONS:,} numbers")
            return [pack_vector(numbers) for numbers in found]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError, BadInputError):
            raise self._error("did not answer with one vector for each text") from None

    def _error(self, what: str, *, is_refused: bool = False) -> EmbedderError:
        return EmbedderError(hide_key(f"{self._host} {what}", self._key.get_secret_value()), is_refused=is_refused)
