"""The few questions that cross tenants, each one a function that the application role may only execute."""

from collections.abc import Sequence

from sqlalchemy import Engine, text

from shared.adapters.postgres import store_checks
from shared.adapters.postgres.transactions import open_transaction
from shared.core.dream import Trigger
from shared.ports.database import Measured, StalledDream
from shared.ports.store_check import DueStore, ShutVerdict, StoreState

_MEASURE = text(
    "SELECT name, state, value FROM slowwave_measure() UNION ALL"
    " SELECT 'slowwave_quarantined_stores', '', slowwave_count_quarantined_stores()"
)
_CLAIMS = {
    upkeep: text(f"SELECT tenant_id, store_name, due_at FROM slowwave_claim_due_{what}(:limit, :hold)")  # noqa: S608 - a word of this line
    for upkeep, what in ((None, "stores"), (Trigger.DIGEST, "digests"), (Trigger.COMPACTION, "compactions"))
}


class PostgresSweepQueries:
    """Implements `SweepQueries`."""

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
            return store_checks.read_states(connection, due, ended=ended)

    def keep_verdicts(self, shut: Sequence[ShutVerdict]) -> set[str]:
        """Keep verdicts on the stores that nobody wrote or holds since they were read; return those stores' ids."""
        with open_transaction(self._engine) as connection:
            return store_checks.keep_verdicts(connection, shut)

    def give_back(self, due: Sequence[DueStore]) -> None:
        """Give claimed stores their place in the line again."""
        with open_transaction(self._engine) as connection:
            store_checks.give_back(connection, due)

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
