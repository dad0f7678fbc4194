"""What a person has rejected is found by its store, so that no dream archives it again."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_operations_rejected", "operations", ["store_id"], postgresql_where=sa.text("review = 'rejected'")
    )


def downgrade() -> None:
    op.drop_index("ix_operations_rejected", table_name="operations")
