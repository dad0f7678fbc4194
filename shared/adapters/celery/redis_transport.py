"""A variant of kombu's Redis transport with one client for each channel.

kombu creates a client for every command, and redis-py fills tables of a hundred entries for each, which is a sixth of
the work of a worker's main thread. A client without a connection of its own takes one from the pool for each command,
so one client serves all threads.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis


def register_transport() -> None:
    """Register this transport for `redis://`, `rediss://` and `sentinel://`, in every process with slowwave's configuration.

    It replaces the alias and does not set `broker_transport`, because Flower reads the kind of broker from the scheme.
    """
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:SentinelTransport"


class _KeptClient:
    """A mixin that keeps the client of a channel as long as its connection pool."""

    _kept: Any = None

    def _create_client(self, asynchronous: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - kombu's signature
        """Return the kept client, or a new one for a caller that keeps a connection (BRPOP, LISTEN)."""
        if asynchronous:
            return super()._create_client(asynchronous=True)  # type: ignore[misc] # of the channel
        kept = self._kept
        if kept is None or kept.connection_pool is not self.pool:  # type: ignore[attr-defined] # of the channel
            kept = self._kept = super()._create_client()  # type: ignore[misc] # the same
        return kept


class Channel(_KeptClient, redis.Channel):
    """A channel of one server."""


class SentinelChannel(_KeptClient, redis.SentinelChannel):
    """A channel of the primary that Sentinels name."""


class Transport(redis.Transport):
    """The transport of one server."""

    Channel = Channel


class SentinelTransport(redis.SentinelTransport):
    """The transport of the primary that Sentinels name."""

    Channel = SentinelChannel
