"""Verify webhooks: that slowwave has sent a delivery, just now (standard-webhooks)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from slowwave_client.errors import WebhookError


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes | str) -> dict[str, Any]:
    """Return the event of a delivery: `type`, `timestamp` and `data`.

    Args:
        secret: the endpoint's secret, `whsec_…`.
        headers: those of the request, in any case.
        body: the request's body as it came, before any parsing.

    Raises:
        WebhookError: the signature is not of this secret, or the delivery is more than five minutes old.
    """
    try:
        found: dict[str, Any] = Webhook(secret).verify(body, dict(headers))
    except (WebhookVerificationError, ValueError) as error:
        raise WebhookError(f"The webhook is not one that slowwave has sent just now: {error}") from error
    return found
