"""Summarize in one line, for an agent's session, what dreams over its store have done since."""

from datetime import datetime

from shared.core.dream.notice import TOLD_STATES, Notice, build_notice
from shared.ports.database import Database

_MOST = 50


def get_notice(db: Database, tenant_id: str, store_name: str, *, since: datetime | None = None) -> Notice:
    """Return a summary of a store's dreams that ended since a time; without one, of the last dream. Raises NotFoundError.

    Of more than 50 dreams, the newest count.
    """
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        newest = uow.dreams.find_recent(store_id=store.id, states=TOLD_STATES, limit=_MOST)
        to_review = uow.statistics.count_store(store.id).to_review
    return build_notice(newest, since=since, to_review=to_review)
