"""Activity of stores in PostgreSQL. Counts are added in the database, so that concurrent writers never lose one."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    Integer,
    Interval,
    Text,
    bindparam,
    case,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, execute, fetch_tuples
from shared.adapters.postgres.tables.mapping import verdict_json
from shared.adapters.postgres.tables.sessions import FeedbackRow, SessionRow
from shared.adapters.postgres.tables.stores import MemoryVersionRow, Moment, StoreRow
from shared.core.dream.model import Trigger
from shared.core.gates.jitter import wait_with_jitter
from shared.core.gates.next_check import QUIET
from shared.core.gates.replay import Activity
from shared.core.policy.profiles import PROFILES
from shared.core.tenants.store import Verdict
from shared.core.upkeep.due import decide_switched_on

#: The interval of upkeep checks of an active store, however often it is written to.
_UPKEEP_PAUSE = {Trigger.DIGEST: timedelta(hours=1), Trigger.COMPACTION: timedelta(days=1)}


def _unless_set(moment: str, wait: str) -> ColumnElement[datetime]:
    """Return the time of the next check: the existing one, or after a wait if there is none."""
    return func.coalesce(col(getattr(StoreRow, moment)), func.now() + bindparam(wait, type_=Interval))


def _upkeep_check(trigger: Trigger) -> ColumnElement[datetime]:
    """Return when to check a store for a kind of upkeep, if that is on and has no time yet."""
    said = cast(col(StoreRow.overrides)[f"{trigger}.enabled"].astext, Boolean)
    profiles = [name for name, policy in PROFILES.items() if decide_switched_on(policy, trigger)]
    is_on = func.coalesce(said, col(StoreRow.profile).in_(profiles))
    moment = f"{trigger}_check_at"
    return case((is_on, _unless_set(moment, f"{trigger}_wait")), else_=col(getattr(StoreRow, moment)))


#: What `is_timer` in shared/core/gates/next_check.py says of a store, for the one that is updated.
_IS_TIMER = or_(
    func.coalesce(col(StoreRow.last_verdict)["gate"].astext, "") == literal_column("'activity'"),
    col(StoreRow.curations) + col(StoreRow.sessions) + col(StoreRow.waiting_sessions) + col(StoreRow.waiting_changes)
    == literal_column("0"),
)
#: Activity brings a check forward that only a timer has set. Any other time stands for a reason (too recent, throttled).
#: Upkeep is due where it is on and has no time yet.
_RECORD = Fixed(
    "activity.record",
    update(StoreRow)
    .where(
        col(StoreRow.tenant_id) == bindparam("tenant", type_=Text), col(StoreRow.id) == bindparam("store", type_=Text)
    )
    .values(
        curations=col(StoreRow.curations) + bindparam("more_curations", type_=Integer),
        sessions=col(StoreRow.sessions) + bindparam("more_sessions", type_=Integer),
        last_activity_at=func.now(),
        next_check_at=case(
            (_IS_TIMER, func.least(col(StoreRow.next_check_at), func.now() + bindparam("wait", type_=Interval))),
            else_=_unless_set("next_check_at", "wait"),
        ),
        **{f"{trigger}_check_at": _upkeep_check(trigger) for trigger in _UPKEEP_PAUSE},
    ),
    reason="with each request that writes memories or sessions",
)
#: Without a moment of a full check, the one of the last full check stays.
_RECORD_VERDICT = Fixed(
    "activity.record_verdict",
    update(StoreRow)
    .where(
        col(StoreRow.tenant_id) == bindparam("tenant", type_=Text), col(StoreRow.id) == bindparam("store", type_=Text)
    )
    .values(
        last_verdict=bindparam("verdict", type_=JSONB),
        next_check_at=bindparam("next_check", type_=Moment),
        is_quarantined=bindparam("quarantined", type_=Boolean),
        last_check_at=func.coalesce(bindparam("fully_checked", type_=Moment), col(StoreRow.last_check_at)),
    ),
    reason="with each check of a store",
)


def _came_in(row: type[MemoryVersionRow | FeedbackRow | SessionRow], curations: int, sessions: int) -> Any:  # noqa: ANN401 - a part of a union
    """Return the rows that a store received since a moment, each with its minute and its count."""
    minute = func.date_trunc("minute", col(row.created_at)).label("at")
    return select(minute, literal(curations).label("curations"), literal(sessions).label("sessions")).where(
        col(row.tenant_id) == bindparam("tenant", type_=Text),
        col(row.store_id) == bindparam("store", type_=Text),
        col(row.created_at) >= bindparam("since", type_=Moment),
    )


_BY_HAND = (
    col(MemoryVersionRow.dream_id).is_(None)
    & col(MemoryVersionRow.operation_id).is_(None)
    & (col(MemoryVersionRow.change) != "restore")
)
_EACH = union_all(
    _came_in(MemoryVersionRow, 1, 0).where(_BY_HAND), _came_in(FeedbackRow, 1, 0), _came_in(SessionRow, 0, 1)
).subquery()
_RECEIVED = (
    select(_EACH.c.at, func.sum(_EACH.c.curations), func.sum(_EACH.c.sessions))
    .group_by(_EACH.c.at)
    .order_by(_EACH.c.at)
)


class PostgresActivityRepository:
    """Implements `ActivityRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = col(StoreRow.tenant_id) == tenant_id

    def record(self, store_id: str, *, curations: int = 0, sessions: int = 0) -> None:
        """Add activity, and schedule a check for when the store has been quiet for a while."""
        values = {"tenant": self._tenant_id, "store": store_id, "more_curations": curations, "more_sessions": sessions}
        waits = {f"{trigger}_wait": wait_with_jitter(store_id, pause) for trigger, pause in _UPKEEP_PAUSE.items()}
        execute(self._connection, _RECORD, {**values, **waits, "wait": wait_with_jitter(store_id, QUIET)})

    def find_received(self, store_id: str, *, since: datetime) -> list[Activity]:
        """Return the activity by minute, oldest first, without writes of dreams, undos and restores."""
        values = {"tenant": self._tenant_id, "store": store_id, "since": since}
        rows = fetch_tuples(self._connection, _RECEIVED, values)
        return [Activity(at=at, curations=int(curations), sessions=int(sessions)) for at, curations, sessions in rows]

    def set_upkeep_check(self, store_id: str, trigger: Trigger, at: datetime | None) -> None:
        """Set the time of the next check for a kind of upkeep."""
        statement = update(StoreRow).where(self._mine, col(StoreRow.id) == store_id)
        execute(self._connection, statement.values({f"{trigger}_check_at": at}))

    def set_busy(self, store_id: str, *, pending_tasks: int, active_until: datetime | None) -> None:
        """Set the current state of the store's agent."""
        values = {"pending_tasks": pending_tasks, "active_until": active_until}
        execute(self._connection, update(StoreRow).where(self._mine, col(StoreRow.id) == store_id).values(values))

    def consume(self, store_id: str, *, curations: int, sessions: int) -> None:
        """Subtract the activity that a dream has read; later activity stays."""
        execute(
            self._connection,
            update(StoreRow)
            .where(self._mine, col(StoreRow.id) == store_id)
            .values(
                curations=func.greatest(0, col(StoreRow.curations) - curations),
                sessions=func.greatest(0, col(StoreRow.sessions) - sessions),
            ),
        )

    def record_verdict(
        self, store_id: str, verdict: Verdict, next_check_at: datetime | None, *, is_full_check: bool
    ) -> None:
        """Store the verdict of a check and the time of the next one; a full check restarts the scan throttle."""
        values = {
            "tenant": self._tenant_id,
            "store": store_id,
            "verdict": verdict_json(verdict),
            "next_check": next_check_at,
            "quarantined": verdict.gate == "quarantine",
            "fully_checked": verdict.at if is_full_check else None,
        }
        execute(self._connection, _RECORD_VERDICT, values)
