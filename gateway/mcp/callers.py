"""Whose tool call it is: the key of the HTTP request, or of the environment that `slowwave mcp` was started in."""

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


class Door(Protocol):
    """Finds who is calling; the server's lifespan carries one."""

    def admit(self, request: Request | None) -> Caller:
        """Return the caller. Raises UnauthenticatedError, RateLimitedError."""


def spoken(run: Callable[P, R]) -> Callable[P, R]:
    """Have what goes wrong be a sentence for the agent, as careful with other tenants' things as the API."""

    @wraps(run)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return run(*args, **kwargs)
        except SlowwaveError as error:
            raise ToolError(failure_of(error).detail) from error

    return wrapped


def _let_in(permission: Permission) -> Callable[[Context[Door, Request]], Caller]:
    @spoken
    def resolve(ctx: Context[Door, Request]) -> Caller:
        found = ctx.request_context
        caller = found.lifespan_context.admit(found.request)
        caller.check(permission)
        return caller

    return resolve


def _allow(permission: Permission) -> Any:  # noqa: ANN401 - a marker for an annotation
    return Resolve(_let_in(permission))


#: A tool says what it needs as a route does. The agent never sees these parameters.
Reader = Annotated[Caller, _allow(Permission.READ)]
Writer = Annotated[Caller, _allow(Permission.WRITE)]
Reviewer = Annotated[Caller, _allow(Permission.REVIEW)]
