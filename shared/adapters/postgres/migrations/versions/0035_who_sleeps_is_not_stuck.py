"""A dream that sleeps is not stuck: its age is the time in which somebody could have worked on it."""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_ASLEEP = "next_attempt_at > now()"
_QUEUED = f"max(now() - greatest(created_at, next_attempt_at)) FILTER (WHERE ({_ASLEEP}) IS NOT TRUE)"
# A sleep moves the deadline on; 300 s is the budget that a policy has by default. One that is due has just woken.
_RUNNING = f"""max(CASE WHEN next_attempt_at IS NOT NULL THEN now() - next_attempt_at
          WHEN snooze_count > 0 THEN now() - deadline_at + interval '300 seconds'
          ELSE now() - started_at END) FILTER (WHERE ({_ASLEEP}) IS NOT TRUE)"""
_MEASURE = """
    CREATE OR REPLACE FUNCTION slowwave_measure() RETURNS TABLE (name text, state text, value double precision)
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
        coalesce(extract(epoch FROM {queued}), 0)::float8
      FROM dreams WHERE state = 'queued' AND state IN ('queued', 'running')
      UNION ALL
      SELECT 'slowwave_oldest_running_dream_age_seconds', '',
        coalesce(extract(epoch FROM {running}), 0)::float8
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
    $$
"""


def upgrade() -> None:
    op.execute("GRANT SELECT (deadline_at, snooze_count) ON dreams TO slowwave_sweep")
    op.execute(_MEASURE.format(queued=_QUEUED, running=f"greatest('0', {_RUNNING})"))


def downgrade() -> None:
    op.execute(_MEASURE.format(queued="now() - min(created_at)", running="now() - min(started_at)"))
    op.execute("REVOKE SELECT (deadline_at, snooze_count) ON dreams FROM slowwave_sweep")
