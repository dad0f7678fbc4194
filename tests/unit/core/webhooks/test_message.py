"""The payload of a webhook, its signature, and its retries."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.model import Dream, DreamState, DreamSummary, Trigger
from shared.core.errors import BadInputError
from shared.core.webhooks.endpoint import Attempt, Delivery, DeliveryState, Message, WebhookEndpoint, WebhookEvent
from shared.core.webhooks.message import build_end_messages, build_headers, build_secret, sign
from shared.core.webhooks.retries import WebhookPolicy, check_webhook_policy, decide_after_attempt, find_backoff

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
POLICY = WebhookPolicy()
MESSAGE = Message(id="msg_1", event=WebhookEvent.TEST, body="{}")
DELIVERY = Delivery(id="dlv_1", tenant_id="acme", endpoint_id="hook_1", message=MESSAGE, created_at=NOW, attempts=1)
ENDPOINT = WebhookEndpoint(id="hook_1", tenant_id="acme", url="https://example.com")
FAILED = Attempt(at=NOW, status=500, latency_ms=3, error="HTTP 500")
DREAM = Dream(
    id="drm_01JD", tenant_id="acme", store_id="sto_1", store="default", state=DreamState.RUNNING, trigger=Trigger.API,
    epoch=1, is_forced=False, is_dry_run=False, created_at=NOW, reason="the password is hunter2",
)  # fmt: skip


def test_the_signature_is_that_of_the_specifications_example() -> None:
    """The vector that libraries of Standard Webhooks test themselves with."""
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"test": 2432232314}'
    expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body) == expected


def test_every_valid_secret_signs_and_the_newest_comes_first() -> None:
    secrets = [build_secret(bytes([number]) * 32) for number in (2, 1)]
    given_headers = build_headers(secrets, MESSAGE, NOW)
    timestamp = int(given_headers["webhook-timestamp"])
    assert given_headers["webhook-signature"].split(" ") == [sign(one, "msg_1", timestamp, "{}") for one in secrets]


def test_an_invalid_secret_signs_no_message() -> None:
    with pytest.raises(BadInputError):
        sign("whsec_not base64!", "msg_1", 0, "{}")


def test_a_dream_without_reviews_is_told_once_with_reviews_twice() -> None:
    for pending, events in ((0, ["dream.finished"]), (3, ["dream.finished", "review.needed"])):
        told = build_end_messages(DREAM, DreamState.COMPLETED, None, pending_reviews=pending, now=NOW)
        assert [str(one.event) for one in told] == events
        assert len({one.id for one in told}) == len(told)
        assert all("." not in one.id for one in told)  # the signature separates by dots


def test_the_same_event_has_the_same_id_from_every_sender() -> None:
    first, again = (
        build_end_messages(DREAM, DreamState.ERROR, None, pending_reviews=0, now=NOW + timedelta(seconds=late))
        for late in (0, 5)
    )
    assert first[0].id == again[0].id


def test_a_dreams_reason_which_may_quote_a_memory_is_not_told() -> None:
    told = build_end_messages(DREAM, DreamState.ERROR, None, pending_reviews=1, now=NOW)
    assert not [one for one in told if "hunter2" in one.body]
    assert json.loads(told[0].body)["timestamp"] == NOW.isoformat()


def test_the_end_of_a_dream_has_a_line_that_a_session_can_show() -> None:
    def text(dream: Dream) -> str:
        summary = DreamSummary(consolidated=2, pruned=1)
        told = build_end_messages(dream, DreamState.COMPLETED, summary, pending_reviews=1, now=NOW)
        return str(json.loads(told[0].body)["data"]["text"])

    assert text(DREAM) == "Improved 3 memories; 1 change waits for a review"
    assert text(replace(DREAM, is_dry_run=True)) == "1 change waits for a review"


@given(attempts=st.integers(1, 40), number=st.integers(0, 10_000))
def test_waits_grow_to_a_bound_and_are_never_shorter_than_said(attempts: int, number: int) -> None:
    wait = find_backoff(POLICY, f"dlv_{number}", attempts)
    said = min(10.0 * 4 ** (attempts - 1), 21_600)
    assert said <= wait <= 1.2 * said


def test_a_herd_that_failed_together_does_not_come_back_together() -> None:
    waits = {round(find_backoff(POLICY, f"dlv_{number}", 5)) for number in range(100)}
    assert len(waits) > 50


def test_a_failure_is_tried_again_until_the_attempts_are_used_up() -> None:
    verdicts = [
        decide_after_attempt(POLICY, ENDPOINT, replace(DELIVERY, attempts=number), FAILED) for number in (1, 9, 10)
    ]
    assert [one.state for one in verdicts] == [DeliveryState.PENDING, DeliveryState.PENDING, DeliveryState.FAILED]
    assert [bool(one.disable_reason) for one in verdicts] == [False, False, True]
    assert all((one.retry_at is None) == (one.state is not DeliveryState.PENDING) for one in verdicts)


def test_by_default_an_endpoint_has_most_of_a_day_to_come_back() -> None:
    seconds = sum(find_backoff(POLICY, "dlv_1", attempts) for attempts in range(1, POLICY.attempts))
    assert timedelta(hours=20) < timedelta(seconds=seconds) < timedelta(hours=28)


def test_an_endpoint_that_took_something_meanwhile_is_not_disabled() -> None:
    alive = replace(ENDPOINT, delivered_at=NOW + timedelta(hours=1))
    verdict = decide_after_attempt(POLICY, alive, replace(DELIVERY, attempts=10), FAILED)
    assert (verdict.state, verdict.disable_reason) == (DeliveryState.FAILED, "")


def test_a_message_that_the_receiver_accepts_is_delivered_at_any_attempt() -> None:
    taken = replace(FAILED, status=204, error="")
    for number in (1, 10):
        verdict = decide_after_attempt(POLICY, ENDPOINT, replace(DELIVERY, attempts=number), taken)
        assert (verdict.state, verdict.retry_at, verdict.disable_reason) == (DeliveryState.DELIVERED, None, "")


def test_an_endpoint_that_says_it_is_gone_is_believed_at_once() -> None:
    gone = replace(FAILED, status=410, error="HTTP 410")
    assert decide_after_attempt(POLICY, ENDPOINT, DELIVERY, gone).disable_reason


@pytest.mark.parametrize(
    "wrong", [{"attempts": 0}, {"timeout_seconds": 0}, {"at_once": 0}, {"allow_networks": ("everywhere",)}]
)
def test_numbers_that_cannot_work_are_refused_with_their_name(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInputError, match=next(iter(wrong))):
        check_webhook_policy(replace(POLICY, **wrong))  # type: ignore[arg-type] # wrong on purpose
