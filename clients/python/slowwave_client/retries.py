"""The rule when a request is sent again, and after how long."""

from __future__ import annotations

import random
from dataclasses import dataclass

import httpx

from slowwave_client.calls import Call
from slowwave_client.errors import UnreachableError, error_of

_TURNED_AWAY = 429
_AWAY = frozenset({502, 503, 504})
#: The connection was not even made, so nothing was carried out.
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True, slots=True)
class Retries:
    """The number of times that a request is sent, and the waits in between.

    A 429 and a connection that could not be made are tried again for every request; a 502, 503, 504 and a connection that broke, only
    for what may be carried out twice: reading, deleting, and what has an `Idempotency-Key`.

    Attributes:
        most: how often a request is sent in all.
        first_seconds: the wait before the second time; each further one is twice as long, and a random part shorter.
        longest_seconds: the longest wait, also when the server asks for more: then its refusal is raised.
    """

    most: int = 4
    first_seconds: float = 0.5
    longest_seconds: float = 60

    def find_pause(self, call: Call, outcome: httpx.Response | httpx.TransportError, sent: int) -> float | None:
        """Return for how many seconds to wait before the call is sent again, or None when its outcome stands."""
        if sent >= self.most or not _may_repeat(call, outcome):
            return None
        asked = _asked_seconds(outcome)
        if asked is not None:
            return asked if asked <= self.longest_seconds else None
        full = min(self.longest_seconds, self.first_seconds * 2 ** (sent - 1))
        return float(full) * (0.5 + random.random() / 2)  # noqa: S311 - so that clients do not come back all at once


def settle(outcome: httpx.Response | httpx.TransportError) -> httpx.Response:
    """Return an answer, or raise what went wrong as an error of this client."""
    if isinstance(outcome, httpx.TransportError):
        url = outcome.request.url
        raise UnreachableError(f"{url} did not answer: {str(outcome) or type(outcome).__name__}") from outcome
    error = error_of(outcome)
    if error is not None:
        raise error
    return outcome


def _may_repeat(call: Call, outcome: httpx.Response | httpx.TransportError) -> bool:
    if isinstance(outcome, httpx.TransportError):
        return call.is_safe or isinstance(outcome, _UNSENT)
    return outcome.status_code == _TURNED_AWAY or (call.is_safe and outcome.status_code in _AWAY)


def _asked_seconds(outcome: httpx.Response | httpx.TransportError) -> float | None:
    asked = outcome.headers.get("retry-after", "") if isinstance(outcome, httpx.Response) else ""
    return float(asked) if asked.isdigit() else None
