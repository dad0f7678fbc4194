"""Directives: a tenant's own prompts, version by version."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    moment = postgresql.TIMESTAMP(timezone=True)
    op.create_table(
        "directives",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("created_at", moment, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.PrimaryKeyConstraint("tenant_id", "name", "version"),
    )
    mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
    op.execute("ALTER TABLE directives ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE directives FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY tenant_only ON directives TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
    op.execute("GRANT SELECT, INSERT ON directives TO slowwave_app")


def downgrade() -> None:
    op.drop_table("directives")
