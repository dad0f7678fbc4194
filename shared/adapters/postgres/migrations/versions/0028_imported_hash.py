"""Each memory keeps the hash of the text that an import brought last, so that a file that did not change is known again."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("memories", sa.Column("imported_hash", sa.Text(), nullable=False, server_default=""))
    op.execute("ALTER TABLE memories NO FORCE ROW LEVEL SECURITY")  # the owner sees no row otherwise
    op.execute("UPDATE memories SET imported_hash = content_hash WHERE author = 'import'")
    op.execute("ALTER TABLE memories FORCE ROW LEVEL SECURITY")


def downgrade() -> None:
    op.drop_column("memories", "imported_hash")
