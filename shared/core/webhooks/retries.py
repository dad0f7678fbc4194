"""Retries of webhook deliveries, and when an endpoint is disabled. The policy is the installation's, not a tenant's."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from ipaddress import ip_network

from shared.core.errors import BadInputError
from shared.core.webhooks.endpoint import Attempt, Delivery, DeliveryState, WebhookEndpoint

_JITTER = 0.2
_GROWTH = 4.0
_GONE = 410


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookPolicy:
    """The policy for the deliveries of all tenants.

    Attributes:
        sweep_seconds: interval of the sweep for due deliveries.
        timeout_seconds: time limit of an attempt, from name resolution to the answer's headers.
        attempts: maximum number of attempts of a delivery.
        backoff_seconds: wait before the first retry; each further one is four times as long.
        longest_backoff_seconds: longest wait. With the defaults the tenth attempt is 22 hours after the first.
        at_once: limit of concurrent attempts, over all tenants and workers.
        tenant_at_once: limit of concurrent attempts of one tenant.
        allow_http: accept `http://` addresses, for receivers in the same trusted network.
        allow_networks: private networks that may be posted to, such as `10.1.0.0/16`.
    """

    sweep_seconds: float = 5.0
    timeout_seconds: float = 10.0
    attempts: int = 10
    backoff_seconds: float = 10.0
    longest_backoff_seconds: float = 21_600.0
    at_once: int = 8
    tenant_at_once: int = 2
    allow_http: bool = False
    allow_networks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the policy as JSON, in the form of the setting."""
        return json.dumps(asdict(self))


def check_webhook_policy(policy: WebhookPolicy) -> WebhookPolicy:
    """Return the policy. Raises BadInputError for impossible numbers and invalid networks."""
    ranges = {
        "sweep_seconds": (0.1, 3_600), "timeout_seconds": (0.1, 60), "attempts": (1, 50), "backoff_seconds": (0, 3_600),
        "longest_backoff_seconds": (0, 86_400), "at_once": (1, 512), "tenant_at_once": (1, 512),
    }  # fmt: skip
    assert set(ranges) | {"allow_http", "allow_networks"} == {field.name for field in fields(WebhookPolicy)}
    for name, (least, most) in ranges.items():
        if not least <= getattr(policy, name) <= most:
            raise BadInputError(f"{name} of webhooks is {getattr(policy, name)}; it must be {least} to {most:,}")
    for network in policy.allow_networks:
        try:
            ip_network(network)
        except ValueError:
            raise BadInputError(
                f"{network!r} of webhooks' allow_networks is not a network such as 10.1.0.0/16"
            ) from None
    return policy


def find_backoff(policy: WebhookPolicy, delivery_id: str, attempts: int) -> float:
    """Return the seconds until the next attempt: exponential backoff with up to a fifth of jitter.

    Args:
        policy: the installation's policy.
        delivery_id: the seed of the jitter, with the number of attempts.
        attempts: the number of attempts so far, at least 1.
    """
    wait = min(policy.backoff_seconds * _GROWTH ** (attempts - 1), policy.longest_backoff_seconds)
    drawn = hashlib.blake2b(f"{delivery_id} {attempts}".encode(), digest_size=8).digest()
    return wait * (1 + _JITTER * int.from_bytes(drawn, "big") / 2**64)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptVerdict:
    """The consequence of an attempt: the new state, the next attempt, and the reason to disable the endpoint, if any."""

    state: DeliveryState
    retry_at: datetime | None = None
    disable_reason: str = ""


def decide_after_attempt(
    policy: WebhookPolicy, endpoint: WebhookEndpoint, delivery: Delivery, attempt: Attempt
) -> AttemptVerdict:
    """Return the consequence of a delivery's newest attempt.

    An endpoint that answers 410 (gone) is disabled at once; any other when a delivery has used up its attempts and no
    delivery has reached the endpoint since that one was made.
    """
    if not attempt.error:
        return AttemptVerdict(state=DeliveryState.DELIVERED)
    if attempt.status == _GONE:
        return AttemptVerdict(state=DeliveryState.FAILED, disable_reason="It answered 410: gone")
    if delivery.attempts < policy.attempts:
        wait = timedelta(seconds=find_backoff(policy, delivery.id, delivery.attempts))
        return AttemptVerdict(state=DeliveryState.PENDING, retry_at=attempt.at + wait)
    is_dead = endpoint.delivered_at is None or endpoint.delivered_at < delivery.created_at
    since = f"{delivery.created_at:%Y-%m-%d %H:%M} UTC"
    reason = f"No delivery has succeeded since {since}, in {delivery.attempts} attempts; the last one: {attempt.error}"
    return AttemptVerdict(state=DeliveryState.FAILED, disable_reason=reason if is_dead else "")
