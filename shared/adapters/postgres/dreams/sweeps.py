"""The few questions that cross tenants, each one a function that the application role may only execute.

The gates' facts of many stores in one round trip, and the verdicts of many in another.

How many dreams of all tenants run, and who is next: functions that the application role may only execute.
"""

from collections.abc import Iterable, Sequence

import orjson
from sqlalchemy import Connection, Engine, RowMapping, text

from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.mapping import STORES, TENANTS, store_from, tenant_from, verdict_json
from shared.core.dream.model import Trigger
from shared.core.gates.quarantine import EndedDream
from shared.ports.database import Measured, StalledDream
from shared.ports.stores import DueStore, ShutVerdict, StoreState

_MEASURE = text(
    "SELECT name, state, value FROM slowwave_measure() UNION ALL"
    " SELECT 'slowwave_quarantined_stores', '', slowwave_count_quarantined_stores()"
)
_CLAIMS = {
    upkeep: text(f"SELECT tenant_id, store_name, due_at FROM slowwave_claim_due_{what}(:limit, :hold)")  # noqa: S608 - a word of this line
    for upkeep, what in ((None, "stores"), (Trigger.DIGEST, "digests"), (Trigger.COMPACTION, "compactions"))
}


class PostgresSweepRepository:
    """Implements `SweepRepository`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim_due_stores(self, limit: int, hold_seconds: float, upkeep: Trigger | None = None) -> list[DueStore]:
        """Return due stores, oldest first, and hide them from other sweeps for about `hold_seconds`."""
        with open_transaction(self._engine) as connection:
            rows = connection.execute(_CLAIMS[upkeep], {"limit": limit, "hold": hold_seconds})
            return [DueStore(tenant_id=row[0], store=row[1], due_at=row[2]) for row in rows]

    def read_states(self, due: Sequence[DueStore], *, ended: int) -> list[StoreState]:
        """Return what the gates look at, with at most so many ended dreams of each store."""
        with open_transaction(self._engine) as connection:
            return read_states(connection, due, ended=ended)

    def keep_verdicts(self, shut: Sequence[ShutVerdict]) -> set[str]:
        """Keep verdicts on the stores that nobody wrote or holds since they were read; return those stores' ids."""
        with open_transaction(self._engine) as connection:
            return keep_verdicts(connection, shut)

    def release(self, due: Sequence[DueStore]) -> None:
        """Give claimed stores their place in the line again."""
        with open_transaction(self._engine) as connection:
            release(connection, due)

    def find_stalled_dreams(self, limit: int, unsent_seconds: float) -> list[StalledDream]:
        """Return running dreams with a lapsed lease and queued ones not picked up."""
        with open_transaction(self._engine) as connection:
            query = text("SELECT tenant_id, dream_id FROM slowwave_find_stalled_dreams(:limit, :unsent)")
            rows = connection.execute(query, {"limit": limit, "unsent": unsent_seconds})
            return [StalledDream(tenant_id=row[0], dream_id=row[1]) for row in rows]

    def count_active_dreams(self) -> int:
        """Return how many dreams are queued or running."""
        with open_transaction(self._engine) as connection:
            return int(connection.execute(text("SELECT slowwave_count_active_dreams()")).scalar_one())

    def find_tenants(self, *, after: str = "", limit: int | None = None, holding: str = "") -> list[str]:
        """Return the ids of tenants in their order."""
        query = text("SELECT tenant_id FROM slowwave_list_tenants(:after, :limit, :holding)")
        with open_transaction(self._engine) as connection:
            rows = connection.execute(query, {"after": after, "limit": limit, "holding": holding})
            return list(rows.scalars())

    def measure(self) -> list[Measured]:
        """Return the gauges of the metrics."""
        with open_transaction(self._engine) as connection:
            rows = connection.execute(_MEASURE)
            return [Measured(name=row[0], state=row[1], value=float(row[2])) for row in rows]

    def claim_tenants_to_purge(self, limit: int, every_seconds: float) -> list[str]:
        """Return tenants whose last purge is `every_seconds` ago, longest ago first; it counts as done now."""
        with open_transaction(self._engine) as connection:
            query = text("SELECT tenant_id FROM slowwave_claim_tenants_to_purge(:limit, :every)")
            return list(connection.execute(query, {"limit": limit, "every": every_seconds}).scalars())


