"""What dreams have asked a model, by fingerprint, so that the same is not asked again; and flags, to be found by store."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    moment = postgresql.TIMESTAMP(timezone=True)
    op.create_table(
        "asked_questions",
        sa.Column("store_id", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("dream_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("asked_at", moment, nullable=False),
        sa.Column("times_settled", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("reopens_at", moment, nullable=True),
        sa.Column("members", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.ForeignKeyConstraint(
            ["tenant_id", "store_id"], ["stores.tenant_id", "stores.id"], name="fk_asked_questions_store_id"
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_asked_questions_dream_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("store_id", "phase", "fingerprint", "dream_id"),
    )
    op.create_index("ix_asked_questions_dream", "asked_questions", ["dream_id"])
    op.create_index(
        "ix_asked_questions_due",
        "asked_questions",
        ["store_id", "phase", "reopens_at"],
        postgresql_where=sa.text("reopens_at IS NOT NULL"),
    )
    mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
    op.execute("ALTER TABLE asked_questions ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE asked_questions FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY tenant_only ON asked_questions TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
    # No UPDATE: a dream appends its own and an undo takes them away, so that what was asked before counts again.
    op.execute("GRANT SELECT, INSERT, DELETE ON asked_questions TO slowwave_app")
    op.create_index(
        "ix_operations_flags", "operations", ["store_id", "created_at"], postgresql_where=sa.text("kind = 'FLAG'")
    )


def downgrade() -> None:
    op.drop_index("ix_operations_flags", "operations")
    op.drop_table("asked_questions")
