"""One tenant's queue holds up nobody else: in admission it counts for its slots, and the reconciler takes turns."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_DEFINER = "SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp"
_UNSENT = "now() - make_interval(secs => p_unsent_seconds)"
_STALLED = f"""
      WHERE d.state IN ('queued', 'running') AND CASE
        WHEN d.next_attempt_at IS NOT NULL THEN d.next_attempt_at <= now()
          AND (d.sent_at IS NULL OR d.sent_at < d.next_attempt_at OR d.sent_at < {_UNSENT})
        WHEN d.state = 'running' THEN d.lease_until < now()
        ELSE coalesce(d.sent_at, d.created_at) < {_UNSENT} END"""
_SINCE = "coalesce(d.next_attempt_at, d.lease_until, d.created_at)"
_HEAD = f"""
    CREATE OR REPLACE FUNCTION slowwave_find_stalled_dreams(p_limit integer, p_unsent_seconds double precision)
    RETURNS TABLE (tenant_id text, dream_id text) LANGUAGE sql {_DEFINER} AS $$"""
# Those that have begun hold a slot, so that they go first; of the others each tenant's oldest, then each one's second …
_IN_TURN = f"""{_HEAD}
      SELECT f.tenant_id, f.id FROM (
        SELECT d.tenant_id, d.id, d.state, {_SINCE} AS since,
          row_number() OVER (PARTITION BY d.tenant_id, d.state ORDER BY {_SINCE}) AS turn
        FROM dreams d {_STALLED}
      ) f
      ORDER BY f.state = 'queued', f.turn, f.since LIMIT p_limit
    $$"""
_OLDEST_FIRST = f"""{_HEAD}
      SELECT d.tenant_id, d.id FROM dreams d {_STALLED}
      ORDER BY {_SINCE} LIMIT p_limit
    $$"""
_COUNT = f"""
    CREATE OR REPLACE FUNCTION slowwave_count_active_dreams() RETURNS bigint LANGUAGE sql {_DEFINER} AS $$"""
_ACTIVE = """dreams d
      WHERE d.state IN ('queued', 'running') AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now())"""
# What waits for a slot of its own tenant takes none from the others.
_COUNT_SLOTS = f"""{_COUNT}
      SELECT coalesce(sum(least(a.number, t.max_concurrent_dreams)), 0)::bigint
      FROM (SELECT d.tenant_id, count(*) AS number FROM {_ACTIVE} GROUP BY d.tenant_id) a
      JOIN tenants t ON t.id = a.tenant_id
    $$"""
_COUNT_ALL = f"{_COUNT} SELECT count(*) FROM {_ACTIVE} $$"


def upgrade() -> None:
    op.execute(_IN_TURN)
    op.execute(_COUNT_SLOTS)


def downgrade() -> None:
    op.execute(_OLDEST_FIRST)
    op.execute(_COUNT_ALL)
