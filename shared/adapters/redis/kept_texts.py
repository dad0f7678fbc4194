"""Texts that all processes share for a while, on a Redis-protocol server."""

from shared.adapters.redis.connecting import connect, translated


class RedisKeptTexts:
    """Implements `KeptTexts`."""

    def __init__(self, url: str) -> None:
        self._client = connect(
            url, decode_responses=True, socket_timeout=3, socket_connect_timeout=3, health_check_interval=30
        )

    def put(self, tenant_id: str, name: str, text: str, *, seconds: int) -> None:
        """Store a text for a number of seconds."""
        with translated():
            self._client.set(_key(tenant_id, name), text, ex=seconds)

    def get(self, tenant_id: str, name: str) -> str | None:
        """Return the text, or None when it has expired."""
        with translated():
            found = self._client.get(_key(tenant_id, name))
        return None if found is None else str(found)

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()


def _key(tenant_id: str, name: str) -> str:
    return f"slowwave:kept:{tenant_id}:{name}"
