"""Map every error to one HTTP status, slug and sentence, without revealing that another tenant's things exist.

The shape of the body depends on the prefix: problems under `/api`, other shapes elsewhere.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from shared.core.errors import (
    BadInputError,
    ChangedProposalError,
    ConflictError,
    DatabaseRefusesError,
    ForbiddenError,
    IllegalTransitionError,
    MaybeHiddenError,
    MisdirectedError,
    MootError,
    NotFoundError,
    PreconditionFailedError,
    RateLimitedError,
    ReservedPathError,
    ServiceUnavailableError,
    SlowwaveError,
    StatementCutError,
    UnauthenticatedError,
)
from shared.core.inputs.wrong_values import tell_wrong

NO_ROUTE = "There is no such route; /openapi.json lists all routes, and no route ends with a slash"
UNREADABLE = "The body cannot be read; send uncompressed JSON in UTF-8"
INCOMPLETE = "The connection ended before the whole body had arrived; send it again"
NO_JSON = "The body is not a JSON object; send one, with `Content-Type: application/json`"
#: A report names at most this many mistakes, and this many characters of each place: a key of a map may be long.
_MAX_ERRORS, _MAX_WHERE = 50, 200
#: One sentence for what does not exist and for what belongs to another tenant.
NOT_FOUND = "Not found, or not visible to this key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A status, a slug for programs, and a sentence for people."""

    status: int
    slug: str
    title: str
    detail: str
    errors: tuple[Mapping[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""  # the error's class, for shapes that distinguish more kinds


#: The first class that matches wins. The slug is part of the API; the title is for people.
_KINDS: tuple[tuple[type[SlowwaveError], int, str, str], ...] = (
    (UnauthenticatedError, 401, "unauthenticated", "No valid key"),
    (ReservedPathError, 403, "reserved-path", "Only a person may write there"),
    (ForbiddenError, 403, "forbidden", "Not allowed"),
    (MisdirectedError, 421, "misdirected", "Another host was meant"),
    (NotFoundError, 404, "not-found", "Not found"),
    (PreconditionFailedError, 412, "precondition-failed", "Changed in the meantime"),
    (ChangedProposalError, 409, "changed-proposal", "The proposal has changed since it was made"),
    (MootError, 409, "moot", "The proposal has no place any more"),
    (ConflictError, 409, "conflict", "Conflict"),
    (IllegalTransitionError, 409, "conflict", "Conflict"),
    (BadInputError, 422, "invalid", "Invalid input"),
    (RateLimitedError, 429, "rate-limited", "Too many requests"),
    (ServiceUnavailableError, 503, "unavailable", "A server does not respond"),
)
_TITLES = {
    400: ("bad-request", "Bad request"),
    404: ("not-found", "Not found"),
    405: ("method-not-allowed", "Method not allowed"),
    413: ("too-large", "The body is too large"),
}
UNEXPECTED = Failure(
    status=500,
    slug="unexpected",
    title="Internal error",
    detail="Something went wrong in slowwave; find the request's id in the log",
)


def failure_of(error: Exception) -> Failure:
    """Return the failure for an exception; an unknown one is a 500 without internal details."""
    if isinstance(error, RequestValidationError):
        return _of_validation(error)
    if isinstance(error, ClientDisconnect):
        return Failure(status=400, slug="bad-request", title="Bad request", detail=INCOMPLETE)
    if isinstance(error, HTTPException):
        slug, title = _TITLES.get(error.status_code, ("bad-request", "Bad request"))
        # Only the router raises this kind of 404, and only FastAPI this kind of 400: for a body that it cannot decode.
        detail = {400: UNREADABLE, 404: NO_ROUTE}.get(error.status_code, str(error.detail))
        return Failure(
            status=error.status_code, slug=slug, title=title, detail=detail, headers=dict(error.headers or {})
        )
    for kind, status, slug, title in _KINDS:
        if isinstance(error, kind):
            return Failure(
                status=status,
                slug=slug,
                title=title,
                detail=_detail(error, status),
                headers=_headers(error, status),
                kind=type(error).__name__,
            )
    return UNEXPECTED


def _detail(error: Exception, status: int) -> str:
    if status == 404:
        return f"{NOT_FOUND}: {error.setting}" if isinstance(error, MaybeHiddenError) else NOT_FOUND
    if isinstance(error, DatabaseRefusesError):
        return f"{error.sentence}; try again"
    is_away = status == 503 and not isinstance(error, StatementCutError)
    return "A server that slowwave needs does not respond; try again" if is_away else str(error)


def _headers(error: Exception, status: int) -> dict[str, str]:
    if isinstance(error, RateLimitedError):
        return {"Retry-After": str(math.ceil(max(1, error.retry_after_seconds)))}
    if status == 401:
        return {"WWW-Authenticate": 'Bearer realm="slowwave"'}
    return {"Retry-After": "5"} if status == 503 else {}


def _of_validation(error: RequestValidationError) -> Failure:
    """Return where the input is wrong and why, without echoing it: it may hold memory texts."""
    found = error.errors()[:_MAX_ERRORS]
    errors = tuple(
        {"where": wrong.where[:_MAX_WHERE], "why": wrong.why + _where_in_json(one)}
        for wrong, one in zip(tell_wrong(found), found, strict=True)
    )
    detail = "; ".join(f"{one['where']}: {one['why']}" for one in errors[:5])
    if (
        isinstance(error.body, bytes | str) and error.errors()[0]["type"] != "json_invalid"
    ):  # the JSON has been parsed by now
        detail = NO_JSON
    return Failure(status=422, slug="invalid", title="Unusable input", detail=detail, errors=errors)


def _where_in_json(error: Mapping[str, Any]) -> str:
    """Return the position of invalid JSON, to end a reason with; the parser quotes nothing of the input."""
    reason = error.get("ctx", {}).get("error", "") if error["type"] == "json_invalid" else ""
    return f": {reason}" if reason else ""