_COLUMNS = [f"(f.store).{c.name} AS store_{c.name}" for c in STORES.c]
_COLUMNS += [f"(f.tenant).{c.name} AS tenant_{c.name}" for c in TENANTS.c]
_OTHERS = "f.version, f.has_failed, f.reasons, f.active_dream, f.tenant_dreams, f.tokens_today, now() AS at"
_READ = text(
    f"SELECT {', '.join(_COLUMNS)}, {_OTHERS} FROM slowwave_read_stores(:tenants, :stores, :ended) f"  # noqa: S608 - columns of our own tables
)
_KEEP = text(
    "SELECT slowwave_record_verdicts(:tenants, :ids, :versions, CAST(:verdicts AS jsonb[]), CAST(:next AS timestamptz[]),"
    " :full)"
)

_GIVE_BACK = text("SELECT slowwave_release_due_stores(:tenants, :stores, CAST(:due_at AS timestamptz[]))")


def read_states(connection: Connection, due: Sequence[DueStore], *, ended: int) -> list[StoreState]:
    """Return the stores that exist, in no order."""
    values = {"tenants": [one.tenant_id for one in due], "stores": [one.store for one in due], "ended": ended}
    return [_state_from(row) for row in connection.execute(_READ, values).mappings()]


def keep_verdicts(connection: Connection, shut: Sequence[ShutVerdict]) -> set[str]:
    """Keep the verdicts of the stores that are as they were; return those stores' ids."""
    values = {
        "tenants": [one.tenant_id for one in shut],
        "ids": [one.store_id for one in shut],
        "versions": [one.version for one in shut],
        "verdicts": [orjson.dumps(verdict_json(one.verdict)).decode() for one in shut],
        "next": [one.next_check_at for one in shut],
        "full": [one.is_full_check for one in shut],
    }
    return set(connection.execute(_KEEP, values).scalars())


def release(connection: Connection, due: Sequence[DueStore]) -> None:
    """Have stores due since when they were due before the claim; one that is held or was moved meanwhile stays."""
    values = {
        "tenants": [one.tenant_id for one in due],
        "stores": [one.store for one in due],
        "due_at": [one.due_at for one in due],
    }
    connection.execute(_GIVE_BACK, values)


def _state_from(row: RowMapping) -> StoreState:
    return StoreState(
        store=store_from({c.name: row[f"store_{c.name}"] for c in STORES.c} | {"last_verdict": None}),
        tenant=tenant_from({c.name: row[f"tenant_{c.name}"] for c in TENANTS.c}),
        version=row["version"],
        at=row["at"],
        ended=_ended(row["has_failed"] or (), row["reasons"] or ()),
        active_dream=row["active_dream"],
        tenant_dreams=row["tenant_dreams"],
        tokens_today=row["tokens_today"],
    )


def _ended(failed: Iterable[bool], reasons: Iterable[str]) -> tuple[EndedDream, ...]:
    return tuple(EndedDream(has_failed=one, reason=why) for one, why in zip(failed, reasons, strict=True))


class PostgresAdmissionRepository:
    """Implements `AdmissionRepository`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def count_running(self) -> int:
        """Return how many dreams run and are awake."""
        with open_transaction(self._engine) as connection:
            return int(connection.execute(text("SELECT slowwave_count_running_dreams()")).scalar_one())

    def find_next(self, slots: int) -> list[StalledDream]:
        """Return the dreams that may begin or go on now, as many as are wanting for `slots` of them to run."""
        with open_transaction(self._engine) as connection:
            query = text("SELECT tenant_id, dream_id FROM slowwave_find_next_dreams(:slots)")
            return [
                StalledDream(tenant_id=row[0], dream_id=row[1]) for row in connection.execute(query, {"slots": slots})
            ]
