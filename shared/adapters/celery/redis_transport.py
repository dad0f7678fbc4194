"""kombu's Redis transport with one client a channel.

kombu makes a client for every command that it sends, and redis-py fills tables of a hundred entries for each: a sixth of
what the main thread of a worker does. A client without a connection of its own takes one from the pool for each command,
so that one is enough, for all threads.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis


def register_transport() -> None:
    """Have `redis://` and `rediss://` mean this transport, in every process that has slowwave's configuration.

    By the alias and not by `broker_transport`, because Flower reads what kind of broker it is from the URL's scheme.
    """
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"


class Channel(redis.Channel):
    """A channel that keeps its client as long as the pool that the client takes connections from."""

    _kept: Any = None

    def _create_client(self, asynchronous: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - kombu's signature
        """Return the kept client; a new one for whoever holds on to a connection (BRPOP, LISTEN)."""
        if asynchronous:
            return super()._create_client(asynchronous=True)  # type: ignore[misc] # not in kombu's stubs
        kept = self._kept
        if kept is None or kept.connection_pool is not self.pool:
            kept = self._kept = super()._create_client()  # type: ignore[misc] # the same
        return kept


class Transport(redis.Transport):
    """The transport of that channel."""

    Channel = Channel
