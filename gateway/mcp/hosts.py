"""Refuse requests of web pages of other sites, also of a page whose name was bound to this machine's address (DNS rebinding)."""

from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from shared.core.errors import ForbiddenError, MisdirectedError
from shared.settings import Settings

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY = "*"


def known_hosts(settings: Settings) -> frozenset[str]:
    """Return the names of hosts, without ports and in lower case, at which agents reach this installation; `*` stands for any."""
    listed = {name.strip().strip("[]").lower() for name in settings.mcp_hosts.split(",")}
    public = urlsplit(settings.public_url or "").hostname
    return frozenset({*_LOCAL, *listed, settings.api_host.lower(), public or ""} - {""})


def check_hosts(headers: Mapping[str, str], known: Collection[str]) -> None:
    """Check the headers Host and Origin of a request; one without an Origin comes from no web page.

    Raises:
        MisdirectedError: the host is not a known one.
        ForbiddenError: the origin is not a known one.
    """
    if _ANY in known:
        return
    host, origin = headers.get("host", ""), headers.get("origin")
    if _name_in(f"//{host}") not in known:
        raise MisdirectedError(
            f"This server does not answer for the host {host[:200]!r}; its operator adds it to SLOWWAVE_MCP_HOSTS"
        )
    if origin is not None and _name_in(origin) not in known:
        raise ForbiddenError(
            f"Pages of {origin[:200]!r} may not use MCP here; the operator adds their host to SLOWWAVE_MCP_HOSTS"
        )


def _name_in(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # such as an IPv6 address without its end
        return ""
