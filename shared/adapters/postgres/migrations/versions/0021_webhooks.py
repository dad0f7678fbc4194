"""Webhooks: endpoints with sealed secrets, and the outbox of deliveries that a sweep claims across tenants.

The sweep's role sees which delivery of whom is due, and neither where it goes nor what it says.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)
_SAFE_PATH = "SET search_path = pg_catalog, public, pg_temp"
CLAIM = "slowwave_claim_deliveries(integer, integer, double precision)"
PURGE = "slowwave_purge_deliveries(text, timestamptz, timestamptz, integer, boolean)"

# Tenants take turns, and within a tenant its endpoints do; what was never tried comes before what is tried again. A
# tenant has so many attempts under way and no more, whatever its endpoints do with the time. The window is bounded.
_CLAIM = f"""
    CREATE FUNCTION slowwave_claim_deliveries(p_at_once integer, p_per_tenant integer, p_hold_seconds double precision)
    RETURNS TABLE (tenant_id text, delivery_id text, claim integer) LANGUAGE sql SECURITY DEFINER {_SAFE_PATH} AS $$
      WITH flying AS (
        SELECT d.tenant_id, count(*) AS number FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.lease_until > now() GROUP BY d.tenant_id
      ), waiting AS (
        SELECT d.id, d.tenant_id, d.endpoint_id, d.attempts, d.next_attempt_at FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.next_attempt_at <= now() ORDER BY d.next_attempt_at LIMIT 50000
      ), placed AS (
        SELECT w.*, row_number() OVER (
          PARTITION BY w.endpoint_id ORDER BY w.attempts > 0, w.next_attempt_at, w.id) AS place
        FROM waiting w
      ), ranked AS (
        SELECT p.id, coalesce(f.number, 0) + row_number() OVER (
          PARTITION BY p.tenant_id ORDER BY p.place, p.next_attempt_at, p.id) AS turn
        FROM placed p LEFT JOIN flying f ON f.tenant_id = p.tenant_id
      ), due AS (
        SELECT d.id FROM ranked r JOIN webhook_deliveries d ON d.id = r.id
        WHERE r.turn <= p_per_tenant AND d.state = 'pending' AND d.next_attempt_at <= now()
        ORDER BY r.turn, d.next_attempt_at
        LIMIT greatest(0, p_at_once - (SELECT coalesce(sum(number), 0) FROM flying)) FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE webhook_deliveries d SET claims = d.claims + 1,
        lease_until = now() + make_interval(secs => p_hold_seconds),
        next_attempt_at = now() + make_interval(secs => p_hold_seconds)
      FROM due WHERE d.id = due.id RETURNING d.tenant_id, d.id, d.claims
    $$"""
_PURGE = f"""
    CREATE FUNCTION slowwave_purge_deliveries(
      p_rule text, p_before timestamptz, p_undo_since timestamptz, p_limit integer, p_dry_run boolean
    ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER {_SAFE_PATH} AS $$
    DECLARE
      mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
      ids text[];
    BEGIN
      IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
      IF p_rule <> 'deliveries' THEN RAISE EXCEPTION 'there is no rule %', p_rule; END IF;
      ids := ARRAY(SELECT d.id FROM webhook_deliveries d
        WHERE d.tenant_id = mine AND d.created_at < p_before LIMIT p_limit);
      IF NOT p_dry_run THEN DELETE FROM webhook_deliveries WHERE tenant_id = mine AND id = ANY (ids); END IF;
      RETURN cardinality(ids);
    END $$"""


def upgrade() -> None:
    _create_endpoints()
    _create_deliveries()
    for table in ("webhook_endpoints", "webhook_deliveries"):
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
        op.execute(f"CREATE POLICY tenant_only ON {table} TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
        op.execute(f"GRANT SELECT, INSERT, UPDATE ON {table} TO slowwave_app")
    op.execute("CREATE POLICY sweep ON webhook_deliveries TO slowwave_sweep USING (true)")
    op.execute(
        "GRANT SELECT (id, tenant_id, endpoint_id, state, attempts, claims, lease_until, next_attempt_at),"
        " UPDATE (claims, lease_until, next_attempt_at) ON webhook_deliveries TO slowwave_sweep"
    )
    op.execute("SELECT slowwave_open_to_purge()")  # the function that purges needs to see the table
    for function, body, role in ((CLAIM, _CLAIM, "slowwave_sweep"), (PURGE, _PURGE, "slowwave_purge")):
        op.execute(body)
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_app")
        op.execute(f"GRANT CREATE ON SCHEMA public TO {role}")
        op.execute(f"ALTER FUNCTION {function} OWNER TO {role}")
        op.execute(f"REVOKE CREATE ON SCHEMA public FROM {role}")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {PURGE}")
    op.execute(f"DROP FUNCTION {CLAIM}")
    op.drop_table("webhook_deliveries")
    op.drop_table("webhook_endpoints")


def _create_endpoints() -> None:
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("events", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("previous_sealed", sa.Text(), nullable=True),
        sa.Column("previous_until", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.Column("disabled_at", _MOMENT, nullable=True),
        sa.Column("disabled_reason", sa.Text(), server_default="", nullable=False),
        sa.Column("deleted_at", _MOMENT, nullable=True),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("failing_since", _MOMENT, nullable=True),
        sa.Column("delivered_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tenant_id", "id", name="uq_webhook_endpoints_tenant_id"),
    )


def _create_deliveries() -> None:
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("endpoint_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("dream_id", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("claims", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("begun", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("tries", postgresql.JSONB(), server_default=sa.text("'[]'::jsonb"), nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.Column("next_attempt_at", _MOMENT, server_default=sa.text("now()"), nullable=True),
        sa.Column("lease_until", _MOMENT, nullable=True),
        sa.Column("ended_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.ForeignKeyConstraint(
            ["tenant_id", "endpoint_id"],
            ["webhook_endpoints.tenant_id", "webhook_endpoints.id"],
            name="fk_webhook_deliveries_endpoint_id",
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("endpoint_id", "message_id", name="uq_webhook_deliveries_message"),
    )
    op.create_index("ix_webhook_deliveries_age", "webhook_deliveries", ["tenant_id", "created_at", "id"])
    for name, column in (("due", "next_attempt_at"), ("flying", "lease_until")):
        op.create_index(
            f"ix_webhook_deliveries_{name}",
            "webhook_deliveries",
            [column],
            postgresql_where=sa.text("state = 'pending'"),
        )
