"""Admission: failed dreams and forgiveness, snoozed dreams, a tenant's clock, quiet hours and model calls."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)
_HEAD = """
    CREATE OR REPLACE FUNCTION slowwave_find_stalled_dreams(p_limit integer, p_unsent_seconds double precision)
    RETURNS TABLE (tenant_id text, dream_id text)
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      SELECT d.tenant_id, d.id FROM dreams d
"""
_UNSENT = "now() - make_interval(secs => p_unsent_seconds)"
# A snoozed dream has no lease that could lapse: it is found when its time has come, and again while nobody took it.
_WITH_SNOOZE = f"""{_HEAD}
      WHERE d.state IN ('queued', 'running') AND CASE
        WHEN d.next_attempt_at IS NOT NULL THEN d.next_attempt_at <= now()
          AND (d.sent_at IS NULL OR d.sent_at < d.next_attempt_at OR d.sent_at < {_UNSENT})
        WHEN d.state = 'running' THEN d.lease_until < now()
        ELSE coalesce(d.sent_at, d.created_at) < {_UNSENT} END
      ORDER BY coalesce(d.next_attempt_at, d.lease_until, d.created_at) LIMIT p_limit
    $$"""
_WITHOUT_SNOOZE = f"""{_HEAD}
      WHERE (d.state = 'running' AND d.lease_until < now())
         OR (d.state = 'queued' AND coalesce(d.sent_at, d.created_at) < {_UNSENT})
      ORDER BY coalesce(d.lease_until, d.created_at) LIMIT p_limit
    $$"""
_COUNT_ACTIVE = """
    CREATE OR REPLACE FUNCTION slowwave_count_active_dreams() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      SELECT count(*) FROM dreams WHERE state IN ('queued', 'running')
"""
# Who sleeps holds no worker: a few tenants whose model is away must not keep everybody else from being admitted.
_AWAKE = "AND (next_attempt_at IS NULL OR next_attempt_at <= now())"
COUNT_QUARANTINED = "slowwave_count_quarantined_stores()"


def upgrade() -> None:
    for column in _tenant_columns():
        op.add_column("tenants", column)
    for column in _dream_columns():
        op.add_column("dreams", column)
    op.add_column("stores", sa.Column("forgiven_at", _MOMENT, nullable=True))
    false = sa.text("false")
    op.add_column("stores", sa.Column("is_quarantined", sa.Boolean(), server_default=false, nullable=False))
    op.execute("UPDATE dreams SET has_failed = true WHERE state = 'error' AND NOT is_dry_run")
    where = sa.text("is_quarantined")
    op.create_index("ix_stores_quarantined", "stores", ["tenant_id"], unique=False, postgresql_where=where)
    op.execute("GRANT SELECT (next_attempt_at) ON dreams TO slowwave_sweep")
    op.execute("GRANT SELECT (is_quarantined) ON stores TO slowwave_sweep")
    op.execute(_WITH_SNOOZE)
    op.execute(f"{_COUNT_ACTIVE} {_AWAKE} $$")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    op.execute(f"""
        CREATE FUNCTION {COUNT_QUARANTINED} RETURNS bigint
        LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
          SELECT count(*) FROM stores WHERE is_quarantined
        $$""")
    op.execute(f"REVOKE ALL ON FUNCTION {COUNT_QUARANTINED} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {COUNT_QUARANTINED} TO slowwave_app")
    op.execute(f"ALTER FUNCTION {COUNT_QUARANTINED} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {COUNT_QUARANTINED}")
    op.execute(f"{_COUNT_ACTIVE} $$")
    op.execute(_WITHOUT_SNOOZE)
    op.drop_index("ix_stores_quarantined", table_name="stores")
    op.execute("REVOKE SELECT (is_quarantined) ON stores FROM slowwave_sweep")
    op.drop_column("stores", "is_quarantined")
    op.drop_column("stores", "forgiven_at")
    for column in _dream_columns():
        op.drop_column("dreams", column.name)
    for column in _tenant_columns():
        op.drop_column("tenants", column.name)


def _tenant_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("time_zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("quiet_hours", sa.Text(), server_default="", nullable=False),
        sa.Column("locale", sa.Text(), server_default="en", nullable=False),
        sa.Column("model_calls_per_minute", sa.Integer(), nullable=True),
        sa.Column("model_calls_at_once", sa.Integer(), nullable=True),
    ]


def _dream_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("has_failed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("next_attempt_at", _MOMENT, nullable=True),
        sa.Column("snoozed_at", _MOMENT, nullable=True),
        sa.Column("snooze_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
    ]
