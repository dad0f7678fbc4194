"""The one row of the installation. It belongs to no tenant, so it is read and written outside of their transactions."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, Insert, Text, cast, func, insert, select, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch
from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.logs import InstallationLogRow
from shared.adapters.postgres.tables.stores import InstallationRow
from shared.adapters.postgres.tenants.audit import read_audit_of_all
from shared.adapters.postgres.tenants.costs import read_costs_of_all
from shared.adapters.postgres.tenants.days import read_days_of_all
from shared.adapters.postgres.tenants.switches import read_installation
from shared.adapters.ulid_ids import new_id
from shared.core.gates.deferral import Installation, LogEntry, check_percent
from shared.core.tenants.audit import AuditEntry
from shared.ports.api_lists import Place
from shared.ports.tenants import AuditFilter, Cost, CostBy, Day


class PostgresInstallationRepository:
    """Implements `InstallationRepository`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self) -> Installation:
        """Return the switches."""
        with open_transaction(self._engine) as connection:
            return read_installation(connection)

    def set_paused(self, *, paused: bool, actor: str) -> bool:
        """Set the kill switch and log it; return whether that changed anything."""
        is_other = col(InstallationRow.paused_at).is_(None) if paused else col(InstallationRow.paused_at).is_not(None)
        entry = {"actor": actor, "action": "pause" if paused else "resume"}
        return self._update(is_other, log=entry, paused_at=func.now() if paused else None)

    def set_defer(self, percent: int, *, actor: str) -> None:
        """Set the deferred share and log it. Raises BadInputError."""
        entry = {"actor": actor, "action": "defer", "detail": {"percent": percent}}
        self._update(log=entry, defer_percent=check_percent(percent))

    def record(self, actor: str, action: str, **detail: object) -> None:
        """Append an action on all tenants at once to the log; the switches have methods of their own."""
        with open_transaction(self._engine) as connection:
            execute(connection, _entry({"actor": actor, "action": action, "detail": detail}))

    def find_log(self, limit: int) -> list[LogEntry]:
        """Return the log of operators' actions, newest first."""
        query = (
            select(InstallationLogRow)
            .order_by(col(InstallationLogRow.created_at).desc(), col(InstallationLogRow.id).desc())
            .limit(limit)
        )
        with open_transaction(self._engine) as connection:
            rows = fetch(connection, query)
            return [
                LogEntry(at=r["created_at"], actor=r["actor"], action=r["action"], detail=r["detail"]) for r in rows
            ]

    def find_audit(self, wanted: AuditFilter, *, start_after: Place | None, limit: int) -> list[AuditEntry]:
        """Return the audit log of all tenants and of the installation, newest first."""
        with open_transaction(self._engine) as connection:
            return read_audit_of_all(connection, wanted, start_after=start_after, limit=limit)

    def find_days(self, days: int) -> list[Day]:
        """Return the last days of all tenants together."""
        with open_transaction(self._engine) as connection:
            return read_days_of_all(connection, days)

    def find_costs(self, days: int, by: CostBy) -> list[Cost]:
        """Return the costs of all tenants' last days, the highest first."""
        with open_transaction(self._engine) as connection:
            return read_costs_of_all(connection, days, by)

    def record_sweep(self, name: str, *, seconds: float, rows: Mapping[str, int], error: str = "") -> None:
        """Record a pass of a sweep: its duration, its rows (found, acted, failed), and its error, if any."""
        told = func.jsonb_build_object("at", func.now(), "seconds", round(seconds, 3)).op("||")(cast(dict(rows), JSONB))
        if error:
            told = told.op("||")(func.jsonb_build_object("error", cast(error, Text), "error_at", func.now()))
        before = func.coalesce(col(InstallationRow.sweeps).op("->")(name), cast({}, JSONB))
        named = func.jsonb_build_object(cast(name, Text), before.op("||")(told))
        self._update(last_sweep_at=func.now(), sweeps=col(InstallationRow.sweeps).op("||")(named))

    def _update(self, *conditions: Any, log: dict[str, Any] | None = None, **values: Any) -> bool:  # noqa: ANN401 - SQLAlchemy's expressions
        with open_transaction(self._engine) as connection:
            if log is not None:
                execute(connection, _entry(log))
            return bool(execute(connection, update(InstallationRow).where(*conditions).values(values)))


def _entry(said: dict[str, Any]) -> Insert:
    return insert(InstallationLogRow).values({"id": new_id("ins")} | said)
