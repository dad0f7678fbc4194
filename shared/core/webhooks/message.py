"""Webhook messages and their signatures (Standard Webhooks). They only contain ids, states and counts."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from shared.core.budgets.dollars import BudgetUse
from shared.core.dream.model import Dream, DreamState, DreamSummary, ReviewState
from shared.core.dream.notice import say_improved
from shared.core.errors import BadInputError
from shared.core.gates.quarantine import say_failures
from shared.core.webhooks.endpoint import MESSAGE_PREFIX, Message, WebhookEvent

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix of every secret, by which libraries and scanners recognise it
#: The end states that are announced; an undo is a user's own action and is not.
ENDED_STATES = frozenset({DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR, DreamState.CANCELED})
#: How the ids of a dream's messages end.
_SUFFIXES = {
    WebhookEvent.DREAM_FINISHED: "dream",
    WebhookEvent.DREAM_FAILED: "failed",
    WebhookEvent.STORE_QUARANTINED: "quarantined",
    WebhookEvent.REVIEW_NEEDED: "review",
    WebhookEvent.REVIEW_DECIDED: "decided",
}
_COUNTS = (
    "gathered", "consolidated", "synthesized", "pruned", "kept", "skills", "learned", "decayed", "promoted", "folded", "archived",
    "flagged", "proposed", "put_back", "errors", "tokens", "model_calls",
)  # fmt: skip


def build_secret(random: bytes) -> str:
    """Return a new signing secret of random bytes, in the form that receivers use."""
    return SECRET_PREFIX + base64.b64encode(random).decode()


def sign(secret: str, message_id: str, timestamp: int, body: str) -> str:
    """Return one signature, `v1,…`: HMAC-SHA256 over id, time and body with the decoded secret.

    Raises:
        BadInputError: the secret has another form than those of `build_secret`.
    """
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error:
        raise BadInputError("A webhook secret is whsec_ and base64") from None
    signed = hmac.new(key, f"{message_id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def build_headers(secrets: Sequence[str], message: Message, now: datetime) -> dict[str, str]:
    """Return the headers of an attempt, signed with every valid secret, newest first."""
    timestamp = int(now.timestamp())
    return {
        "content-type": "application/json",
        "user-agent": "slowwave-webhooks/1",
        "webhook-id": message.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(sign(secret, message.id, timestamp, message.body) for secret in secrets),
    }


def build_end_messages(
    dream: Dream,
    state: DreamState,
    summary: DreamSummary | None,
    *,
    pending_reviews: int,
    has_failed: bool = False,
    now: datetime,
) -> list[Message]:
    """Return the messages for a dream's end: one for the end, one if it failed, one for all its pending reviews."""
    seconds = round((now - (dream.started_at or dream.created_at)).total_seconds(), 3)
    about, counted = _name(dream), summary or DreamSummary()
    ended = about | {
        "state": str(state),
        "trigger": str(dream.trigger),
        "dry_run": dream.is_dry_run,
        "duration_seconds": seconds,
    }
    finished = ended | {
        "pending_reviews": pending_reviews,
        "text": say_improved(0 if dream.is_dry_run else counted.changes, pending_reviews),
        "counts": {name: getattr(counted, name) for name in _COUNTS},
        "cost_usd": counted.cost_usd,
    }
    told = [_build(WebhookEvent.DREAM_FINISHED, dream, finished, now)]
    if has_failed or state is DreamState.ERROR:
        failed = ended | {"rescues": dream.rescue_count, "text": f"A dream of {dream.store} failed"}
        told.append(_build(WebhookEvent.DREAM_FAILED, dream, failed, now))
    if pending_reviews:
        review = about | {"pending_reviews": pending_reviews}
        told.append(_build(WebhookEvent.REVIEW_NEEDED, dream, review, now))
    return told


def build_budget_message(tenant_id: str, use: BudgetUse, now: datetime) -> Message:
    """Return the message that a budget in dollars is nearly spent. A budget and a period have one message id."""
    budget = use.budget
    about = {
        "tenant": tenant_id,
        "store": budget.store or None,
        "store_id": budget.store_id or None,
        "scope": str(budget.scope),
        "period": str(budget.period),
        "period_start": use.starts_at.isoformat(),
        "period_end": use.ends_at.isoformat(),
        "limit_usd": budget.limit_usd,
        "spent_usd": use.spent_usd,
        "share": round(use.share, 4),
        "setting": budget.setting,
    }
    key = hashlib.sha256(f"{tenant_id}/{budget.store_id}/{budget.name}/{use.starts_at:%Y-%m-%d}".encode()).hexdigest()
    message_id = f"{MESSAGE_PREFIX}_{key[:26]}_budget"
    return Message(
        id=message_id, event=WebhookEvent.BUDGET_ALERT, body=render_body(WebhookEvent.BUDGET_ALERT, about, now)
    )


def build_quarantine_message(dream: Dream, failures: int, now: datetime) -> Message:
    """Return the message that a store dreams no more, because this dream was one failure too many in a row."""
    about = _name(dream) | {
        "failures": failures,
        "text": f"{dream.store} is quarantined after {say_failures(failures)}",
    }
    return _build(WebhookEvent.STORE_QUARANTINED, dream, about, now)


def build_decided_message(dream: Dream, verdicts: Mapping[ReviewState, int], now: datetime) -> Message:
    """Return the message that nothing of a dream waits for a review any more.

    What was taken back and decided again is told again: the id has the time, too.
    """
    approved, rejected = (verdicts.get(one, 0) for one in (ReviewState.APPROVED, ReviewState.REJECTED))
    about = _name(dream) | {
        "approved": approved,
        "rejected": rejected,
        "text": f"The review of a dream of {dream.store} is done: {approved:,} approved, {rejected:,} rejected",
    }
    return _build(WebhookEvent.REVIEW_DECIDED, dream, about, now, suffix=f"_{now:%Y%m%d%H%M%S%f}")


def _name(dream: Dream) -> dict[str, object]:
    return {"tenant": dream.tenant_id, "store": dream.store, "store_id": dream.store_id, "dream_id": dream.id}


def build_test_message(message_id: str, tenant_id: str, endpoint_id: str, now: datetime) -> Message:
    """Return a test message for an endpoint."""
    body = render_body(WebhookEvent.TEST, {"tenant": tenant_id, "endpoint_id": endpoint_id}, now)
    return Message(id=message_id, event=WebhookEvent.TEST, body=body)


def _build(event: WebhookEvent, dream: Dream, data: Mapping[str, object], now: datetime, suffix: str = "") -> Message:
    """Build a message. Its id is derived from the dream and the event, so that an event never has two ids."""
    number = dream.id.rpartition("_")[2]
    message_id = f"{MESSAGE_PREFIX}_{number}_{_SUFFIXES[event]}{suffix}"
    return Message(id=message_id, event=event, body=render_body(event, data, now), dream_id=dream.id)


def render_body(event: WebhookEvent, data: Mapping[str, object], now: datetime) -> str:
    """Return the body of a message: its event, the time and the data, as compact JSON."""
    return json.dumps(
        {"type": str(event), "timestamp": now.isoformat(), "data": data}, separators=(",", ":"), ensure_ascii=False
    )
