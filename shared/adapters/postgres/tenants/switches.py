"""The switches of the installation, read inside a transaction of any tenant."""

from sqlalchemy import Connection, select
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Fixed, fetch
from shared.adapters.postgres.tables.stores import InstallationRow
from shared.core.gates.deferral import Installation

_READ = Fixed(
    "installation.read",
    select(col(InstallationRow.paused_at), col(InstallationRow.defer_percent), col(InstallationRow.last_sweep_at)),
    reason="twice a dream, and with each check of a store",
)


def read_installation(connection: Connection) -> Installation:
    """Return the switches, inside any transaction."""
    (row,) = fetch(connection, _READ)
    return Installation(**row)
