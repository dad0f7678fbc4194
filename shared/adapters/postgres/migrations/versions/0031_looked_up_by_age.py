"""What is new since a moment, and what began to fade, are looked up by an index: a store is not read through for either."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_memories_fresh",
        "memories",
        ["store_id", sa.text("greatest(created_at, updated_at)")],
        postgresql_where=sa.text("state = 'live'"),
    )
    op.create_index(
        "ix_memories_touched", "memories", ["store_id", "touched_at"], postgresql_where=sa.text("state = 'live'")
    )


def downgrade() -> None:
    op.drop_index("ix_memories_touched", table_name="memories")
    op.drop_index("ix_memories_fresh", table_name="memories")
