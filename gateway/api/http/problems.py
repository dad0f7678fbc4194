"""Answer errors as RFC 9457 problems, document them in OpenAPI, and count them.

A prefix such as `/v1` may have its own error shape.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.api.counts import RequestCounts
from gateway.api.http.failures import UNEXPECTED, Failure, failure_of
from shared.core.errors import SlowwaveError
from shared.logger import get_logger

Shape = Callable[[Failure, str], Response]
_log = get_logger()
MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(description="The kind of problem, for programs.")
    title: str = Field(description="The kind of problem, for people.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="The cause of this occurrence, and what to do.")
    instance: str = Field(description="The id of the request, as in the `X-Request-Id` header and the log.")
    errors: list[dict[str, str]] | None = Field(None, description="For invalid input: where and why.")

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "urn:slowwave:problem:conflict",
                "title": "Conflict",
                "status": 409,
                "detail": "Too recent (2.5h < 12h)",
                "instance": "req_01JD0000000000000000000000",
            }
        }
    )


def as_problem(failure: Failure, request_id: str) -> Response:
    """Return a failure as `application/problem+json`."""
    body: dict[str, Any] = {
        "type": f"urn:slowwave:problem:{failure.slug}",
        "title": failure.title,
        "status": failure.status,
        "detail": failure.detail,
        "instance": request_id,
    }
    if failure.errors:
        body["errors"] = [dict(error) for error in failure.errors]
    return JSONResponse(body, failure.status, headers=dict(failure.headers), media_type=MEDIA_TYPE)


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors of a route for OpenAPI: these, and those of every route that needs a key."""
    titles = {
        400: "The body cannot be read", 401: "No valid key", 403: "The key's role does not allow it", 404: "Not found, or it belongs to another tenant",
        409: "Its state does not allow that, or a gate is shut", 412: "It changed in the meantime",
        413: "The body is too large", 422: "Invalid input", 429: "Too many requests",
        500: "Internal error", 503: "A server does not respond",
    }  # fmt: skip
    wanted = sorted({400, 401, 403, 404, 413, 422, 429, 500, 503, *statuses})
    schema = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": titles[status], "content": schema} for status in wanted}


class Problems:
    """Answers every error in the shape of its path's prefix; the longest matching prefix wins."""

    def __init__(self, counts: RequestCounts, shapes: Mapping[str, Shape], routes: Sequence[BaseRoute] = ()) -> None:
        self._counts = counts
        self._routes = routes
        self._shapes = shapes
        self._prefixes = sorted(shapes, key=len, reverse=True)

    def install(self, app: FastAPI) -> None:
        """Register the handlers for expected errors and for unexpected exceptions."""
        for kind in (SlowwaveError, RequestValidationError, HTTPException, ClientDisconnect):
            app.add_exception_handler(kind, self._handle)
        app.add_middleware(Unexpected, answer=self.answer)

    def answer(self, request: Request, failure: Failure) -> Response:
        """Return a failure in the shape of the request's prefix, and count it."""
        self._counts.note_refusal(request.url.path, failure.status)
        prefix = next((one for one in self._prefixes if request.url.path.startswith(one)), None)
        return (self._shapes[prefix] if prefix is not None else as_problem)(failure, request.state.request_id)

    async def _handle(self, request: Request, error: Exception) -> Response:
        """Answer without a thread, which a plain function would take: a flood of refusals takes none from other tenants."""
        failure = failure_of(error)
        if failure.status == 405 and (methods := _find_methods(self._routes, request)):
            allowed = ", ".join(sorted(methods))
            detail = f"{request.method} is not allowed here; use {allowed}"
            failure = replace(failure, detail=detail, headers={**failure.headers, "Allow": allowed})
        return self.answer(request, failure)


def _find_methods(routes: Sequence[BaseRoute], request: Request) -> set[str]:
    """Return all methods of an address; the router's own 405 lists only those of the first matching route."""
    there = (one for one in routes if isinstance(one, Route) and one.matches(request.scope)[0] is not Match.NONE)
    return {method for one in there for method in one.methods or ()}


class Unexpected:
    """Turns an unexpected exception into a 500; runs inside the middleware that adds headers and ids."""

    def __init__(self, app: ASGIApp, answer: Callable[[Request, Failure], Response]) -> None:
        self._app = app
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        is_started = False

        async def watched(message: Message) -> None:
            nonlocal is_started
            is_started = is_started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if is_started or scope["type"] != "http":
                raise  # the answer has begun: only closing the connection is left
            _log.error("request_failed", error=type(error).__name__, exc_info=error)
            response = self._answer(Request(scope, receive), UNEXPECTED)
            await response(scope, receive, send)
