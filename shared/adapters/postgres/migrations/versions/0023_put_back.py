"""What was put back is found by its store, so that prune does not archive it again."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_operations_put_back",
        "operations",
        ["store_id", "created_at"],
        postgresql_where=sa.text("kind = 'PUT_BACK'"),
    )


def downgrade() -> None:
    op.drop_index("ix_operations_put_back", table_name="operations")
