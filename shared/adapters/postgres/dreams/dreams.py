"""Dreams: the claim, the fence and the end. All times are the database's."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    INTEGER,
    Boolean,
    ColumnElement,
    Connection,
    Interval,
    Label,
    Select,
    Text,
    any_,
    bindparam,
    case,
    false,
    func,
    insert,
    literal,
    literal_column,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, Row, execute, fetch, fetch_one
from shared.adapters.postgres.tables.dreams import DreamRow
from shared.adapters.postgres.tables.mapping import dream_from, summary_json
from shared.adapters.postgres.tables.stores import StoreRow
from shared.adapters.ulid_ids import new_id
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, DreamSummary, Trigger, check_transition
from shared.core.dream.recall import ProbeKind, Recall
from shared.core.errors import ConflictError, LostLeaseError, NotFoundError
from shared.core.listings.period import ALWAYS, Period

#: The reason for the wait of a dream that another worker took over.
WORKER_GONE = "Its worker was gone"
#: The lease of a dream that its worker handed over deliberately: the next claim is not a rescue.
_HANDED_OVER = datetime(1970, 1, 1, tzinfo=UTC)
_MINE = col(DreamRow.tenant_id) == bindparam("tenant", type_=Text)
_THIS = _MINE & (col(DreamRow.id) == bindparam("dream", type_=Text))
_IS_ACTIVE = col(DreamRow.state).in_(sorted(ACTIVE_STATES))
_OF_EPOCH = (col(DreamRow.epoch) == bindparam("of_epoch")) & (col(DreamRow.state) == DreamState.RUNNING)
_IS_SNOOZED = col(DreamRow.next_attempt_at).is_not(None)
_ITS_STORE = col(StoreRow.id) == col(DreamRow.store_id)
_STORE_NAME: Label[str] = col(StoreRow.name).label("store")
_LEASE_END = func.now() + bindparam("lease", type_=Interval)

_ALL = select(DreamRow, _STORE_NAME).join(StoreRow, _ITS_STORE)
_GET = Fixed("dreams.get", _ALL.where(_THIS), reason="4 times a dream, and for each look at one")
_LOCK = Fixed(
    "dreams.lock",
    _ALL.where(_THIS).with_for_update(of=DreamRow, key_share=True),
    reason="4 times a dream",
)
_FENCE = Fixed(
    "dreams.fence",
    update(DreamRow)
    .where(_THIS, _OF_EPOCH, _ITS_STORE)
    .values(lease_until=_LEASE_END)
    .returning(
        DreamRow,
        _STORE_NAME,
        # A worker that hangs in a fenced transaction holds the dream's row no longer than its lease.
        func.set_config("idle_in_transaction_session_timeout", bindparam("idle"), True).label("idle"),
    ),
    reason="14 times a dream",
)
#: An epoch is at least a thousand for every minute of the dream's age. So after the restore of an older backup, no
#: epoch recurs that a message or a worker of the lost time may still use.
_AGE_MINUTES = func.least(func.floor(func.extract("epoch", func.now() - col(DreamRow.created_at)) / 60), 2_000_000)
_HAS_LAPSED = (
    (col(DreamRow.state) == DreamState.RUNNING)
    & col(DreamRow.next_attempt_at).is_(None)
    & func.coalesce(col(DreamRow.lease_until) > _HANDED_OVER, false(), type_=Boolean)
)
#: What the database said while its worker could not renew the lease: that worker is not lost, and its time stood still.
_REFUSAL = bindparam("refusal", type_=Text)
_WAS_REFUSED = _HAS_LAPSED & (_REFUSAL != "")
_IS_RESCUE = _HAS_LAPSED & (_REFUSAL == "")
_STOOD_STILL = case(
    (col(DreamRow.snoozed_at).is_not(None), func.now() - col(DreamRow.snoozed_at)),
    (_WAS_REFUSED, func.now() - col(DreamRow.lease_until) + bindparam("lease", type_=Interval)),
    else_=literal_column("interval '0'", Interval),
)
#: When a dream can be claimed: a snoozed one after its snooze, a running one after its lease, a queued one at once.
_IS_FREE = case(
    (_IS_SNOOZED, col(DreamRow.next_attempt_at) <= func.now()),
    (col(DreamRow.state) == DreamState.RUNNING, col(DreamRow.lease_until) < func.now()),
    else_=literal(value=True),
)
_MOST_WAITS = 100


def _wait_since(begun: Mapped[datetime | None], why: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a list with one wait that ends now."""
    begins, ends, names = (literal_column(f"'{name}'", Text) for name in ("begun", "ended", "why"))
    one = func.jsonb_build_object(begins, begun, ends, func.now(), names, why)
    return func.jsonb_build_array(one)


