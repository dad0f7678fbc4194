"""Tenants take turns: a tenant with ten thousand due stores delays nobody else by more than its turn."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_HEAD = """
    CREATE OR REPLACE FUNCTION slowwave_claim_due_stores(p_limit integer, p_hold_seconds double precision)
    RETURNS TABLE (tenant_id text, store_name text)
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
"""
_TAIL = """
      , held AS (
        UPDATE stores s
        SET next_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
        FROM due WHERE s.id = due.id RETURNING s.tenant_id, s.name, due.turn, due.next_check_at AS due_at
      )
      SELECT held.tenant_id, held.name FROM held ORDER BY held.turn, held.due_at
    $$
"""
# A tenant whose slots are taken is left out: a check could only say so. The others are ranked among their own stores
# by age, and the ranks, divided by the tenant's weight, are what they take turns by. The window is bounded, so that
# a sweep over the backlog of a long outage stays a matter of milliseconds.
TAKE_TURNS = f"""{_HEAD}
      WITH waiting AS (
        SELECT s.id, s.tenant_id, s.next_check_at FROM stores s
        WHERE s.next_check_at <= now() ORDER BY s.next_check_at LIMIT 50000
      ), busy AS (
        SELECT d.tenant_id, count(*) AS dreams FROM dreams d
        WHERE d.state IN ('queued', 'running') GROUP BY d.tenant_id
      ), ranked AS (
        SELECT w.id, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.next_check_at)::float8 / t.weight AS turn
        FROM waiting w JOIN tenants t ON t.id = w.tenant_id LEFT JOIN busy b ON b.tenant_id = w.tenant_id
        WHERE coalesce(b.dreams, 0) < t.max_concurrent_dreams
      ), due AS (
        SELECT s.id, r.turn, s.next_check_at FROM ranked r JOIN stores s ON s.id = r.id
        WHERE s.next_check_at <= now()
        ORDER BY r.turn, s.next_check_at LIMIT p_limit FOR UPDATE OF s SKIP LOCKED
      ){_TAIL}"""
_BY_AGE = f"""{_HEAD}
      WITH due AS (
        SELECT s.id, s.next_check_at, 0 AS turn FROM stores s WHERE s.next_check_at <= now()
        ORDER BY s.next_check_at LIMIT p_limit FOR UPDATE SKIP LOCKED
      ){_TAIL}"""


def upgrade() -> None:
    op.execute("GRANT SELECT (id, weight, max_concurrent_dreams) ON tenants TO slowwave_sweep")
    op.execute(TAKE_TURNS)


def downgrade() -> None:
    op.execute(_BY_AGE)
    op.execute("REVOKE SELECT (weight, max_concurrent_dreams) ON tenants FROM slowwave_sweep")
