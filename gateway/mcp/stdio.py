"""Serve MCP over standard input and output, with one key that is checked at every call."""

from starlette.requests import Request

from gateway.api.http.auth import Authenticator, Caller, Entry, admit_blocking
from gateway.mcp.server import create_mcp
from shared.all_ports import Ports


class KeyAdmission:
    """Admits the key that the process was started with, until it is revoked."""

    def __init__(self, ports: Ports, token: str, acting_for: str | None) -> None:
        self._ports = ports
        self._authenticator = Authenticator(ports.db)
        self._token = token
        self._acting_for = acting_for

    def admit(self, _request: Request | None) -> Caller:
        """Return the key's caller and record the key's use at once."""
        entry = Entry()
        caller = admit_blocking(self._ports, self._authenticator, entry, [self._token], self._acting_for)
        if entry.record_use is not None:
            entry.record_use()
        return caller


def serve_stdio(ports: Ports, token: str, acting_for: str | None) -> None:
    """Answer until standard input ends. Raises UnauthenticatedError at once for an invalid key."""
    admission = KeyAdmission(ports, token, acting_for)
    admission.admit(None)
    create_mcp(admission).run("stdio")