#: The claim ends the dream's wait: its snooze, or the time without a worker.
_WAITS = case(
    (func.jsonb_array_length(col(DreamRow.waits)) >= _MOST_WAITS, col(DreamRow.waits)),
    (
        col(DreamRow.snoozed_at).is_not(None),
        func.jsonb_concat(
            col(DreamRow.waits), _wait_since(col(DreamRow.snoozed_at), func.left(col(DreamRow.reason), 300))
        ),
    ),
    (
        _HAS_LAPSED,
        func.jsonb_concat(
            col(DreamRow.waits),
            _wait_since(
                col(DreamRow.lease_until),
                func.coalesce(func.nullif(func.left(_REFUSAL, 300), ""), literal(WORKER_GONE).cast(Text)),
            ),
        ),
    ),
    else_=col(DreamRow.waits),
)
_CLAIM = (
    update(DreamRow)
    .where(_THIS, _ITS_STORE, _IS_ACTIVE, _IS_FREE)
    .values(
        state=DreamState.RUNNING,
        epoch=func.greatest(col(DreamRow.epoch) + 1, (1000 * _AGE_MINUTES).cast(INTEGER)),
        rescue_count=col(DreamRow.rescue_count) + _IS_RESCUE.cast(INTEGER),
        started_at=func.coalesce(col(DreamRow.started_at), func.now()),
        deadline_at=func.coalesce(
            col(DreamRow.deadline_at) + _STOOD_STILL,
            func.now() + bindparam("budget", type_=Interval),
        ),
        waits=_WAITS,
        next_attempt_at=None,
        snoozed_at=None,
        reason=case((_IS_SNOOZED, ""), else_=col(DreamRow.reason)),
        lease_until=_LEASE_END,
        model=func.coalesce(func.nullif(col(DreamRow.model), ""), bindparam("of_model")),
    )
    .returning(DreamRow, _STORE_NAME)
)
_SET_REASON = update(DreamRow).where(_THIS).values(reason=bindparam("why"))
_SET_SENT = update(DreamRow).where(_THIS).values(sent_at=func.now())
_RELEASE = (
    update(DreamRow)
    .where(_THIS, _OF_EPOCH, _ITS_STORE)
    .values(
        epoch=col(DreamRow.epoch) + 1,
        lease_until=case((bindparam("is_planned", type_=Boolean), _HANDED_OVER), else_=func.now()),
    )
    .returning(DreamRow, _STORE_NAME)
)
_SNOOZE = (
    update(DreamRow)
    .where(_THIS, _IS_ACTIVE)
    .values(
        epoch=col(DreamRow.epoch) + 1,
        lease_until=None,
        snoozed_at=func.now(),
        next_attempt_at=func.now() + bindparam("pause", type_=Interval),
        snooze_count=bindparam("snoozes"),
        reason=bindparam("why"),
    )
)
_WAKE = update(DreamRow).where(_THIS, _IS_ACTIVE, _IS_SNOOZED).values(next_attempt_at=bindparam("at"))
_REQUEST_CANCEL = (
    update(DreamRow)
    .where(_THIS)
    .values(
        cancel_requested_at=func.now(),
        next_attempt_at=case((_IS_SNOOZED, func.least(col(DreamRow.next_attempt_at), func.now()))),
    )
)
_RECALL: ColumnElement[Any] = literal_column("'{recall}'::text[]")
_ADD_RECALL = (
    update(DreamRow)
    .where(_THIS, col(DreamRow.summary).is_not(None))
    .values(
        summary=func.jsonb_set(
            col(DreamRow.summary),
            _RECALL,
            func.jsonb_concat(
                func.coalesce(col(DreamRow.summary)["recall"], literal_column("'{}'::jsonb")),
                bindparam("more", type_=JSONB),
            ),
        )
    )
)
_BEFORE = bindparam("before", type_=Text)
_ITS_MOMENT = select(col(DreamRow.created_at)).where(_MINE, col(DreamRow.id) == _BEFORE).scalar_subquery()
_FILTERS: dict[str, ColumnElement[bool]] = {
    "store": col(DreamRow.store_id) == bindparam("store"),
    "states": col(DreamRow.state) == any_(bindparam("states", type_=ARRAY(Text))),
    "triggers": col(DreamRow.trigger) == any_(bindparam("triggers", type_=ARRAY(Text))),
    "before": tuple_(col(DreamRow.created_at), col(DreamRow.id)) < tuple_(_ITS_MOMENT, _BEFORE),
    "since": col(DreamRow.created_at) >= bindparam("since"),
    "until": col(DreamRow.created_at) < bindparam("until"),
}


