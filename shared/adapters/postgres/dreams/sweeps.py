"""Queries across tenants: functions of the schema, which the application's role may only execute.

Sweeps claim due stores, read the facts for the gates of many at once, and store their verdicts; admission counts the
running dreams of all tenants and finds the next ones.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from sqlalchemy import (
    INTEGER,
    Boolean,
    Double,
    Engine,
    Select,
    Text,
    bindparam,
    cast,
    func,
    literal,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import SQLModel

from shared.adapters.postgres.sql.statements import Expression, Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.mapping import store_from, tenant_from, verdict_json
from shared.adapters.postgres.tables.stores import Moment, StoreRow, TenantRow
from shared.core.dream.model import Trigger
from shared.core.gates.quarantine import EndedDream
from shared.ports.database import Measured, StalledDream
from shared.ports.stores import DueStore, ShutVerdict, StoreState

_LIMIT, _HOLD = bindparam("limit", type_=INTEGER), bindparam("hold", type_=Double)
_TENANTS, _STORES = bindparam("tenants", type_=ARRAY(Text)), bindparam("stores", type_=ARRAY(Text))
_DUE_AT = bindparam("due_at", type_=ARRAY(Moment))
_DUE_COLUMNS = ("tenant_id", "store_name", "due_at")
_CLAIM_DUE = {
    None: select(func.slowwave_claim_due_stores(_LIMIT, _HOLD).table_valued(*_DUE_COLUMNS)),
    Trigger.DIGEST: select(func.slowwave_claim_due_digests(_LIMIT, _HOLD).table_valued(*_DUE_COLUMNS)),
    Trigger.COMPACTION: select(func.slowwave_claim_due_compactions(_LIMIT, _HOLD).table_valued(*_DUE_COLUMNS)),
}
_FIND_STALLED = select(
    func.slowwave_find_stalled_dreams(_LIMIT, bindparam("unsent")).table_valued("tenant_id", "dream_id")
)
_FIND_NEXT = select(func.slowwave_find_next_dreams(bindparam("slots")).table_valued("tenant_id", "dream_id"))
_COUNT_ACTIVE = select(func.slowwave_count_active_dreams(bindparam("slots")))
_COUNT_RUNNING = select(func.slowwave_count_running_dreams())
_LIST_TENANTS = select(
    func.slowwave_list_tenants(bindparam("after"), _LIMIT, bindparam("holding")).table_valued("tenant_id")
)
_CLAIM_PURGES = select(func.slowwave_claim_tenants_to_purge(_LIMIT, bindparam("every")).table_valued("tenant_id"))
_QUARANTINED = "slowwave_quarantined_stores"
_MEASURE = select(func.slowwave_measure().table_valued("name", "state", "value")).union_all(
    select(literal(_QUARANTINED), literal(""), func.slowwave_count_quarantined_stores())
)
_KEEP_VERDICTS = select(
    func.slowwave_record_verdicts(
        _TENANTS,
        bindparam("ids", type_=ARRAY(Text)),
        bindparam("versions", type_=ARRAY(Text)),
        cast(bindparam("verdicts", type_=ARRAY(Text)), ARRAY(JSONB)),
        bindparam("next", type_=ARRAY(Moment)),
        bindparam("full", type_=ARRAY(Boolean)),
    )
)
_RELEASE = select(func.slowwave_release_due_stores(_TENANTS, _STORES, _DUE_AT))


def _fields(composite: str, row: type[SQLModel]) -> list[Any]:
    """Return the fields of a whole row that a function returns, which SQLAlchemy has no expression for."""
    return [literal_column(f"(found.{composite}).{name}").label(f"{composite}_{name}") for name in row.model_fields]


def _reading() -> Select[*tuple[Any, ...]]:
    plain = ("version", "has_failed", "reasons", "active_dream", "tenant_dreams", "tokens_today")
    found = func.slowwave_read_stores(_TENANTS, _STORES, bindparam("ended", type_=INTEGER)).table_valued(
        *plain, name="found"
    )
    columns = (*_fields("store", StoreRow), *_fields("tenant", TenantRow), func.now().label("at"))
    return select(*(found.c[name] for name in plain), *columns)


_READ_STATES = _reading()


class PostgresSweepRepository:
    """Implements `SweepRepository`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim_due_stores(self, limit: int, hold_seconds: float, upkeep: Trigger | None = None) -> list[DueStore]:
        """Return due stores, oldest first, and hide them from other sweeps for about `hold_seconds`."""
        rows = self._fetch(_CLAIM_DUE[upkeep], limit=limit, hold=hold_seconds)
        return [DueStore(tenant_id=row["tenant_id"], store=row["store_name"], due_at=row["due_at"]) for row in rows]

    def read_states(self, due: Sequence[DueStore], *, ended: int) -> list[StoreState]:
        """Return the facts for the gates, in no order, with a limited number of ended dreams of each existing store."""
        tenants, stores = [one.tenant_id for one in due], [one.store for one in due]
        return [_state_from(row) for row in self._fetch(_READ_STATES, tenants=tenants, stores=stores, ended=ended)]

    def keep_verdicts(self, shut: Sequence[ShutVerdict]) -> set[str]:
        """Store the verdicts of stores that are unchanged and not locked; return their ids."""
        values = {
            "tenants": [one.tenant_id for one in shut],
            "ids": [one.store_id for one in shut],
            "versions": [one.version for one in shut],
            "verdicts": [orjson.dumps(verdict_json(one.verdict)).decode() for one in shut],
            "next": [one.next_check_at for one in shut],
            "full": [one.is_full_check for one in shut],
        }
        with open_transaction(self._engine) as connection:
            return {row[0] for row in fetch_tuples(connection, _KEEP_VERDICTS, values)}

    def release(self, due: Sequence[DueStore]) -> None:
        """Make claimed stores due again at their earlier times, except those that are held or were changed meanwhile."""
        values = {
            "tenants": [one.tenant_id for one in due],
            "stores": [one.store for one in due],
            "due_at": [one.due_at for one in due],
        }
        with open_transaction(self._engine) as connection:
            execute(connection, _RELEASE, values)

    def find_stalled_dreams(self, limit: int, unsent_seconds: float) -> list[StalledDream]:
        """Return running dreams with a lapsed lease, and queued ones that no worker has claimed."""
        rows = self._fetch(_FIND_STALLED, limit=limit, unsent=unsent_seconds)
        return [StalledDream(tenant_id=row["tenant_id"], dream_id=row["dream_id"]) for row in rows]

    def count_active_dreams(self, slots: int) -> int:
        """Return the number of slots that queued or running dreams take."""
        return _count(self._engine, _COUNT_ACTIVE, slots=slots)

    def find_tenants(self, *, after: str = "", limit: int | None = None, holding: str = "") -> list[str]:
        """Return the ids of tenants in their order."""
        return [row["tenant_id"] for row in self._fetch(_LIST_TENANTS, after=after, limit=limit, holding=holding)]

    def measure(self) -> list[Measured]:
        """Return the gauges of the metrics."""
        rows = self._fetch(_MEASURE)
        return [Measured(name=row["name"], state=row["state"], value=float(row["value"])) for row in rows]

    def claim_tenants_to_purge(self, limit: int, every_seconds: float) -> list[str]:
        """Return tenants whose last purge is `every_seconds` ago, longest ago first; it counts as done now."""
        return [row["tenant_id"] for row in self._fetch(_CLAIM_PURGES, limit=limit, every=every_seconds)]

    def _fetch(self, query: Expression, **values: object) -> Sequence[Row]:
        with open_transaction(self._engine) as connection:
            return fetch(connection, query, values)


