"""The client of slowwave: `Slowwave(url, key)`, `AsyncSlowwave(url, key)` and `verify_webhook`. README.md shows how to use it."""

from slowwave_client.client import AsyncSlowwave, Slowwave
from slowwave_client.errors import (
    ApiError,
    ChangedError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    RateLimitedError,
    SlowwaveError,
    UnauthenticatedError,
    UnreachableError,
    WaitTooLongError,
    WebhookError,
)
from slowwave_client.retries import Retries
from slowwave_client.webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AsyncSlowwave",
    "ChangedError",
    "ConflictError",
    "ForbiddenError",
    "InvalidError",
    "NotFoundError",
    "RateLimitedError",
    "Retries",
    "Slowwave",
    "SlowwaveError",
    "UnauthenticatedError",
    "UnreachableError",
    "WaitTooLongError",
    "WebhookError",
    "verify_webhook",
]
