"""Console sessions on a Redis-protocol server, keyed by the hash of the token: reading the keys reveals no token."""

import hashlib

from shared.adapters.redis.connecting import connect, translated


class RedisConsoleSessions:
    """Implements `ConsoleSessions`."""

    def __init__(self, url: str) -> None:
        self._client = connect(
            url, decode_responses=True, socket_timeout=3, socket_connect_timeout=3, health_check_interval=30
        )

    def put(self, token: str, text: str, *, seconds: int) -> None:
        """Store a text for a number of seconds."""
        with translated():
            self._client.set(_key(token), text, ex=seconds)

    def get(self, token: str) -> str | None:
        """Return the text, or None when it has expired."""
        with translated():
            found = self._client.get(_key(token))
        return None if found is None else str(found)

    def replace(self, token: str, text: str) -> None:
        """Replace a text that has not expired, without extending its time."""
        with translated():
            self._client.set(_key(token), text, xx=True, keepttl=True)

    def remove(self, token: str) -> None:
        """Delete a text."""
        with translated():
            self._client.delete(_key(token))

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()


def _key(token: str) -> str:
    return f"slowwave:console_session:{hashlib.sha256(token.encode()).hexdigest()}"
