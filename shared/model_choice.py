"""Build the model that a tenant's dreams ask, the batches of its account, and what compares texts by meaning."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from shared.core.errors import BadInputError
from shared.model_endpoint import OFFLINE, ModelEndpoint, find_endpoint

if TYPE_CHECKING:
    from pathlib import Path

    from shared.core.tenants.store import Tenant
    from shared.ports.batches import MessageBatches
    from shared.ports.embedder import Embedder
    from shared.ports.llm import Llm
    from shared.ports.memory_search import Meaning
    from shared.settings import Settings


def choose_llm(settings: Settings, tenant: Tenant) -> Llm:
    """Return the tenant's model: its own adapter, model, endpoint and key variable before the installation's.

    For a dream, `use_store_model` has put the store's own before these.

    Raises:
        BadInputError: the adapter is unknown, or its key is missing.
    """
    endpoint = find_endpoint(settings, tenant.llm, f"Tenant {tenant.id!r}")
    if endpoint.adapter == OFFLINE:
        from shared.adapters.llm.offline import OfflineLlm

        return OfflineLlm()
    return _anthropic(
        endpoint.model, _key_of(endpoint), endpoint.base_url, settings.llm_structured_output, settings.prices_file
    )


def choose_batches(settings: Settings, tenant: Tenant) -> MessageBatches | None:
    """Return the Message Batches of the tenant's account; None for the rules without a model.

    Raises:
        BadInputError: the adapter is unknown, or its key is missing.
    """
    endpoint = find_endpoint(settings, tenant.llm, f"Tenant {tenant.id!r}")
    if endpoint.adapter == OFFLINE:
        return None
    from shared.adapters.llm.anthropic.batches import AnthropicBatches
    from shared.prices.price_list import find_prices

    return AnthropicBatches(
        model=endpoint.model,
        api_key=_key_of(endpoint),
        base_url=endpoint.base_url,
        structured_output=settings.llm_structured_output,
        prices=find_prices(settings.prices_file),
    )


def choose_meaning(settings: Settings) -> Meaning | None:
    """Return what finds texts that are alike in meaning; None where the settings want none."""
    if settings.embeddings == "off":
        return None
    from shared.adapters.embeddings.resting import RestingEmbedder
    from shared.adapters.process_local.vector_search import CachedVectorSearch
    from shared.ports.memory_search import Meaning

    return Meaning(embedder=RestingEmbedder(_embedder(settings)), vectors=CachedVectorSearch())


def _embedder(settings: Settings) -> Embedder:
    if settings.embeddings == "local":
        from shared.adapters.embeddings.local import LocalEmbedder

        return LocalEmbedder()
    from shared.adapters.embeddings.http_api import HttpEmbedder

    return HttpEmbedder(
        url=settings.embeddings,
        model=settings.embeddings_model,
        api_key=settings.embeddings_api_key.get_secret_value() if settings.embeddings_api_key else "",
        dimensions=settings.embeddings_dimensions,
    )


def _key_of(endpoint: ModelEndpoint) -> str:
    key = endpoint.key.get_secret_value() if endpoint.key is not None else ""
    if not key:
        msg = f"There is no model key: set {endpoint.key_variable}, or choose SLOWWAVE_LLM=offline"
        raise BadInputError(msg)
    return key


@lru_cache(maxsize=32)
def _anthropic(
    model: str,
    key: str,
    base_url: str | None,
    structured_output: bool,  # noqa: FBT001 - lru_cache needs plain arguments
    prices_file: Path | None,
) -> Llm:
    from shared.adapters.llm.anthropic.client import AnthropicLlm
    from shared.prices.price_list import find_prices

    return AnthropicLlm(
        model=model,
        api_key=key,
        base_url=base_url,
        structured_output=structured_output,
        prices=find_prices(prices_file),
    )
