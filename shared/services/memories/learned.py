"""Summarize a tenant's week: new memories, changes by dreams, pending reviews, and recalled memories."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from shared.core.dream.operations import OperationKind
from shared.ports.database import Database
from shared.ports.tenants import Day, OperationsOfKind, Recalls, ToldMemory

#: A larger number of new memories is shown as "more than 10,000".
MOST_NEW = 10_000
_EXAMPLES = 3
_NEW_SHOWN = 5
_RECALLED_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The events of the seven days from a Monday on (UTC); `to_review`, `recalls` and `days` are as of now."""

    monday: date
    new: int
    newest: tuple[ToldMemory, ...]
    deeds: Mapping[OperationKind, OperationsOfKind]
    to_review: int
    recalls: Recalls
    days: tuple[Day, ...]


def find_monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def get_week(db: Database, tenant_id: str, monday: date, *, days: int) -> Week:
    """Return a week of a tenant, with its memories over the last days."""
    since = datetime.combine(monday, time(), UTC)
    until = since + timedelta(days=7)
    with db.transaction(tenant_id) as uow:
        deeds = uow.statistics.learned.find_deeds(since, until, examples=_EXAMPLES)
        recalls = uow.statistics.learned.find_recalls(limit=_RECALLED_SHOWN)
        return Week(
            monday=monday,
            new=uow.statistics.learned.count_new(since, until, most=MOST_NEW),
            newest=tuple(uow.statistics.learned.find_new(since, until, limit=_NEW_SHOWN)),
            deeds={deed.kind: deed for deed in deeds},
            to_review=sum(pending.number for pending in uow.statistics.count_pending()),
            recalls=recalls,
            days=tuple(uow.statistics.find_days(days, live=recalls.live)),
        )
