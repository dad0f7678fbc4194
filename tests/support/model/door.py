"""A door to the model's server of a test."""

from pydantic import SecretStr

from shared.adapters.llm.anthropic.doors import Door


def door_to(base_url: str | None, key: str = "k") -> Door:
    """Return the way to a server that speaks as Anthropic's API."""
    return Door(key=SecretStr(key), base_url=base_url)
