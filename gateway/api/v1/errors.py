"""Answer errors under `/v1` in the shape that Anthropic's SDKs turn into their exceptions."""

from typing import Any, Literal

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from gateway.api.http.failures import NO_ROUTE, Failure

_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
    503: "overloaded_error",
}
_KINDS = {
    "PreconditionFailedError": "memory_precondition_failed_error",
    "PathTakenError": "memory_path_conflict_error",
}
#: Differences to `/api`: invalid input is 400, a failed precondition 409.
_STATUSES = {412: 409, 422: 400}
_TEXTS = {
    400: "Invalid input, or not possible in this state", 401: "No valid key", 403: "The key's role does not allow it",
    404: "Not found, or another tenant's", 409: "Changed in the meantime, the name is taken, or a dream is running",
    413: "The body is too large", 429: "Too many requests", 500: "Unexpected", 503: "A server does not respond",
}  # fmt: skip


#: The answer to calls of Anthropic's API that slowwave does not serve, such as files, messages and models.
NOT_SUPPORTED = (
    "slowwave does not serve this call; docs/anthropic-dreams-api.md lists the calls of Anthropic's API that it serves"
)


class ErrorDetail(BaseModel):
    """The details of an error."""

    type: str
    message: str


class ErrorOut(BaseModel):
    """An error in the form of Anthropic's API."""

    type: Literal["error"] = "error"
    error: ErrorDetail
    request_id: str


def as_anthropic_error(failure: Failure, request_id: str) -> Response:
    """Return a failure in Anthropic's shape. A header keeps SDKs from retrying a 409, which would not help."""
    if failure.status == 405 or failure.detail == NO_ROUTE:
        return _answer(failure, failure.status, ErrorDetail(type="not_supported", message=NOT_SUPPORTED), request_id)
    status = _STATUSES.get(failure.status, failure.status)
    kind = _KINDS.get(failure.kind, _TYPES.get(status, "invalid_request_error" if status < 500 else "api_error"))
    return _answer(failure, status, ErrorDetail(type=kind, message=failure.detail), request_id)


def _answer(failure: Failure, status: int, detail: ErrorDetail, request_id: str) -> Response:
    body = ErrorOut(error=detail, request_id=request_id)
    headers = {**failure.headers, **({"x-should-retry": "false"} if status == 409 else {})}
    return JSONResponse(body.model_dump(), status, headers=headers)


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors of a route for OpenAPI: the given ones, and those common to all routes."""
    wanted = sorted({400, 401, 403, 404, 413, 429, 500, 503, *statuses})
    return {status: {"description": _TEXTS[status], "model": ErrorOut} for status in wanted}
