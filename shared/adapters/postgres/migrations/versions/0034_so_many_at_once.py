"""The installation's cap on dreams holds whoever asked for them: the claim counts, and who is next in line is found."""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_COUNT = "slowwave_count_running_dreams()"
_NEXT = "slowwave_find_next_dreams(integer)"
_DEFINER = "LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp"
# Who sleeps holds no worker.
_RUNNING = "SELECT count(*) FROM dreams WHERE state = 'running' AND next_attempt_at IS NULL"
# Woken ones have begun, so that they go first; then each tenant's next within its slots, then the one after that …
_FIND_NEXT = f"""
    CREATE FUNCTION {_NEXT.replace("integer", "p_slots integer")} RETURNS TABLE (tenant_id text, dream_id text)
    {_DEFINER} AS $$
      WITH active AS (
        SELECT d.tenant_id, d.id, d.state, d.next_attempt_at, coalesce(d.sent_at, d.created_at) AS since
        FROM dreams d WHERE d.state IN ('queued', 'running')
      ), used AS (
        SELECT a.tenant_id, count(*) FILTER (WHERE a.state = 'running') AS slots FROM active a GROUP BY a.tenant_id
      ), waiting AS (
        SELECT a.*, row_number() OVER (PARTITION BY a.tenant_id, a.state ORDER BY a.since, a.id) AS turn
        FROM active a WHERE a.next_attempt_at <= now() OR (a.state = 'queued' AND a.next_attempt_at IS NULL)
      )
      SELECT w.tenant_id, w.id FROM waiting w JOIN used u USING (tenant_id) JOIN tenants t ON t.id = w.tenant_id
      WHERE w.state = 'running' OR u.slots + w.turn <= t.max_concurrent_dreams
      ORDER BY w.state = 'queued', w.turn, w.since, w.id
      LIMIT greatest(0, p_slots - ({_RUNNING}))
    $$"""


def upgrade() -> None:
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    op.execute(f"CREATE FUNCTION {_COUNT} RETURNS bigint {_DEFINER} AS $$ {_RUNNING} $$")
    op.execute(_FIND_NEXT)
    for function in (_COUNT, _NEXT):
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_app")
        op.execute(f"ALTER FUNCTION {function} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")


def downgrade() -> None:
    for function in (_NEXT, _COUNT):
        op.execute(f"DROP FUNCTION {function}")
