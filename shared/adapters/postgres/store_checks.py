"""The gates' facts of many stores in one round trip, and the verdicts of many in another."""

from collections.abc import Iterable, Sequence

import orjson
from sqlalchemy import Connection, RowMapping, text

from shared.adapters.postgres.mapping import STORES, TENANTS, store_from, tenant_from, verdict_json
from shared.core.quarantine import EndedDream
from shared.ports.store_check import DueStore, ShutVerdict, StoreState

_COLUMNS = [f"(f.store).{c.name} AS store_{c.name}" for c in STORES.c]
_COLUMNS += [f"(f.tenant).{c.name} AS tenant_{c.name}" for c in TENANTS.c]
_OTHERS = "f.version, f.has_failed, f.reasons, f.active_dream, f.tenant_dreams, f.tokens_today, now() AS at"
_READ = text(
    f"SELECT {', '.join(_COLUMNS)}, {_OTHERS} FROM slowwave_read_stores(:tenants, :stores, :ended) f"  # noqa: S608 - columns of our own tables
)
_KEEP = text(
    "SELECT slowwave_keep_verdicts(:tenants, :ids, :versions, CAST(:verdicts AS jsonb[]), CAST(:next AS timestamptz[]),"
    " :full)"
)

_GIVE_BACK = text("SELECT slowwave_give_back(:tenants, :stores, CAST(:due_at AS timestamptz[]))")


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


def give_back(connection: Connection, due: Sequence[DueStore]) -> None:
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
