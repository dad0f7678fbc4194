"""The provider that is the model server of a test."""

from pydantic import SecretStr

from shared.adapters.llm.anthropic.providers import Provider


def provider_at(base_url: str | None, key: str = "k") -> Provider:
    """Return the way to a server that speaks as Anthropic's API."""
    return Provider(key=SecretStr(key), base_url=base_url)
