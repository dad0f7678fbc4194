"""Questions of operators across tenants: functions of the schema, which the application's role may only execute."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import INTEGER, Double, Engine, Text, bindparam, func, select
from sqlmodel import col

from shared.adapters.postgres.revisions import compare
from shared.adapters.postgres.sql.statements import Expression, Row, fetch, raw_of
from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.stores import InstallationRow
from shared.ports.installation import BudgetShare, RankedTenant, SweepPass, TenantOrder

_LIMIT = bindparam("limit", type_=INTEGER)
_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_RANK = select(
    func.slowwave_rank_tenants(
        bindparam("order", type_=Text),
        bindparam("holding", type_=Text),
        bindparam("below", type_=Double),
        bindparam("after", type_=Text),
        _LIMIT,
    ).table_valued(*RankedTenant.__dataclass_fields__)
)
_OWNER = select(func.slowwave_find_owner_of_dream(bindparam("dream", type_=Text)).table_valued("tenant_id"))
_QUARANTINED = select(
    func.slowwave_list_quarantined_stores(_TENANT, _STORE, _LIMIT).table_valued("tenant_id", "store_name")
)
_RECENT = select(func.slowwave_measure_recent().table_valued("name", "state", "value"))
_BUDGETS = select(func.slowwave_measure_budgets().table_valued(*BudgetShare.__dataclass_fields__))
_SWEEPS = select(col(InstallationRow.sweeps))


class PostgresOperatorRepository:
    """Implements `OperatorRepository`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def check_schema(self) -> None:
        """Raise ConflictError, with what to do, if this code cannot use the schema of the database."""
        with open_transaction(self._engine) as connection:
            compare(raw_of(connection)).require()

    def rank_tenants(
        self, order: TenantOrder, *, start_after: tuple[float, str] | None, limit: int, holding: str = ""
    ) -> list[RankedTenant]:
        """Return tenants in an order, after a rank and an id."""
        below, after = start_after or (None, "")
        rows = self._fetch(_RANK, order=order.value, holding=holding, below=below, after=after, limit=limit)
        return [RankedTenant(**row) for row in rows]

    def find_owner_of_dream(self, dream_id: str) -> str | None:
        """Return the tenant of a dream."""
        return next((row["tenant_id"] for row in self._fetch(_OWNER, dream=dream_id)), None)

    def find_quarantined(self, *, start_after: tuple[str, str], limit: int) -> list[tuple[str, str]]:
        """Return (tenant, store) of the stores in quarantine, in their order."""
        tenant, store = start_after
        rows = self._fetch(_QUARANTINED, tenant=tenant, store=store, limit=limit)
        return [(row["tenant_id"], row["store_name"]) for row in rows]

    def measure_recent(self) -> dict[tuple[str, str], float]:
        """Return the values of alerts over a short time, by name and state."""
        return {(row["name"], row["state"]): float(row["value"]) for row in self._fetch(_RECENT)}

    def find_sweeps(self) -> list[SweepPass]:
        """Return the last pass of each sweep, by name."""
        (row,) = self._fetch(_SWEEPS)
        return [_pass_from(name, told) for name, told in sorted(row["sweeps"].items())]

    def find_budgets(self) -> list[BudgetShare]:
        """Return the budgets in dollars of all tenants, those of which most is spent first."""
        return [BudgetShare(**row) for row in self._fetch(_BUDGETS)]

    def _fetch(self, query: Expression, **values: object) -> Sequence[Row]:
        with open_transaction(self._engine) as connection:
            return fetch(connection, query, values)


def _pass_from(name: str, told: Row) -> SweepPass:
    error_at = told.get("error_at")
    return SweepPass(
        name=name,
        at=datetime.fromisoformat(told["at"]),
        seconds=float(told["seconds"]),
        found=int(told["found"]),
        acted=int(told["acted"]),
        failed=int(told["failed"]),
        error=told.get("error", ""),
        error_at=datetime.fromisoformat(error_at) if error_at else None,
    )
