"""Alembic's entry point: migrate with the connection that `migrate.py` hands over, in its transaction."""

from alembic import context
from sqlmodel import SQLModel

import shared.adapters.postgres.tables.access
import shared.adapters.postgres.tables.dreams
import shared.adapters.postgres.tables.logs
import shared.adapters.postgres.tables.sessions
import shared.adapters.postgres.tables.steps
import shared.adapters.postgres.tables.stores  # noqa: F401 - the tables are known once they are imported

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    compare_type=True,
    compare_server_default=False,
)
with context.begin_transaction():
    context.run_migrations()
