"""Skill uses: which skill was used in which session, when; purged by age."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_FUNCTION = "slowwave_purge_skill_uses(text, timestamptz, timestamptz, integer, boolean)"
_MOMENT = postgresql.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "skill_uses",
        sa.Column("store_id", sa.Text(), nullable=False),
        sa.Column("skill", sa.Text(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("used_at", _MOMENT, nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.ForeignKeyConstraint(
            ["tenant_id", "store_id"], ["stores.tenant_id", "stores.id"], name="fk_skill_uses_store_id"
        ),
        sa.PrimaryKeyConstraint("store_id", "skill", "session", "used_at"),
    )
    op.create_index("ix_skill_uses_recent", "skill_uses", ["store_id", "used_at"])
    op.create_index("ix_skill_uses_age", "skill_uses", ["tenant_id", "used_at"])
    mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
    op.execute("ALTER TABLE skill_uses ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE skill_uses FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY tenant_only ON skill_uses TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
    op.execute("GRANT SELECT, INSERT ON skill_uses TO slowwave_app")
    _create_purge()


def _create_purge() -> None:
    op.execute("""
        CREATE FUNCTION slowwave_purge_skill_uses(
          p_rule text, p_before timestamptz, p_undo_since timestamptz, p_limit integer, p_dry_run boolean
        ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        DECLARE
          mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
          places tid[];
        BEGIN
          IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
          IF p_undo_since > now() - interval '23 hours' THEN RAISE EXCEPTION 'an undo has at least a day'; END IF;
          IF p_before > p_undo_since THEN RAISE EXCEPTION '% would be purged inside the undo window', p_rule; END IF;
          places := ARRAY(SELECT u.ctid FROM skill_uses u
            WHERE u.tenant_id = mine AND u.used_at < p_before AND u.created_at < p_undo_since LIMIT p_limit);
          IF NOT p_dry_run THEN DELETE FROM skill_uses WHERE ctid = ANY (places) AND tenant_id = mine; END IF;
          RETURN cardinality(places);
        END $$""")
    op.execute(f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO slowwave_app")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_purge")
    op.execute(f"ALTER FUNCTION {_FUNCTION} OWNER TO slowwave_purge")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_purge")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {_FUNCTION}")
    op.drop_table("skill_uses")
