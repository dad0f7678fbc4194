"""Send the digest of the last week to the endpoints that want it, once, when the week has ended in the tenant's time zone.

After a downtime only the last week is told. Two schedulers cannot tell it twice: an endpoint's row is locked, and a week has one
message id.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from shared.core.upkeep.due import end_of_week, local_date
from shared.core.webhooks.endpoint import WebhookEndpoint
from shared.core.webhooks.insight_message import build_weekly_message
from shared.ports.database import Database
from shared.services.insight.week import read_week


def send_weekly_digest(db: Database, tenant_id: str) -> bool:
    """Queue the digest of the last week for the tenant's endpoints that are due; tell whether there was one."""
    with db.transaction(tenant_id) as uow:
        now, zone = uow.now(), uow.stores.get_tenant().time_zone
        candidates = [one for one in uow.webhooks.find_all() if _is_due(one, now)]
        locked = [uow.webhooks.get(one.id, lock=True) for one in candidates]
        due = [one for one in locked if _is_due(one, now)]
        if not due:
            return False
        week = read_week(uow, local_date(now, zone) - timedelta(days=7), for_all=True)
        message = build_weekly_message(tenant_id, week, now)
        for endpoint in due:
            uow.deliveries.add(endpoint.id, message)
            uow.webhooks.save(replace(endpoint, digest_at=end_of_week(now, zone)))
        return True


def _is_due(endpoint: WebhookEndpoint, now: datetime) -> bool:
    return endpoint.disabled_at is None and endpoint.digest_at is not None and endpoint.digest_at <= now
