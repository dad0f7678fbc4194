"""The addresses that webhooks may be posted to: public ones. A tenant must not reach this network through slowwave."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from shared.core.errors import BadInputError
from shared.core.webhooks.retries import WebhookPolicy

_MAX_URL_CHARS = 2_000
#: The error for an address that no client can post to.
NO_URL = "The webhook's address is no URL"
NO_NAME = "The host of the webhook's address is neither a name nor an address of the internet"
_MAX_HOST_CHARS, _IPV4_PARTS = 253, 4
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_PORTS = {"https": 443, "http": 80}
#: Addresses that Python 3.11 counts as public but are not, or that belong to a cloud's hosts: relays, multicast, Azure, IBM.
_NOT_PUBLIC = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",
            "192.88.99.0/24",
            "168.63.129.16/32",
            "161.26.0.0/16",
            "166.8.0.0/14",
            "224.0.0.0/4",
            "3fff::/20",
        ),
    )
)
#: The only IPv6 range that is routed on the internet.
_GLOBAL_UNICAST = IPv6Network("2000::/3")
#: Prefixes behind which an IPv4 address is reached: NAT64 carries it in the last 32 bits, 6to4 behind the first 16.
_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_6TO4 = IPv6Network("2002::/16")


def check_url(url: str, policy: WebhookPolicy) -> SplitResult:
    """Return an endpoint's URL, split. The addresses of its name are checked at each attempt.

    Raises:
        BadInputError: webhooks may not be posted there.
    """
    if len(url) > _MAX_URL_CHARS or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise BadInputError(f"A webhook's address has at most {_MAX_URL_CHARS:,} ASCII characters and no spaces")
    try:
        found = urlsplit(url)
        host, port = found.hostname, found.port
    except ValueError:
        raise BadInputError(NO_URL) from None
    if found.scheme != "https" and not (found.scheme == "http" and policy.allow_http):
        raise BadInputError("A webhook's address begins with https://")
    if not host or port == 0:
        raise BadInputError("The webhook's address names no host")
    literal = find_literal(host)
    if literal is None and ("[" in found.netloc or not _is_name(host)):
        raise BadInputError(NO_NAME)
    if found.username is not None or found.password is not None or found.fragment:
        raise BadInputError(
            "A webhook's address may not contain a user, password or fragment; the signature authenticates the message"
        )
    if literal is not None and not decide_allowed(literal, policy.allow_networks):
        raise BadInputError("The webhook's address is not a public one")
    return found


def _is_name(host: str) -> bool:
    """Tell whether a host can be a name. HTTP clients refuse others, which would fail at every attempt."""
    labels = host.removesuffix(".").split(".")
    looks_numeric = len(labels) == _IPV4_PARTS and all(label.isdigit() for label in labels)
    return len(host) <= _MAX_HOST_CHARS and not looks_numeric and all(map(_LABEL.fullmatch, labels))


def get_port(address: SplitResult) -> int:
    """Return the port of a checked URL."""
    return address.port or _PORTS[address.scheme]


def find_literal(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address that a host is; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def decide_allowed(address: IPv4Address | IPv6Address, allow_networks: Sequence[str] = ()) -> bool:
    """Tell whether an address may be connected to: it is public, or an operator has allowed its network.

    An IPv4 address within an IPv6 one (mapped, NAT64, 6to4) is judged as IPv4, since that is where the packets would
    go. Zone names (`fe80::1%eth0`) are refused.
    """
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return False
        inner = _find_inner(address)
        if inner is not None:
            return decide_allowed(inner, allow_networks)
    if any(address in ip_network(network) for network in allow_networks):
        return True
    if any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and (isinstance(address, IPv4Address) or address in _GLOBAL_UNICAST)


def _find_inner(address: IPv6Address) -> IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    if address in _6TO4:
        return address.sixtofour
    compatible = int(address) < 2**32 and int(address) > 1
    return IPv4Address(int(address)) if compatible else None
