"""Dreams in PostgreSQL: the claim, the fence and the end. All times are the database's."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    case,
    func,
    insert,
    update,
)
from sqlalchemy.exc import IntegrityError
from ulid import ULID

from shared.adapters.postgres.sql.statements import Prepared
from shared.adapters.postgres.tables.mapping import DREAMS, STORES, Row, dream_from, summary_json
from shared.adapters.postgres.webhooks.deliveries import announce_end
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, DreamSummary, Trigger, check_transition
from shared.core.errors import ConflictError, LostLeaseError, NotFoundError
from shared.core.listings.period import ALWAYS, Period

#: The lease of a dream that its worker handed over on purpose: whoever claims it does not rescue it.
_HANDED_OVER = datetime(1970, 1, 1, tzinfo=UTC)
_FENCE = Prepared(
    "UPDATE dreams d SET lease_until = now() + make_interval(secs => %(seconds)s) FROM stores s"
    " WHERE d.tenant_id = %(tenant)s AND d.id = %(dream)s AND d.epoch = %(epoch)s AND d.state = 'running'"
    " AND s.id = d.store_id RETURNING d.*, s.name AS store,"
    # A worker that stands still in a fenced transaction holds the dream's row, for as long as its lease and no longer.
    " set_config('idle_in_transaction_session_timeout', (%(seconds)s * 1000)::integer::text, true)"
)
_GET = [
    Prepared(
        "SELECT d.*, s.name AS store FROM dreams d JOIN stores s ON s.id = d.store_id"
        " WHERE d.tenant_id = %(tenant)s AND d.id = %(dream)s",
        lock,
    )
    for lock in ("", " FOR NO KEY UPDATE OF d")
]


#: A sleeping one when its snooze is over, a running one when its lease lapsed, a queued one at once.
#:
#: An epoch is at least a thousand for every minute of the dream's age: after the restore of an older backup none comes
#: again that a message, or a worker, of the time that is lost may still name.
_CLAIM = Prepared(
    "UPDATE dreams d SET state = 'running', epoch = greatest(d.epoch + 1,"
    " (1000 * least(floor(extract(epoch FROM now() - d.created_at) / 60), 2000000))::integer),"
    " rescue_count = d.rescue_count"
    " + (d.state = 'running' AND d.next_attempt_at IS NULL AND coalesce(d.lease_until > %(handed_over)s, false))::int,"
    " started_at = coalesce(d.started_at, now()),"
    " deadline_at = coalesce(d.deadline_at + coalesce(now() - d.snoozed_at, '0'), now() + make_interval(secs => %(budget)s)),"
    " next_attempt_at = NULL, snoozed_at = NULL,"
    " reason = CASE WHEN d.next_attempt_at IS NOT NULL THEN '' ELSE d.reason END,"
    " lease_until = now() + make_interval(secs => %(lease)s), model = coalesce(nullif(d.model, ''), %(model)s)"
    " FROM stores s WHERE s.id = d.store_id AND d.tenant_id = %(tenant)s AND d.id = %(dream)s"
    " AND d.state IN ('queued', 'running') AND CASE WHEN d.next_attempt_at IS NOT NULL THEN d.next_attempt_at <= now()"
    " WHEN d.state = 'running' THEN d.lease_until < now() ELSE true END RETURNING d.*, s.name AS store"
)
_FILTERS = {
    "store": " AND d.store_id = %(store)s",
    "states": " AND d.state = ANY(%(states)s)",
    "triggers": " AND d.trigger = ANY(%(triggers)s)",
    "before": " AND (d.created_at, d.id) < ((SELECT created_at FROM dreams WHERE tenant_id = %(tenant)s"
    " AND id = %(before)s), %(before)s)",
    "since": " AND d.created_at >= %(since)s",
    "until": " AND d.created_at < %(until)s",
}


@cache
def _recent(filters: frozenset[str]) -> Prepared:
    return Prepared(
        "SELECT d.*, s.name AS store FROM dreams d JOIN stores s ON s.id = d.store_id WHERE d.tenant_id = %(tenant)s",
        *(text for name, text in _FILTERS.items() if name in filters),
        " ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s",
    )


def _ends(period: Period) -> dict[str, datetime | None]:
    return {"since": period.since, "until": period.until}


class PostgresDreamRepository:
    """Implements `DreamRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    @property
    def _mine(self) -> ColumnElement[bool]:
        return DREAMS.c.tenant_id == self._tenant_id  # type: ignore[no-any-return] # `table` gives Any

    def add(self, store_id: str, *, trigger: Trigger, force: bool, dry_run: bool) -> Dream:
        """Insert a queued dream. The partial unique index refuses a second active one."""
        dream_id = f"drm_{ULID()}"
        values = {
            "id": dream_id,
            "tenant_id": self._tenant_id,
            "store_id": store_id,
            "state": DreamState.QUEUED,
            "trigger": trigger,
            "is_forced": force,
            "is_dry_run": dry_run,
        }
        try:
            with self._connection.begin_nested():
                self._connection.execute(insert(DREAMS).values(values))
        except IntegrityError as error:
            msg = "Another dream of this store is active"
            raise ConflictError(msg) from error
        return self.get(dream_id)

    def get(self, dream_id: str, *, lock: bool = False) -> Dream:
        """Return a dream."""
        row = _GET[lock].find(self._connection, {"tenant": self._tenant_id, "dream": dream_id})
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
        wanted = {"store": store_id, "states": list(states), "triggers": list(triggers), "before": before}
        given = {name: value for name, value in {**wanted, **_ends(period)}.items() if value}
        rows = _recent(frozenset(given)).find_all(
            self._connection, given | {"tenant": self._tenant_id, "limit": limit}
        )  # fmt: skip
        return [dream_from(row) for row in rows]

    def set_reason(self, dream_id: str, reason: str) -> None:
        """Say why a dream is as it is; its end says it anew."""
        self._connection.execute(update(DREAMS).where(self._mine, DREAMS.c.id == dream_id).values(reason=reason))

    def claim(self, dream_id: str, *, budget_seconds: float, lease_seconds: float, model: str) -> Dream | None:
        """Take a queued dream, or a running one whose lease lapsed or snooze is over, with a new epoch."""
        terms = {"budget": budget_seconds, "lease": lease_seconds, "model": model, "handed_over": _HANDED_OVER}
        row = _CLAIM.find(self._connection, {"tenant": self._tenant_id, "dream": dream_id} | terms)
        return None if row is None else dream_from(row)

    def fence(self, dream_id: str, epoch: int, lease_seconds: float) -> Dream:
        """Renew the lease, or find out that it is lost. Every write of a phase begins with this update."""
        values = {"tenant": self._tenant_id, "dream": dream_id, "epoch": epoch, "seconds": lease_seconds}
        return _mine_or_lost(_FENCE.find(self._connection, values), dream_id, epoch)

    def release(self, dream_id: str, epoch: int, *, is_planned: bool) -> Dream:
        """Give a dream up: its lease is over, and its epoch, so that a stuck thread that wakes up writes nothing."""
        until = _HANDED_OVER if is_planned else func.now()
        return self._update_mine(dream_id, epoch, {"epoch": DREAMS.c.epoch + 1, "lease_until": until})

    def snooze(self, dream_id: str, *, seconds: float, reason: str, snoozes: int) -> None:
        """Put a dream to sleep without lease and under a new epoch."""
        statement = update(DREAMS).where(self._mine, DREAMS.c.id == dream_id, DREAMS.c.state.in_(ACTIVE_STATES))
        self._connection.execute(
            statement.values(
                epoch=DREAMS.c.epoch + 1,
                lease_until=None,
                snoozed_at=func.now(),
                next_attempt_at=func.now() + timedelta(seconds=seconds),
                snooze_count=snoozes,
                reason=reason,
            ),
        )

    def wake_at(self, dream_id: str, at: datetime) -> None:
        """Have a sleeping dream go on at another time."""
        is_asleep = DREAMS.c.next_attempt_at.is_not(None) & DREAMS.c.state.in_(ACTIVE_STATES)
        self._connection.execute(
            update(DREAMS).where(self._mine, DREAMS.c.id == dream_id, is_asleep).values(next_attempt_at=at)
        )

    def set_sent(self, dream_id: str) -> None:
        """Remember that the dream's task was handed to the broker just now."""
        self._connection.execute(update(DREAMS).where(self._mine, DREAMS.c.id == dream_id).values(sent_at=func.now()))

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
        """End a dream, and tell the tenant's webhooks of it in the same transaction."""
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
        self._connection.execute(update(DREAMS).where(self._mine, DREAMS.c.id == dream_id).values(values))
        announce_end(self._connection, current, state, summary)

    def request_cancel(self, dream_id: str) -> None:
        """Ask a dream to stop between two steps; one that sleeps is woken for it."""
        statement = update(DREAMS).where(self._mine, DREAMS.c.id == dream_id)
        woken = case((DREAMS.c.next_attempt_at.is_not(None), func.least(DREAMS.c.next_attempt_at, func.now())))
        self._connection.execute(statement.values(cancel_requested_at=func.now(), next_attempt_at=woken))

    def _update_mine(self, dream_id: str, epoch: int, values: dict[str, Any]) -> Dream:
        """Update a dream that is this epoch's and return it, in one round trip."""
        statement = update(DREAMS).where(
            self._mine,
            DREAMS.c.id == dream_id,
            DREAMS.c.epoch == epoch,
            DREAMS.c.state == DreamState.RUNNING,
            STORES.c.id == DREAMS.c.store_id,
        )
        done = self._connection.execute(statement.values(values).returning(DREAMS, STORES.c.name.label("store")))
        return _mine_or_lost(done.mappings().first(), dream_id, epoch)


def _mine_or_lost(row: Row | None, dream_id: str, epoch: int) -> Dream:
    if row is None:
        msg = f"Dream {dream_id} is no longer epoch {epoch}'s; another worker took over or it has ended"
        raise LostLeaseError(msg)
    return dream_from(row)
