"""What was merged into a memory is looked up by an index: an undo asks it of each memory that it would take back."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_memories_merged", "memories", ["superseded_by"], postgresql_where=sa.text("superseded_by IS NOT NULL")
    )


def downgrade() -> None:
    op.drop_index("ix_memories_merged", table_name="memories")