@cache
def _recent(filters: frozenset[str]) -> Select[*tuple[Any, ...]]:
    """Return the query with these filters, which is built once."""
    query = _ALL.where(_MINE, *(condition for name, condition in _FILTERS.items() if name in filters))
    return query.order_by(col(DreamRow.created_at).desc(), col(DreamRow.id).desc()).limit(bindparam("limit"))


_OF_GATES = "twice a dream, and with each check of a store"
#: The lists that gates read, by their filters.
_RECENT_FOR_GATES = {
    frozenset(filters): Fixed(name, _recent(frozenset(filters)), reason=_OF_GATES)
    for name, filters in (("dreams.find_of_store", ("store", "states")), ("dreams.find_of_tenant", ("states",)))
}


class PostgresDreamRepository:
    """Implements `DreamRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def add(self, store_id: str, *, trigger: Trigger, force: bool, dry_run: bool, batch: bool = False) -> Dream:
        """Insert a queued dream. The partial unique index refuses a second active one."""
        dream_id = new_id("drm")
        values = {
            "id": dream_id,
            "tenant_id": self._tenant_id,
            "store_id": store_id,
            "state": DreamState.QUEUED,
            "trigger": trigger,
            "is_forced": force,
            "is_dry_run": dry_run,
            "is_batched": batch,
        }
        try:
            with self._connection.begin_nested():
                execute(self._connection, insert(DreamRow), values)
        except IntegrityError as error:
            msg = "This store already has an active dream"
            raise ConflictError(msg) from error
        return self.get(dream_id)

    def get(self, dream_id: str, *, lock: bool = False) -> Dream:
        """Return a dream; with `lock`, hold its row."""
        row = fetch_one(self._connection, _LOCK if lock else _GET, self._this(dream_id))
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no dream {dream_id!r}"
            raise NotFoundError(msg)
        return dream_from(row)

    def find_recent(
        self,
        *,
        store_id: str | None = None,
        states: Collection[DreamState] = (),
        triggers: Collection[Trigger] = (),
        limit: int,
        before: str | None = None,
        period: Period = ALWAYS,
    ) -> list[Dream]:
        """Return dreams, newest first."""
        wanted: dict[str, Any] = {"store": store_id, "states": [*states], "triggers": [*triggers], "before": before}
        wanted |= {"since": period.since, "until": period.until}
        given = {name: value for name, value in wanted.items() if value}
        names = frozenset(given)
        query = _RECENT_FOR_GATES.get(names) or _recent(names)
        rows = fetch(self._connection, query, given | {"tenant": self._tenant_id, "limit": limit})
        return [dream_from(row) for row in rows]

    def set_reason(self, dream_id: str, reason: str) -> None:
        """Set the reason that a dream shows until its end."""
        execute(self._connection, _SET_REASON, self._this(dream_id) | {"why": reason})

    def claim(
        self, dream_id: str, *, budget_seconds: float, lease_seconds: float, model: str, refusal: str = ""
    ) -> Dream | None:
        """Claim a queued dream, or a running one whose lease lapsed or snooze is over, under a new epoch."""
        terms = {
            "budget": timedelta(seconds=budget_seconds),
            "lease": timedelta(seconds=lease_seconds),
            "of_model": model,
            "refusal": refusal,
        }
        row = fetch_one(self._connection, _CLAIM, self._this(dream_id) | terms)
        return None if row is None else dream_from(row)

    def fence(self, dream_id: str, epoch: int, lease_seconds: float) -> Dream:
        """Renew the lease. Raises LostLeaseError when it is lost. Every write of a phase begins with this update."""
        terms = {
            "of_epoch": epoch,
            "lease": timedelta(seconds=lease_seconds),
            "idle": f"{lease_seconds * 1000:.0f}",
        }
        return _mine_or_lost(fetch_one(self._connection, _FENCE, self._this(dream_id) | terms), dream_id, epoch)

    def release(self, dream_id: str, epoch: int, *, is_planned: bool) -> Dream:
        """End the lease of a dream and its epoch, so that a stuck thread that wakes up writes nothing."""
        terms = {"of_epoch": epoch, "is_planned": is_planned}
        return _mine_or_lost(fetch_one(self._connection, _RELEASE, self._this(dream_id) | terms), dream_id, epoch)

    def snooze(self, dream_id: str, *, seconds: float, reason: str, snoozes: int) -> None:
        """Snooze a dream: it has no lease, and a new epoch."""
        terms = {"pause": timedelta(seconds=seconds), "why": reason, "snoozes": snoozes}
        execute(self._connection, _SNOOZE, self._this(dream_id) | terms)

    def wake_at(self, dream_id: str, at: datetime) -> None:
        """Change the wake-up time of a sleeping dream."""
        execute(self._connection, _WAKE, self._this(dream_id) | {"at": at})

    def set_sent(self, dream_id: str) -> None:
        """Record that the dream's task was handed to the broker just now."""
        execute(self._connection, _SET_SENT, self._this(dream_id))

    def finish(
        self,
        dream_id: str,
        state: DreamState,
        *,
        reason: str,
        summary: DreamSummary | None = None,
        before: dict[str, Any] | None = None,
        has_failed: bool = False,
    ) -> None:
        """End a dream, and queue the messages to the tenant's webhooks in the same transaction.

        A redone dream gets its earlier final state back, without a second webhook.
        """
        from shared.adapters.postgres.webhooks.deliveries import announce_end  # noqa: PLC0415 - brings the webhooks' tables

        current = self.get(dream_id, lock=True)
        check_transition(current.state, state)
        values: dict[str, Any] = {"state": state, "reason": reason, "lease_until": None, "next_attempt_at": None}
        if before is not None:
            values["before"] = before
        if has_failed:
            values["has_failed"] = True
        if summary is not None:
            values["summary"] = summary_json(summary)
        if current.finished_at is None:
            values["finished_at"] = func.now()
        execute(self._connection, update(DreamRow).where(_THIS).values(values), self._this(dream_id))
        if current.state is not DreamState.UNDONE:
            announce_end(self._connection, current, state, summary, has_failed=has_failed)

    def add_recall(self, dream_id: str, kind: ProbeKind, recall: Recall) -> None:
        """Add to the summary of an ended dream the recall of one kind of questions."""
        execute(self._connection, _ADD_RECALL, self._this(dream_id) | {"more": {kind: asdict(recall)}})

    def request_cancel(self, dream_id: str) -> None:
        """Ask a dream to stop between two steps; a snoozed one is woken."""
        execute(self._connection, _REQUEST_CANCEL, self._this(dream_id))

    def _this(self, dream_id: str) -> dict[str, Any]:
        return {"tenant": self._tenant_id, "dream": dream_id}


def _mine_or_lost(row: Row | None, dream_id: str, epoch: int) -> Dream:
    if row is None:
        msg = f"Epoch {epoch} no longer owns dream {dream_id}: another worker took it over, or it has ended"
        raise LostLeaseError(msg)
    return dream_from(row)
