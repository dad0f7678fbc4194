"""Webhook messages and their signatures (Standard Webhooks). They only contain ids, states and counts."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from shared.core.budgets.dollars import BudgetUse
from shared.core.dream.model import Dream, DreamState, DreamSummary
from shared.core.dream.notice import say_improved
from shared.core.errors import BadInputError
from shared.core.webhooks.endpoint import MESSAGE_PREFIX, Message, WebhookEvent

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix of every secret, by which libraries and scanners recognise it
#: The end states that are announced; an undo is a user's own action and is not.
ENDED_STATES = frozenset({DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR, DreamState.CANCELED})
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
    dream: Dream, state: DreamState, summary: DreamSummary | None, *, pending_reviews: int, now: datetime
) -> list[Message]:
    """Return the messages for a dream's end: one for the end, one for all its pending reviews."""
    seconds = round((now - (dream.started_at or dream.created_at)).total_seconds(), 3)
    about = {"tenant": dream.tenant_id, "store": dream.store, "store_id": dream.store_id, "dream_id": dream.id}
    counted = summary or DreamSummary()
    finished = about | {
        "state": str(state),
        "trigger": str(dream.trigger),
        "dry_run": dream.is_dry_run,
        "duration_seconds": seconds,
        "pending_reviews": pending_reviews,
        "text": say_improved(0 if dream.is_dry_run else counted.changes, pending_reviews),
        "counts": {name: getattr(counted, name) for name in _COUNTS},
        "cost_usd": counted.cost_usd,
    }
    told = [_build(WebhookEvent.DREAM_FINISHED, dream.id, finished, now)]
    if pending_reviews:
        review = about | {"pending_reviews": pending_reviews}
        told.append(_build(WebhookEvent.REVIEW_NEEDED, dream.id, review, now))
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


def build_test_message(message_id: str, tenant_id: str, endpoint_id: str, now: datetime) -> Message:
    """Return a test message for an endpoint."""
    body = render_body(WebhookEvent.TEST, {"tenant": tenant_id, "endpoint_id": endpoint_id}, now)
    return Message(id=message_id, event=WebhookEvent.TEST, body=body)


def _build(event: WebhookEvent, dream_id: str, data: Mapping[str, object], now: datetime) -> Message:
    """Build a message. Its id is derived from the dream and the event, so that an event never has two ids."""
    number = dream_id.rpartition("_")[2]
    message_id = f"{MESSAGE_PREFIX}_{number}_{event.partition('.')[0]}"
    return Message(id=message_id, event=event, body=render_body(event, data, now), dream_id=dream_id)


def render_body(event: WebhookEvent, data: Mapping[str, object], now: datetime) -> str:
    """Return the body of a message: its event, the time and the data, as compact JSON."""
    return json.dumps({"type": str(event), "timestamp": now.isoformat(), "data": data}, separators=(",", ":"))
