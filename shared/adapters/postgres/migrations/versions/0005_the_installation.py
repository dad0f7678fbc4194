"""What holds for the whole installation: the kill switch, the deferred share, the last sweep. And a tenant's share.

The application role may update the one row directly: whoever has that role can hold every store by claiming it anyway,
so a function in between would protect nothing. It can neither add nor remove a row.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.add_column("tenants", sa.Column("defer_percent", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("paused_at", _MOMENT, nullable=True),
        sa.Column("defer_percent", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_sweep_at", _MOMENT, nullable=True),
        sa.CheckConstraint("id = 1", name="ck_installation_one_row"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute("INSERT INTO installation (id) VALUES (1)")
    op.execute("ALTER TABLE installation ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE installation FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY the_one_row ON installation TO slowwave_app USING (true) WITH CHECK (id = 1)")
    rights = "SELECT, UPDATE (paused_at, defer_percent, last_sweep_at)"
    op.execute(f"GRANT {rights} ON installation TO slowwave_app")


def downgrade() -> None:
    op.drop_table("installation")
    op.drop_column("tenants", "defer_percent")
