"""The errors of the client. Those of the API carry its own sentence, which says what to do."""

from __future__ import annotations

from typing import Any

import httpx


class SlowwaveError(Exception):
    """Any error of this client."""


class UnreachableError(SlowwaveError):
    """The server did not answer, or not with an answer of slowwave."""


class WaitTooLongError(SlowwaveError):
    """A dream did not end within the time that the caller gave it."""


class WebhookError(SlowwaveError):
    """A webhook that slowwave did not send just now."""


class ApiError(SlowwaveError):
    """An answer with a status of 400 or more: a problem (RFC 9457). Its text is the API's own sentence.

    Attributes:
        status: the HTTP status.
        kind: the kind of problem, for programs, such as `conflict` or `rate-limited`.
        detail: the cause and what to do, for people.
        request_id: the id to look for in the server's log.
        errors: for invalid input, where and why.
    """

    def __init__(self, status: int, problem: dict[str, Any], request_id: str) -> None:
        self.status = status
        self.kind = str(problem.get("type", "")).removeprefix("urn:slowwave:problem:")
        self.detail = str(problem.get("detail") or problem.get("title") or f"The server answered {status}")
        self.request_id = str(problem.get("instance") or request_id)
        self.errors: list[dict[str, str]] = problem.get("errors") or []
        super().__init__(self.detail)


class InvalidError(ApiError):
    """422: the input is not what the API takes."""


class UnauthenticatedError(ApiError):
    """401: no valid key."""


class ForbiddenError(ApiError):
    """403: the key's role does not allow it."""


class NotFoundError(ApiError):
    """404: it does not exist, or belongs to another tenant."""


class ConflictError(ApiError):
    """409: its state does not allow that, such as a shut gate, or a path that is taken."""


class ChangedError(ApiError):
    """412: it has changed in the meantime."""


class RateLimitedError(ApiError):
    """429: too many requests, also after all tries."""


_BY_STATUS: dict[int, type[ApiError]] = {
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: ChangedError,
    422: InvalidError,
    429: RateLimitedError,
}


def error_of(answer: httpx.Response) -> ApiError | None:
    """Return the error that an answer is, or None for a success."""
    if answer.status_code < 400:
        return None
    try:
        found = answer.json()
    except ValueError:  # a proxy's own page
        found = {}
    problem = found if isinstance(found, dict) else {}
    kind = _BY_STATUS.get(answer.status_code, ApiError)
    return kind(answer.status_code, problem, answer.headers.get("x-request-id", ""))
