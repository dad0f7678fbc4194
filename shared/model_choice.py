"""Build a tenant's model, the Message Batches of its account, and the installation's embeddings."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from shared.adapters.embeddings import is_installed
from shared.core.errors import BadInputError
from shared.core.tenants.model_settings import CLOUDS, OPENAI, say_no_batches
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
    """Return the tenant's model: its adapter, model, endpoint and key variable override the installation's.

    For a dream, `use_store_model` has applied the store's settings before.

    Raises:
        BadInputError: the adapter is unknown, or its key is missing.
    """
    endpoint = find_endpoint(settings, tenant.llm, f"Tenant {tenant.id!r}")
    if endpoint.adapter == OFFLINE:
        from shared.adapters.llm.offline import OfflineLlm

        return OfflineLlm()
    _check_key(endpoint)
    if endpoint.adapter == OPENAI:
        return _openai(endpoint, settings.llm_structured_output, settings.prices_file)
    return _anthropic(endpoint, settings.llm_structured_output, settings.prices_file)


def choose_batches(settings: Settings, tenant: Tenant) -> MessageBatches | None:
    """Return the Message Batches of the tenant's account; None for the rules without a model.

    Raises:
        BadInputError: the adapter is unknown or has no batches, or its key is missing.
    """
    endpoint = find_endpoint(settings, tenant.llm, f"Tenant {tenant.id!r}")
    if endpoint.adapter == OFFLINE:
        return None
    if endpoint.adapter in CLOUDS:
        raise BadInputError(say_no_batches(endpoint.adapter))
    if endpoint.adapter == OPENAI:
        return _openai_batches(endpoint, settings)
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
    """Return the search by meaning; None if embeddings are off, or `auto` finds no packages."""
    if settings.embeddings == "off" or (settings.embeddings == "auto" and not is_installed()):
        return None
    from shared.adapters.embeddings.resting import RestingEmbedder
    from shared.adapters.process_local.vector_search import CachedVectorSearch
    from shared.ports.memory_search import Meaning

    return Meaning(embedder=RestingEmbedder(_embedder(settings)), vectors=CachedVectorSearch())


def _embedder(settings: Settings) -> Embedder:
    if settings.embeddings in {"auto", "local"}:
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
    _check_key(endpoint)
    return endpoint.key.get_secret_value() if endpoint.key is not None else ""


def _check_key(endpoint: ModelEndpoint) -> None:
    if not (endpoint.is_identity or endpoint.is_keyless) and (
        endpoint.key is None or not endpoint.key.get_secret_value()
    ):
        msg = f"The model needs an API key: set {endpoint.key_variable}, or choose SLOWWAVE_LLM=offline"
        raise BadInputError(msg)


@lru_cache(maxsize=32)
def _anthropic(
    endpoint: ModelEndpoint,
    structured_output: bool,  # noqa: FBT001 - lru_cache needs plain arguments
    prices_file: Path | None,
) -> Llm:
    from shared.adapters.llm.anthropic.client import AnthropicLlm
    from shared.adapters.llm.anthropic.providers import Provider, check_packages
    from shared.core.questions.prices import price_provider
    from shared.prices.price_list import find_prices

    provider = Provider(
        adapter=endpoint.adapter,
        key=endpoint.key,
        base_url=endpoint.base_url,
        region=endpoint.region,
        project=endpoint.project,
    )
    check_packages(provider)
    prices = price_provider(find_prices(prices_file), endpoint.adapter, endpoint.region)
    return AnthropicLlm(model=endpoint.model, provider=provider, structured_output=structured_output, prices=prices)


@lru_cache(maxsize=32)
def _openai(
    endpoint: ModelEndpoint,
    structured_output: bool,  # noqa: FBT001 - lru_cache needs plain arguments
    prices_file: Path | None,
) -> Llm:
    _check_openai()
    from shared.adapters.llm.openai.client import OpenAiLlm
    from shared.prices.price_list import find_prices

    return OpenAiLlm(
        model=endpoint.model,
        key=endpoint.key,
        base_url=endpoint.base_url,
        structured_output=structured_output,
        prices=find_prices(prices_file),
    )


def _openai_batches(endpoint: ModelEndpoint, settings: Settings) -> MessageBatches:
    _check_openai()
    _check_key(endpoint)
    from shared.adapters.llm.openai.batches import OpenAiBatches
    from shared.prices.price_list import find_prices

    return OpenAiBatches(
        model=endpoint.model,
        key=endpoint.key,
        base_url=endpoint.base_url,
        structured_output=settings.llm_structured_output,
        prices=find_prices(settings.prices_file),
    )


def _check_openai() -> None:
    if find_spec("openai") is None:
        raise BadInputError(
            "The model adapter openai needs one more package: pip install 'slowwave[openai]', in a checkout --require-hashes -r requirements-openai.lock"
        )
