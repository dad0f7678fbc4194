"""The one row of the installation. It belongs to no tenant, so it is read and written outside of their transactions."""

from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from shared.adapters.postgres.mapping import table
from shared.adapters.postgres.tables import InstallationRow
from shared.adapters.postgres.transactions import open_transaction
from shared.core.installation import Installation, check_percent

INSTALLATION = table(InstallationRow)


def read_installation(connection: Connection) -> Installation:
    """Return the switches, inside anybody's transaction."""
    columns = (INSTALLATION.c.paused_at, INSTALLATION.c.defer_percent, INSTALLATION.c.last_sweep_at)
    return Installation(**connection.execute(select(*columns)).mappings().one())


class PostgresInstallationBook:
    """Implements `InstallationBook`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self) -> Installation:
        """Return the switches."""
        with open_transaction(self._engine) as connection:
            return read_installation(connection)

    def set_paused(self, *, paused: bool) -> bool:
        """Throw the kill switch; return whether that changed anything."""
        is_other = INSTALLATION.c.paused_at.is_(None) if paused else INSTALLATION.c.paused_at.is_not(None)
        return self._update(is_other, paused_at=func.now() if paused else None)

    def set_defer(self, percent: int) -> None:
        """Set the deferred share. Raises BadInputError."""
        self._update(defer_percent=check_percent(percent))

    def record_sweep(self) -> None:
        """Remember that a sweep ran just now."""
        self._update(last_sweep_at=func.now())

    def _update(self, *conditions: Any, **values: Any) -> bool:  # noqa: ANN401 - SQLAlchemy's expressions
        with open_transaction(self._engine) as connection:
            return bool(connection.execute(update(INSTALLATION).where(*conditions).values(values)).rowcount)
