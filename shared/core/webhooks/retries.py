"""How deliveries are tried again, and when an endpoint is given up. The installation's, not a tenant's."""

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
    """Deliveries of all tenants.

    Attributes:
        sweep_seconds: how often due deliveries are looked for.
        timeout_seconds: what an attempt may take in all, from the name's resolution to the answer's headers.
        attempts: how often a delivery is tried.
        backoff_seconds: how long the first retry waits; each further one four times as long.
        longest_backoff_seconds: no retry waits longer. With these numbers the tenth attempt is 22 hours after the first.
        at_once: attempts under way, all tenants and workers together.
        tenant_at_once: attempts under way of one tenant.
        allow_http: take `http://` addresses, for receivers in the same trusted network.
        allow_networks: networks that are not public and may be posted to all the same, such as `10.1.0.0/16`.
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
        """Return it as JSON, as the setting takes it."""
        return json.dumps(asdict(self))


def check_webhook_policy(policy: WebhookPolicy) -> WebhookPolicy:
    """Return the policy. Raises BadInputError for numbers that cannot work and for what is no network."""
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
            raise BadInputError(f"{network!r} of webhooks' allow_networks is no network such as 10.1.0.0/16") from None
    return policy


def find_backoff(policy: WebhookPolicy, delivery_id: str, attempts: int) -> float:
    """Return the seconds until the next attempt: exponential, and longer by up to a fifth, so that a herd scatters.

    Args:
        policy: of the installation.
        delivery_id: what the jitter is drawn from, with the number of attempts.
        attempts: how many there were; at least 1.
    """
    wait = min(policy.backoff_seconds * _GROWTH ** (attempts - 1), policy.longest_backoff_seconds)
    drawn = hashlib.blake2b(f"{delivery_id} {attempts}".encode(), digest_size=8).digest()
    return wait * (1 + _JITTER * int.from_bytes(drawn, "big") / 2**64)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptVerdict:
    """What follows from an attempt: the delivery's state, when to try again, and why to disable the endpoint, if so."""

    state: DeliveryState
    retry_at: datetime | None = None
    disable_reason: str = ""


def decide_after_attempt(
    policy: WebhookPolicy, endpoint: WebhookEndpoint, delivery: Delivery, attempt: Attempt
) -> AttemptVerdict:
    """Return what follows from a delivery's newest attempt.

    An endpoint that says that it is gone (410) is disabled at once; any other when a delivery has used up its attempts
    and nothing has reached the endpoint since that delivery was made.
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
    reason = f"Nothing has reached it since {since}, in {delivery.attempts} attempts; the last: {attempt.error}"
    return AttemptVerdict(state=DeliveryState.FAILED, disable_reason=reason if is_dead else "")
