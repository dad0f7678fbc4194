"""A server of chat completions, a key of it and a model: what single questions and batches have in common."""

from collections.abc import Mapping
from typing import Any, TypeVar

import openai
from pydantic import SecretStr

from shared.adapters.llm.api_key import can_be_sent
from shared.adapters.llm.openai.completion import completion_body
from shared.core.errors import BadInputError
from shared.core.questions.prices import ModelPrice
from shared.core.tenants.model_settings import OPENAI_URL
from shared.ports.llm import LlmRequest
from shared.prices.price_list import find_prices

#: What is sent where no key is set: local servers take any, and the SDK wants one.
_NO_KEY = "none"
_Client = TypeVar("_Client", openai.OpenAI, openai.AsyncOpenAI)


class OpenAiEndpoint:
    """A model behind chat completions. `base_url=None` is OpenAI itself."""

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
    def _secret(self) -> str:
        return self._key.get_secret_value() if self._key is not None else ""

    def _body(self, request: LlmRequest) -> dict[str, Any]:
        """Return the body of a chat completion."""
        return completion_body(
            request, model=self._model, is_own_server=self._base_url is not None, with_schema=self._takes_schema
        )

    def _open(self, sdk: type[_Client], seconds: float, *, retries: int = 0) -> _Client:
        """Return a client of the SDK that takes nothing from the environment."""
        url = self._base_url or OPENAI_URL
        client = sdk(api_key=self._secret or _NO_KEY, base_url=url, max_retries=retries, timeout=seconds)
        # The SDK takes these from the environment, and would send them to any tenant's server.
        client.organization = client.project = None
        return client
