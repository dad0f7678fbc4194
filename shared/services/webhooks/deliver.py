"""Deliver a webhook: consume a claim, post, and record the outcome. No transaction is open during the post.

A crash between the post and the record causes a second post of the same message, with the same id and bytes: delivery
is at least once, and receivers drop messages that they have seen.
"""

from dataclasses import replace

from shared.all_ports import Ports
from shared.core.errors import NotFoundError
from shared.core.webhooks.endpoint import Attempt, Delivery, DeliveryState, WebhookEndpoint
from shared.core.webhooks.message import build_headers
from shared.core.webhooks.retries import AttemptVerdict, decide_after_attempt
from shared.counting import count
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.ports.webhooks import ClaimedDelivery

_log = get_logger()
#: A claimed delivery without an outcome is due again after this time; far more than an attempt may take.
HOLD_SECONDS = 120.0


def claim_deliveries(ports: Ports) -> list[ClaimedDelivery]:
    """Claim due deliveries, as many as there are free slots."""
    policy = ports.settings.webhooks
    return ports.db.delivery_queue.claim(
        at_once=policy.at_once, per_tenant=policy.tenant_at_once, hold_seconds=HOLD_SECONDS
    )


def send_due_deliveries(ports: Ports) -> int:
    """Send the due deliveries to workers and return their number. Raises ServiceUnavailableError; they are retried."""
    claimed = claim_deliveries(ports)
    for one in claimed:
        ports.dispatch.send_delivery(one)
    return len(claimed)


def deliver_webhook(ports: Ports, claimed: ClaimedDelivery) -> Delivery | None:
    """Attempt a claimed delivery and return it; None if the claim was consumed or is no longer valid.

    Raises:
        PermanentError: the endpoint's secret cannot be decrypted; the attempt does not count.
    """
    with ports.db.transaction(claimed.tenant_id) as uow:
        begun = _begin_attempt(uow, claimed)
        now = uow.now()
        if begun is None:
            return None
        endpoint, delivery = begun
        headers = build_headers(open_secrets(ports, endpoint, uow), delivery.message, now)
    result = ports.webhooks.post(endpoint.url, headers, delivery.message.body)
    with ports.db.transaction(claimed.tenant_id) as uow:
        attempt = Attempt(at=uow.now(), status=result.status, latency_ms=result.latency_ms, error=result.error)
        verdict = _end_attempt(ports, uow, delivery, attempt)
        after = uow.deliveries.get(delivery.id)
    _log_attempt(after, attempt, verdict)
    return after


def _begin_attempt(uow: UnitOfWork, claimed: ClaimedDelivery) -> tuple[WebhookEndpoint, Delivery] | None:
    delivery = uow.deliveries.begin(claimed.delivery_id, claimed.claim)
    if delivery is None:
        count("slowwave_duplicate_deliveries_total", task="webhook")
        return None
    endpoint = uow.webhooks.get(delivery.endpoint_id)
    if endpoint.disabled_at is not None:
        uow.deliveries.hold(endpoint.id)
        return None
    return endpoint, delivery


def open_secrets(ports: Ports, endpoint: WebhookEndpoint, uow: UnitOfWork) -> list[str]:
    """Return the secrets to sign with, including the old one for a grace period after a rotation."""
    sealed = [endpoint.sealed]
    if endpoint.previous_sealed and endpoint.previous_until and uow.now() < endpoint.previous_until:
        sealed.append(endpoint.previous_sealed)
    return [ports.sealer.unseal(endpoint.id, one) for one in sealed]


def _end_attempt(ports: Ports, uow: UnitOfWork, delivery: Delivery, attempt: Attempt) -> AttemptVerdict:
    try:
        endpoint = uow.webhooks.get(delivery.endpoint_id, lock=True)
    except NotFoundError:
        # The endpoint was deleted meanwhile: log the attempt; the delivery has ended.
        verdict = AttemptVerdict(state=DeliveryState.FAILED)
        uow.deliveries.end(delivery, attempt, verdict)
        return verdict
    verdict = decide_after_attempt(ports.settings.webhooks, endpoint, delivery, attempt)
    uow.deliveries.end(delivery, attempt, verdict)
    changed = _count_attempt(endpoint, attempt, verdict)
    uow.webhooks.save(changed)
    if changed.disabled_at is not None:
        uow.deliveries.hold(endpoint.id)
        if endpoint.disabled_at is None:
            uow.record_audit("slowwave", "webhook.disable", endpoint_id=endpoint.id, reason=changed.disabled_reason)
    return verdict


def _count_attempt(endpoint: WebhookEndpoint, attempt: Attempt, verdict: AttemptVerdict) -> WebhookEndpoint:
    """Return the endpoint with this attempt counted, and disabled if the verdict says so."""
    if not attempt.error:
        return replace(endpoint, failures=0, failing_since=None, delivered_at=attempt.at)
    since = endpoint.failing_since or attempt.at
    failing = replace(endpoint, failures=endpoint.failures + 1, failing_since=since)
    if not verdict.disable_reason or endpoint.disabled_at is not None:
        return failing
    return replace(failing, disabled_at=attempt.at, disabled_reason=verdict.disable_reason)


def _log_attempt(after: Delivery, attempt: Attempt, verdict: AttemptVerdict) -> None:
    retried = {DeliveryState.PENDING: "retried", DeliveryState.DELIVERED: "delivered"}
    outcome = "disabled" if verdict.disable_reason else retried.get(verdict.state, "failed")
    count("slowwave_webhook_deliveries_total", outcome=outcome)
    _log.info(
        "webhook_attempted",
        delivery_id=after.id,
        endpoint_id=after.endpoint_id,
        message_id=after.message.id,
        attempt=after.attempts,
        status=attempt.status,
        latency_ms=attempt.latency_ms,
        error=attempt.error,
        outcome=outcome,
    )
