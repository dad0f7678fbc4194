"""Two columns go that nothing has ever read: which dream took a hint, and how many events of a session are speech."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("pending_merges", "read_by")
    op.drop_column("sessions", "spoken_count")


def downgrade() -> None:
    op.add_column("sessions", sa.Column("spoken_count", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("pending_merges", sa.Column("read_by", sa.Text(), nullable=True))
