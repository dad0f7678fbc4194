"""Let an agent's host read a one-line notice about the last dream of a store, without a tool call."""

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from starlette.requests import Request

from gateway.api.http.failures import failure_of
from gateway.mcp.callers import Admission
from shared.core.errors import SlowwaveError
from shared.core.tenants.roles import Permission
from shared.core.tenants.store import check_name
from shared.services.dreams.notice import get_notice


def add_resources(server: MCPServer[Admission]) -> None:
    """Add every resource."""
    server.resource(
        "slowwave://stores/{store}/notice",
        name="notice",
        description="What the last dream has done to a store, in one line; empty if it changed nothing.",
        mime_type="text/plain",
    )(_read_notice)


def _read_notice(store: str, ctx: Context[Admission, Request]) -> str:
    try:
        found = ctx.request_context
        caller = found.lifespan_context.admit(found.request).as_reader()
        caller.check(Permission.READ)
        return get_notice(caller.ports.db, caller.tenant_id, check_name("store", store)).text
    except SlowwaveError as error:
        raise ResourceError(failure_of(error).detail) from error
