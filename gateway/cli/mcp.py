"""`slowwave mcp`: memory as tools for an agent on this machine, over standard input and output."""

import os
from typing import Annotated

import typer

from gateway.cli.session import open_session
from shared.core.errors import UnauthenticatedError

KEY_VARIABLE = "SLOWWAVE_KEY"


def serve_mcp(
    tenant: Annotated[str | None, typer.Option("--tenant", "-t", help="For an operator's key: whose memory.")] = None,
) -> None:
    """Serve MCP on standard input and output, for the key in SLOWWAVE_KEY.

    An agent's configuration starts this command; docs/mcp.md shows how. Over the network, MCP is at /mcp of the API.
    """
    token = os.environ.get(KEY_VARIABLE, "")
    if not token:
        msg = f"There is no key in {KEY_VARIABLE}; `slowwave keys create TENANT --role agent` makes one"
        raise UnauthenticatedError(msg)
    # The SDK takes a second to import, which no other command should wait for.
    from gateway.mcp.stdio import serve_stdio  # noqa: PLC0415 - the reason is above

    with open_session() as session:
        serve_stdio(session.ports, token, tenant)
