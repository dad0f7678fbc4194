"""What a scrape of the metrics reads across tenants: numbers, each through an index or bounded, and nothing else."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_FUNCTION = "slowwave_measure()"
# Ages are 0 when nothing waits. Counts stop at 100,000: beyond it the number says nothing more, and costs.
_MEASURE = """
    CREATE FUNCTION slowwave_measure() RETURNS TABLE (name text, state text, value double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      SELECT 'slowwave_due_stores', '', count(*)::float8
      FROM (SELECT 1 FROM stores WHERE next_check_at <= now() LIMIT 100000) s
      UNION ALL
      SELECT 'slowwave_oldest_due_age_seconds', '',
        greatest(0, coalesce(extract(epoch FROM now() - min(next_check_at)), 0))::float8
      FROM stores WHERE next_check_at IS NOT NULL
      UNION ALL
      SELECT 'slowwave_active_dreams', s.state, count(d.id)::float8
      FROM (VALUES ('queued'), ('running')) s (state)
      LEFT JOIN dreams d ON d.state = s.state AND d.state IN ('queued', 'running') GROUP BY s.state
      UNION ALL
      SELECT 'slowwave_oldest_queued_dream_age_seconds', '',
        coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
      FROM dreams WHERE state = 'queued' AND state IN ('queued', 'running')
      UNION ALL
      SELECT 'slowwave_oldest_running_dream_age_seconds', '',
        coalesce(extract(epoch FROM now() - min(started_at)), 0)::float8
      FROM dreams WHERE state = 'running' AND state IN ('queued', 'running')
      UNION ALL
      SELECT 'slowwave_lapsed_leases', '', count(*)::float8
      FROM dreams WHERE state = 'running' AND state IN ('queued', 'running') AND lease_until < now()
      UNION ALL
      SELECT 'slowwave_pending_merges', '', count(*)::float8
      FROM (SELECT created_at FROM pending_merges ORDER BY created_at LIMIT 100000) m
      UNION ALL
      SELECT 'slowwave_oldest_pending_merge_age_seconds', '',
        coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
      FROM pending_merges
      UNION ALL
      SELECT 'slowwave_pending_reviews', '', count(*)::float8
      FROM (SELECT 1 FROM operations WHERE review = 'pending' LIMIT 100000) o
      UNION ALL
      SELECT 'slowwave_last_sweep_timestamp_seconds', '', coalesce(extract(epoch FROM last_sweep_at), 0)::float8
      FROM installation
      UNION ALL
      SELECT 'slowwave_paused', '', (paused_at IS NOT NULL)::int::float8 FROM installation
      UNION ALL
      SELECT 'slowwave_defer_percent', '', defer_percent::float8 FROM installation
    $$"""


def upgrade() -> None:
    op.create_index("ix_pending_merges_created", "pending_merges", ["created_at"])
    op.execute("GRANT SELECT (started_at) ON dreams TO slowwave_sweep")
    op.execute("GRANT SELECT (created_at) ON pending_merges TO slowwave_sweep")
    op.execute("GRANT SELECT (review) ON operations TO slowwave_sweep")
    op.execute("GRANT SELECT ON installation TO slowwave_sweep")
    for table in ("pending_merges", "operations", "installation"):
        op.execute(f"CREATE POLICY sweep ON {table} FOR SELECT TO slowwave_sweep USING (true)")
    op.execute(_MEASURE)
    op.execute(f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO slowwave_app")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    op.execute(f"ALTER FUNCTION {_FUNCTION} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {_FUNCTION}")
    for table in ("pending_merges", "operations", "installation"):
        op.execute(f"DROP POLICY sweep ON {table}")
    op.execute("REVOKE SELECT ON installation FROM slowwave_sweep")
    op.execute("REVOKE SELECT (review) ON operations FROM slowwave_sweep")
    op.execute("REVOKE SELECT (created_at) ON pending_merges FROM slowwave_sweep")
    op.execute("REVOKE SELECT (started_at) ON dreams FROM slowwave_sweep")
    op.drop_index("ix_pending_merges_created", "pending_merges")
