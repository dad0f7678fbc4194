"""Find the caller of a tool: by the key of the HTTP request, or of the environment of `slowwave mcp`."""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, ParamSpec, Protocol, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Resolve
from starlette.requests import Request

from gateway.api.http.auth import Caller
from gateway.api.http.failures import failure_of
from shared.core.errors import SlowwaveError
from shared.core.tenants.roles import Permission

P = ParamSpec("P")
R = TypeVar("R")


class Admission(Protocol):
    """Admits the callers of one transport; the server's lifespan context holds it."""

    def admit(self, request: Request | None) -> Caller:
        """Return the caller. Raises UnauthenticatedError, RateLimitedError."""


def with_tool_errors(run: Callable[P, R]) -> Callable[P, R]:
    """Turn errors into tool errors with the API's sentences, which do not reveal other tenants' things."""

    @wraps(run)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return run(*args, **kwargs)
        except SlowwaveError as error:
            raise ToolError(failure_of(error).detail) from error

    return wrapped


def _caller_with(permission: Permission) -> Callable[[Context[Admission, Request]], Caller]:
    @with_tool_errors
    def resolve(ctx: Context[Admission, Request]) -> Caller:
        found = ctx.request_context
        caller = found.lifespan_context.admit(found.request)
        caller.check(permission)
        return caller.as_reader() if permission is Permission.READ else caller

    return resolve


def _allow(permission: Permission) -> Any:  # noqa: ANN401 - a marker for an annotation
    return Resolve(_caller_with(permission))


#: A tool declares its permission as a route does. The agent never sees these parameters.
Reader = Annotated[Caller, _allow(Permission.READ)]
Writer = Annotated[Caller, _allow(Permission.WRITE)]
Reviewer = Annotated[Caller, _allow(Permission.REVIEW)]
