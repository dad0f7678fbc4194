"""The webhook message with the digest of a week; a module of its own, since few programs know of insight."""

import hashlib
from datetime import datetime

from shared.core.insight.digest import list_facts
from shared.core.insight.model import Week
from shared.core.webhooks.endpoint import MESSAGE_PREFIX, Message, WebhookEvent
from shared.core.webhooks.message import render_body


def build_weekly_message(tenant_id: str, week: Week, now: datetime) -> Message:
    """Return the message with a tenant's week. A week has one message id."""
    learned = len(week.lessons)
    about = {
        "tenant": tenant_id,
        "store": None,
        "store_id": None,
        **list_facts(week, tenant_id),
        "text": f"Week of {week.monday}: {learned} new statement{'' if learned == 1 else 's'}, {week.waiting:,} to review",
    }
    key = hashlib.sha256(f"{tenant_id}/{week.monday}".encode()).hexdigest()
    event = WebhookEvent.INSIGHT_WEEKLY
    return Message(id=f"{MESSAGE_PREFIX}_{key[:26]}_insight", event=event, body=render_body(event, about, now))