class PostgresAdmissionRepository:
    """Implements `AdmissionRepository`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def count_running(self) -> int:
        """Return the number of running dreams that are not snoozed."""
        return _count(self._engine, _COUNT_RUNNING)

    def find_next(self, slots: int) -> list[StalledDream]:
        """Return the dreams that may begin or continue now, up to the free `slots`."""
        with open_transaction(self._engine) as connection:
            rows = fetch(connection, _FIND_NEXT, {"slots": slots})
        return [StalledDream(tenant_id=row["tenant_id"], dream_id=row["dream_id"]) for row in rows]


def _count(engine: Engine, query: Expression, **values: object) -> int:
    with open_transaction(engine) as connection:
        return int(fetch_tuples(connection, query, values)[0][0])


def _state_from(row: Row) -> StoreState:
    return StoreState(
        store=store_from({name: row[f"store_{name}"] for name in StoreRow.model_fields} | {"last_verdict": None}),
        tenant=tenant_from({name: row[f"tenant_{name}"] for name in TenantRow.model_fields}),
        version=row["version"],
        at=row["at"],
        ended=_ended(row["has_failed"] or (), row["reasons"] or ()),
        active_dream=row["active_dream"],
        tenant_dreams=row["tenant_dreams"],
        tokens_today=row["tokens_today"],
    )


def _ended(failed: Iterable[bool], reasons: Iterable[str]) -> tuple[EndedDream, ...]:
    return tuple(EndedDream(has_failed=one, reason=why) for one, why in zip(failed, reasons, strict=True))
