"""A network backend for one post: it connects only to checked addresses, and ends at a deadline.

The HTTP client above it keeps the endpoint's name, so that `Host` and SNI are right; only the address of the connection
is decided here. DNS rebinding, a name that resolves differently a moment later, has no effect.
"""

import ssl
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import httpcore
from httpcore import SOCKET_OPTION

_LEAST_SECONDS = 0.001


class Deadline:
    """The end of the time for a post."""

    def __init__(self, seconds: float) -> None:
        self._begun = time.monotonic()
        self._until = self._begun + seconds

    def cap(self, timeout: float | None, error: type[Exception]) -> float:
        """Return the longest wait until the deadline. Raises the given error after it."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise error("The time is over")
        return max(_LEAST_SECONDS, left if timeout is None else min(left, timeout))

    def count_ms(self) -> int:
        """Return the milliseconds since the start."""
        return round((time.monotonic() - self._begun) * 1_000)


class PinnedNetwork(httpcore.NetworkBackend):
    """Connects to the first of a few addresses that answers, whatever name is asked for; all of it ends by the deadline."""

    def __init__(self, addresses: Sequence[str], deadline: Deadline) -> None:
        self._addresses = addresses
        self._deadline = deadline
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - the addresses were decided before
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect. An address that does not answer leaves the next one half of the time."""
        *others, last = self._addresses
        for address in others:
            seconds = self._deadline.cap(timeout, httpcore.ConnectTimeout) / 2
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                stream = self._network.connect_tcp(address, port, seconds, local_address, socket_options)
                return _TimedStream(stream, self._deadline)
        seconds = self._deadline.cap(timeout, httpcore.ConnectTimeout)
        stream = self._network.connect_tcp(last, port, seconds, local_address, socket_options)
        return _TimedStream(stream, self._deadline)


class _TimedStream(httpcore.NetworkStream):
    """A stream whose operations together end at the deadline, even if single bytes keep coming."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read the available bytes."""
        return self._stream.read(max_bytes, self._deadline.cap(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write everything."""
        self._stream.write(buffer, self._deadline.cap(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        """Close."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Start TLS on the stream."""
        seconds = self._deadline.cap(timeout, httpcore.ConnectTimeout)
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._deadline)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as the library has it
        """Return information about the stream."""
        return self._stream.get_extra_info(info)
