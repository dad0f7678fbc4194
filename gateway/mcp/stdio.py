"""MCP over standard input and output: one key for as long as the process lives, asked for again at every call."""

from fastapi import BackgroundTasks, Response
from starlette.requests import Request

from gateway.api.http.auth import Authenticator, Caller, let_in
from gateway.mcp.server import create_mcp
from shared.ports.ports import Ports


class KeyDoor:
    """Lets in whoever holds the process; a key that was revoked ends it like any other."""

    def __init__(self, ports: Ports, token: str, acting_for: str | None) -> None:
        self._ports = ports
        self._authenticator = Authenticator(ports.db)
        self._token = token
        self._acting_for = acting_for

    def admit(self, _request: Request | None) -> Caller:
        """Return the key's caller; its use is noted at once, for there is no answer to wait for."""
        background = BackgroundTasks()
        caller = let_in(self._ports, self._authenticator, Response(), background, [self._token], self._acting_for)
        for task in background.tasks:
            task.func(*task.args, **task.kwargs)
        return caller


def serve_stdio(ports: Ports, token: str, acting_for: str | None) -> None:
    """Answer until standard input ends. Raises UnauthenticatedError for a key that is none, before anything else."""
    door = KeyDoor(ports, token, acting_for)
    door.admit(None)
    create_mcp(door).run("stdio")
