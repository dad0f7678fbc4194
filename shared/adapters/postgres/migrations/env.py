"""Alembic's entry point: migrate with the connection that `migrate.py` hands over."""

from alembic import context
from sqlmodel import SQLModel

import shared.adapters.postgres.access_tables
import shared.adapters.postgres.asked_tables
import shared.adapters.postgres.directive_tables
import shared.adapters.postgres.dream_tables
import shared.adapters.postgres.feedback_tables
import shared.adapters.postgres.session_tables
import shared.adapters.postgres.skill_tables
import shared.adapters.postgres.tables
import shared.adapters.postgres.webhook_tables  # noqa: F401 - the tables are known once they are imported

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    compare_type=True,
    compare_server_default=False,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
