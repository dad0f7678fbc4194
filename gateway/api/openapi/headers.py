"""Describe the headers of every answer: the request's id, what is left of the key's rate limit, when to try again, a version."""

from typing import Any

_REF = "#/components/headers/"
_COUNT = {"type": "integer", "minimum": 0}
#: By its name in an answer: what it says, and how.
_HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {
        "description": "The request's id, which is also in the log: your own `X-Request-Id`, or a new one.",
        "schema": {"type": "string"},
        "example": "req_01JD0000000000000000000000",
    },
    "RateLimit-Limit": {
        "description": "How many requests this key may send in a minute.",
        "schema": _COUNT,
        "example": 1200,
    },
    "RateLimit-Remaining": {
        "description": "How many of them are left now.",
        "schema": _COUNT,
        "example": 1199,
    },
    "Retry-After": {
        "description": "After how many seconds to try again.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 5,
    },
    "ETag": {
        "description": "The version, to pass as `If-Match`.",
        "schema": {"type": "string"},
        "example": '"3"',
    },
    "Idempotency-Replayed": {
        "description": "`true` for the stored answer of the first request with this `Idempotency-Key`.",
        "schema": {"type": "string", "const": "true"},
        "example": "true",
    },
}
_SAYS_WHEN = frozenset({"429", "503"})
#: Without a valid key there is none whose requests could be counted.
_UNCOUNTED = "401"


def add_headers(document: dict[str, Any]) -> None:
    """Name the headers of every answer of a document, in place, each described once under `components`."""
    document["components"]["headers"] = _HEADERS
    for methods in document["paths"].values():
        has_version = any("If-Match" in _taken(operation) for operation in methods.values())
        for operation in methods.values():
            is_kept = "Idempotency-Key" in _taken(operation)
            for status, answer in operation["responses"].items():
                is_done, is_counted = status < "300", "security" in operation and status != _UNCOUNTED
                has = {
                    "X-Request-Id": True,
                    "RateLimit-Limit": is_counted,
                    "RateLimit-Remaining": is_counted,
                    "Retry-After": status in _SAYS_WHEN,
                    "ETag": is_done and has_version,
                    "Idempotency-Replayed": is_done and is_kept,
                }
                answer["headers"] = {name: {"$ref": f"{_REF}{name}"} for name in _HEADERS if has[name]}


def _taken(operation: dict[str, Any]) -> set[str]:
    return {parameter["name"] for parameter in operation.get("parameters", ())}
