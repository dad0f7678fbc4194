"""Count the API's requests by route, and its refusals by surface and status.

Operators see how fast each route answers, and wrong keys, reached rate limits and broken clients. However many requests
come, they cost at most one message to Redis a second.
"""

import threading
import time
from collections import Counter

from starlette.types import Scope

from shared.counting import count, counting_together, observe

_EVERY_SECONDS = 1.0
_SURFACES = ("api", "v1", "console")
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_MCP = "/mcp"
#: A label for what no route takes, whatever its path: a client could make up any number of paths.
_OTHER = "other"


class RequestCounts:
    """Counts in this process and sends the counts at most once a second, and at the end."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._refused: Counter[tuple[str, str]] = Counter()
        self._answered: list[tuple[str, str, int, float]] = []
        self._paced = 0
        self._sent_at = float("-inf")

    def note_refusal(self, path: str, status: int) -> None:
        """Count one refusal; a redirect is not one."""
        if status < 400:
            return
        first = path.split("/", 2)[1] if path.startswith("/") else ""
        with self._turn:
            self._refused[first if first in _SURFACES else _OTHER, str(status)] += 1
        self._send_when_due()

    def note_request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count one request, by the seconds until its answer began."""
        method = scope["method"] if scope["method"] in _METHODS else _OTHER
        with self._turn:
            self._answered.append((method, find_route(scope), status, seconds))
        self._send_when_due()

    def note_paced(self) -> None:
        """Count one request that waits because its tenant has used up its share; it is sent with the others."""
        with self._turn:
            self._paced += 1

    def _send_when_due(self) -> None:
        if time.monotonic() - self._sent_at >= _EVERY_SECONDS:
            self.send()

    def send(self) -> None:
        """Send the counts since the last call."""
        with self._turn:
            refused, self._refused = self._refused, Counter()
            answered, self._answered = self._answered, []
            paced, self._paced = self._paced, 0
            self._sent_at = time.monotonic()
        with counting_together():
            if paced:
                count("slowwave_paced_requests_total", paced)
            for (surface, refusal), number in refused.items():
                count("slowwave_api_refusals_total", number, surface=surface, status=refusal)
            for method, route, status, seconds in answered:
                count("slowwave_requests_total", method=method, route=route, status=f"{status // 100}xx")
                observe("slowwave_request_seconds", seconds, method=method, route=route)


def find_route(scope: Scope) -> str:
    """Return the template of the route that took a request, such as `/api/stores/{store}/memories`; else `/mcp` or `other`."""
    route = scope.get("route")
    if route is not None:
        return str(route.path)
    return _MCP if scope["path"].startswith(_MCP) else _OTHER
