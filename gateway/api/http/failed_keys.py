"""Limit wrong keys by the address of their sender, so that they can be neither guessed nor a load on the database.

The count is shared by all processes (Redis). An address that has reached the limit gets 429 without a question to the
database, whatever its token; a token that was recently valid in this process is let through, so that a hostile neighbour
behind the same proxy costs its users nothing.
"""

import hashlib
import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TypeVar

from shared.core.errors import TooManyFailuresError
from shared.ports.runtime import RateLimit

Key = TypeVar("Key")
Value = TypeVar("Value")
_MAX_KNOWN = 10_000
_IPV6_PREFIX = 64


class FailedKeys:
    """Counts wrong keys of each address, and remembers which tokens were recently valid."""

    def __init__(self, rates: RateLimit, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rates = rates
        self._per_minute = per_minute
        self._clock = clock
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._waits_until: OrderedDict[str, float] = OrderedDict()
        self._turn = threading.Lock()

    def check(self, address: str, tokens: Sequence[str]) -> None:
        """Raise TooManyFailuresError when an address must wait and none of its tokens was recently valid."""
        network = network_of(address)
        with self._turn:
            wait = self._waits_until.get(network, 0.0) - self._clock()
            if wait <= 0:
                self._waits_until.pop(network, None)
                return
            if any(_mark(token) in self._known for token in tokens):
                return
        raise TooManyFailuresError(wait)

    def note_valid(self, token: str) -> None:
        """Remember a token that was valid."""
        with self._turn:
            _keep(self._known, _mark(token), None)

    def note_failure(self, address: str) -> None:
        """Count a wrong key. Raises TooManyFailuresError when its address has reached the limit."""
        network = network_of(address)
        verdict = self._rates.acquire(f"failed:{network}", per_minute=self._per_minute)
        if verdict.is_allowed:
            return
        with self._turn:
            _keep(self._waits_until, network, self._clock() + verdict.retry_after_seconds)
        raise TooManyFailuresError(verdict.retry_after_seconds)


def network_of(address: str) -> str:
    """Return the address to count by: of IPv6 the first 64 bits, since a client has all that share them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, _IPV6_PREFIX), strict=False).network_address)


def _mark(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()


def _keep(kept: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _MAX_KNOWN:
        kept.popitem(last=False)
