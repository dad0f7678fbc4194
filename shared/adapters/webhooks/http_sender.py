"""Post webhooks over HTTP: resolve once, check the addresses, connect to a checked one, and read only the status.

httpcore is the transport under httpx; it follows no redirects, and takes no proxies or credentials from the
environment.
"""

import socket
import threading
from collections.abc import Callable, Mapping
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from ssl import SSLContext
from urllib.parse import SplitResult

import httpcore
import httpx

from shared.adapters.webhooks.pinned_network import Deadline, PinnedNetwork
from shared.core.errors import BadInputError
from shared.core.webhooks.address import NO_URL, check_url, decide_allowed, find_literal, get_port
from shared.core.webhooks.retries import WebhookPolicy
from shared.ports.webhooks import PostResult

#: Resolves a host and a port to addresses, as `socket.getaddrinfo` does. Raises OSError.
Resolve = Callable[[str, int], list[str]]
_MAX_ADDRESSES = 4
#: A person waits for this answer.
_LOOK_SECONDS = 3.0
#: The same text for unknown and for private names, so that a tenant cannot probe this network's names.
_NOT_PUBLIC = "The name does not resolve to a public address"


class HttpWebhookSender:
    """Implements `WebhookSender`."""

    def __init__(self, policy: WebhookPolicy, resolve: Resolve | None = None) -> None:
        self._policy = policy
        self._resolve = resolve or _resolve

    def post(self, url: str, headers: Mapping[str, str], body: str) -> PostResult:
        """Post once."""
        deadline = Deadline(self._policy.timeout_seconds)
        try:
            split = check_url(url, self._policy)
            addresses = self._find_addresses(split, deadline)
            status = _post(url, headers, body, PinnedNetwork(addresses, deadline))
        except BadInputError as error:
            return PostResult(status=None, latency_ms=deadline.count_ms(), error=str(error))
        except (httpcore.TimeoutException, TimeoutError):
            late = f"No answer within {self._policy.timeout_seconds:g} s"
            return PostResult(status=None, latency_ms=deadline.count_ms(), error=late)
        except (httpx.InvalidURL, httpcore.UnsupportedProtocol):
            return PostResult(status=None, latency_ms=deadline.count_ms(), error=NO_URL)
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, UnicodeError) as error:
            return PostResult(status=None, latency_ms=deadline.count_ms(), error=_to_reason(error))
        return PostResult(status=status, latency_ms=deadline.count_ms(), error=_to_error(status))

    def find_fault(self, url: str) -> str | None:
        """Return why nothing could be delivered to an address now, without posting; None if its name resolves to public addresses."""
        deadline = Deadline(min(self._policy.timeout_seconds, _LOOK_SECONDS))
        try:
            self._find_addresses(check_url(url, self._policy), deadline)
        except BadInputError as error:
            return str(error)
        except TimeoutError:
            return f"The name was not looked up within {_LOOK_SECONDS:g} s"
        return None

    def _find_addresses(self, split: SplitResult, deadline: Deadline) -> list[str]:
        """Return a few addresses to connect to. Every address of the name must be allowed, not only these."""
        host = split.hostname or ""
        literal = find_literal(host)
        names = [host] if literal else self._resolve_in_time(host, get_port(split), deadline)
        found = [find_literal(name) for name in names]
        if not found or not all(one is not None and self._is_allowed(one) for one in found):
            raise BadInputError(_NOT_PUBLIC)
        return [str(one) for one in found[:_MAX_ADDRESSES]]

    def _is_allowed(self, address: IPv4Address | IPv6Address) -> bool:
        return decide_allowed(address, self._policy.allow_networks)

    def _resolve_in_time(self, host: str, port: int, deadline: Deadline) -> list[str]:
        """Resolve in a separate thread: the system's resolver takes no timeout."""
        found: list[str] = []

        def resolve() -> None:
            try:
                found.extend(self._resolve(host, port))
            except (OSError, UnicodeError):
                return  # no address found is what that means

        thread = threading.Thread(target=resolve, name="webhook-resolve", daemon=True)
        thread.start()
        thread.join(deadline.cap(None, TimeoutError))
        if thread.is_alive():
            raise TimeoutError
        return found


def _post(url: str, headers: Mapping[str, str], body: str, network: PinnedNetwork) -> int:
    """Post and return the status. The answer's body is not read: it could be of any size."""
    encoded = body.encode()
    sent = [*headers.items(), ("connection", "close"), ("content-length", str(len(encoded)))]
    with (
        httpcore.ConnectionPool(ssl_context=_ssl_context(), network_backend=network, retries=0) as pool,
        pool.stream("POST", url, headers=[("host", _host_of(url)), *sent], content=encoded) as response,
    ):
        return int(response.status)


def _host_of(url: str) -> str:
    return httpx.URL(url).netloc.decode()


@cache
def _ssl_context() -> SSLContext:
    """Return a context that checks certificates against certifi's authorities or SSL_CERT_FILE, as httpx does."""
    return httpx.create_ssl_context()


def _resolve(host: str, port: int) -> list[str]:
    return [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _to_error(status: int) -> str:
    if 200 <= status < 300:
        return ""
    return f"HTTP {status}" + (": redirects are not followed" if 300 <= status < 400 else "")


def _to_reason(error: Exception) -> str:
    """Return a reason for a tenant's administrator, without details about this network."""
    text = str(error).lower()
    if "certificate" in text or "ssl" in text or "tls" in text:
        return "TLS failed: its certificate is not valid for this name"
    if isinstance(error, httpcore.ProtocolError):
        return "It does not speak HTTP"
    return "The connection was refused" if "refused" in text else "The connection was lost"
