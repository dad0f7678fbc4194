"""Sign-ins on a Redis-protocol server, by the hash of the word: whoever can read the keys cannot take a visit over."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from redis.exceptions import RedisError

from shared.core.errors import ServiceUnavailableError


class RedisSignIns:
    """Implements `SignIns`."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(
            url, decode_responses=True, socket_timeout=3, socket_connect_timeout=3, health_check_interval=30
        )

    def put(self, token: str, text: str, *, seconds: int) -> None:
        """Keep a text for so long."""
        with _translated():
            self._client.set(_key(token), text, ex=seconds)

    def get(self, token: str) -> str | None:
        """Return the text, or None when its time is over."""
        with _translated():
            found = self._client.get(_key(token))
        return None if found is None else str(found)

    def replace(self, token: str, text: str) -> None:
        """Replace a text that is still kept; its end stays."""
        with _translated():
            self._client.set(_key(token), text, xx=True, keepttl=True)

    def remove(self, token: str) -> None:
        """Forget a text."""
        with _translated():
            self._client.delete(_key(token))

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()


def _key(token: str) -> str:
    return f"slowwave:visit:{hashlib.sha256(token.encode()).hexdigest()}"


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        raise ServiceUnavailableError(f"Redis does not answer: {error}") from error
