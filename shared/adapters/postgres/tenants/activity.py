"""Activity of stores in PostgreSQL. Counts are added in the database, so that concurrent writers never lose one."""

from datetime import datetime, timedelta
from typing import Any, LiteralString

from sqlalchemy import ColumnElement, Connection, func, update

from shared.adapters.postgres.sql.statements import tell
from shared.adapters.postgres.tables.mapping import STORES, verdict_json
from shared.core.dream.model import Trigger
from shared.core.gates.jitter import wait_with_jitter
from shared.core.policy.profiles import PROFILES
from shared.core.tenants.store import Verdict
from shared.core.upkeep.due import decide_switched_on

#: A store is looked at once its agent has been quiet for this long; every write of a burst would be too often.
QUIET = timedelta(seconds=120)
#: A later time of the next check stands for a reason (too recent, throttled), an earlier one is about to be checked.
#: Upkeep is due where it is on and has no time yet.
_RECORD: LiteralString = """
    UPDATE stores SET curations = curations + %(curations)s, sessions = sessions + %(sessions)s,
        last_activity_at = now(), next_check_at = coalesce(next_check_at, now() + %(wait)s),
        digest_check_at = CASE
            WHEN coalesce((overrides->>'digest.enabled')::boolean, profile = ANY(%(digest_on)s))
            THEN coalesce(digest_check_at, now() + %(digest_wait)s) ELSE digest_check_at END,
        compaction_check_at = CASE
            WHEN coalesce((overrides->>'compaction.enabled')::boolean, profile = ANY(%(compaction_on)s))
            THEN coalesce(compaction_check_at, now() + %(compaction_wait)s) ELSE compaction_check_at END
    WHERE tenant_id = %(tenant)s AND id = %(store)s"""
#: For upkeep a store with activity is looked at once in so long, however often it is written to.
_UPKEEP_PAUSE = {Trigger.DIGEST: timedelta(hours=1), Trigger.COMPACTION: timedelta(days=1)}
_UPKEEP_ON = {
    f"{trigger}_on": [name for name, policy in PROFILES.items() if decide_switched_on(policy, trigger)]
    for trigger in _UPKEEP_PAUSE
}


class PostgresActivityRepository:
    """Implements `ActivityRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    @property
    def _mine(self) -> ColumnElement[bool]:
        return STORES.c.tenant_id == self._tenant_id  # type: ignore[no-any-return] # `table` gives Any

    def record(self, store_id: str, *, curations: int = 0, sessions: int = 0) -> None:
        """Add activity and have the store checked once it has been quiet for a while."""
        values = {"tenant": self._tenant_id, "store": store_id, "curations": curations, "sessions": sessions}
        waits = {f"{trigger}_wait": wait_with_jitter(store_id, pause) for trigger, pause in _UPKEEP_PAUSE.items()}
        tell(self._connection, _RECORD, {**values, **waits, **_UPKEEP_ON, "wait": wait_with_jitter(store_id, QUIET)})

    def set_upkeep_check(self, store_id: str, trigger: Trigger, at: datetime | None) -> None:
        """Say when a store is looked at for a kind of upkeep."""
        statement = update(STORES).where(self._mine, STORES.c.id == store_id)
        self._connection.execute(statement.values({f"{trigger}_check_at": at}))

    def set_busy(self, store_id: str, *, pending_tasks: int, active_until: datetime | None) -> None:
        """Say what the store's agent is doing right now."""
        values = {"pending_tasks": pending_tasks, "active_until": active_until}
        self._connection.execute(update(STORES).where(self._mine, STORES.c.id == store_id).values(values))

    def consume(self, store_id: str, *, curations: int, sessions: int) -> None:
        """Subtract what a dream has read; what came in meanwhile stays."""
        self._connection.execute(
            update(STORES)
            .where(self._mine, STORES.c.id == store_id)
            .values(
                curations=func.greatest(0, STORES.c.curations - curations),
                sessions=func.greatest(0, STORES.c.sessions - sessions),
            ),
        )

    def record_verdict(
        self, store_id: str, verdict: Verdict, next_check_at: datetime | None, *, is_full_check: bool
    ) -> None:
        """Keep what a check found, and when to look again; a full check starts the scan throttle anew."""
        values: dict[str, Any] = {"last_verdict": verdict_json(verdict), "next_check_at": next_check_at}
        values["is_quarantined"] = verdict.gate == "quarantine"
        if is_full_check:
            values["last_check_at"] = verdict.at
        self._connection.execute(update(STORES).where(self._mine, STORES.c.id == store_id).values(values))
