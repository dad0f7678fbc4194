"""Feedback and workflow runs: recorded once, marked by the dream that made use of them, purged by age."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)
_TEXTS = postgresql.ARRAY(sa.Text())
_FUNCTION = "slowwave_purge_signals(text, timestamptz, timestamptz, integer, boolean)"
_RIGHTS = "SELECT, INSERT, UPDATE"  # an update is the mark of a dream


def upgrade() -> None:
    _create(
        "feedback",
        sa.Column("kind", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text(), server_default="", nullable=False) for name in ("text", "rating", "subject")),
        sa.Column("skill", sa.Text(), server_default="", nullable=False),
    )
    _create(
        "workflow_runs",
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("steps", _TEXTS, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text(), server_default="", nullable=False) for name in ("classification", "error")),
        sa.Column("skills", _TEXTS, nullable=False),
    )
    _create_purge()


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {_FUNCTION}")
    op.drop_table("workflow_runs")
    op.drop_table("feedback")


def _create(table: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        table,
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        *columns,
        sa.Column("session", sa.Text(), server_default="", nullable=False),
        sa.Column("occurred_at", _MOMENT, nullable=False),
        sa.Column("consumed_by", sa.Text(), nullable=True),
        sa.Column("consumed_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.ForeignKeyConstraint(
            ["tenant_id", "store_id"], ["stores.tenant_id", "stores.id"], name=f"fk_{table}_store_id"
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("store_id", "external_id", name=f"uq_{table}_external_id"),
    )
    op.create_index(f"ix_{table}_recent", table, ["store_id", "occurred_at"])
    op.create_index(f"ix_{table}_age", table, ["tenant_id", "created_at"])
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
    op.execute(f"CREATE POLICY tenant_only ON {table} TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
    op.execute(f"GRANT {_RIGHTS} ON {table} TO slowwave_app")


def _create_purge() -> None:
    op.execute("""
        CREATE FUNCTION slowwave_purge_signals(
          p_rule text, p_before timestamptz, p_undo_since timestamptz, p_limit integer, p_dry_run boolean
        ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        DECLARE
          mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
          ids text[];
        BEGIN
          IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
          IF p_undo_since > now() - interval '23 hours' THEN RAISE EXCEPTION 'an undo has at least a day'; END IF;
          IF p_before > p_undo_since THEN RAISE EXCEPTION '% would be purged inside the undo window', p_rule; END IF;
          CASE p_rule
            WHEN 'feedback' THEN
              ids := ARRAY(SELECT f.id FROM feedback f
                WHERE f.tenant_id = mine AND greatest(f.created_at, f.consumed_at) < p_before LIMIT p_limit);
            WHEN 'workflows' THEN
              ids := ARRAY(SELECT w.id FROM workflow_runs w
                WHERE w.tenant_id = mine AND greatest(w.created_at, w.consumed_at) < p_before LIMIT p_limit);
          END CASE;
          IF NOT p_dry_run AND p_rule = 'feedback' THEN
            DELETE FROM feedback WHERE tenant_id = mine AND id = ANY (ids);
          ELSIF NOT p_dry_run THEN
            DELETE FROM workflow_runs WHERE tenant_id = mine AND id = ANY (ids);
          END IF;
          RETURN cardinality(ids);
        END $$""")
    op.execute(f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO slowwave_app")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_purge")
    op.execute(f"ALTER FUNCTION {_FUNCTION} OWNER TO slowwave_purge")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_purge")
