"""Daily digests and compactions: when a store is looked at for each of them, and who may claim it.

Each has a time and an index of its own, as dreams have. The failures that lead to quarantine are those of whole dreams.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_KINDS = ("digest", "compaction")
_READ = "slowwave_read_stores(text[], text[], integer)"
_ENDED = "AND NOT d.is_dry_run"
_ENDED_WHOLE = f"{_ENDED} AND d.trigger NOT IN ('digest', 'compaction')"
# As dreams are claimed: tenants take turns, and one whose slots are taken is not looked at in vain.
_CREATE_CLAIM = """
    CREATE FUNCTION slowwave_claim_due_{kind}s(p_limit integer, p_hold_seconds double precision)
    RETURNS TABLE (tenant_id text, store_name text, due_at timestamptz)
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      WITH waiting AS (
        SELECT s.id, s.tenant_id, s.{kind}_check_at FROM stores s
        WHERE s.{kind}_check_at <= now() ORDER BY s.{kind}_check_at LIMIT 50000
      ), busy AS (
        SELECT d.tenant_id, count(*) AS dreams FROM dreams d
        WHERE d.state IN ('queued', 'running') GROUP BY d.tenant_id
      ), ranked AS (
        SELECT w.id, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.{kind}_check_at)::float8 / t.weight AS turn
        FROM waiting w JOIN tenants t ON t.id = w.tenant_id LEFT JOIN busy b ON b.tenant_id = w.tenant_id
        WHERE coalesce(b.dreams, 0) < t.max_concurrent_dreams
      ), due AS (
        SELECT s.id, r.turn, s.{kind}_check_at FROM ranked r JOIN stores s ON s.id = r.id
        WHERE s.{kind}_check_at <= now()
        ORDER BY r.turn, s.{kind}_check_at LIMIT p_limit FOR UPDATE OF s SKIP LOCKED
      ), held AS (
        UPDATE stores s
        SET {kind}_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
        FROM due WHERE s.id = due.id RETURNING s.tenant_id, s.name, due.turn, due.{kind}_check_at AS due_at
      )
      SELECT held.tenant_id, held.name, held.due_at FROM held ORDER BY held.turn, held.due_at
    $$"""


def upgrade() -> None:
    for kind in _KINDS:
        column = f"{kind}_check_at"
        op.add_column("stores", sa.Column(column, sa.TIMESTAMP(timezone=True), nullable=True))
        op.create_index(f"ix_stores_{kind}_due", "stores", [column], postgresql_where=sa.text(f"{column} IS NOT NULL"))
        op.execute(f"GRANT SELECT ({column}), UPDATE ({column}) ON stores TO slowwave_sweep")
    op.create_index(
        "ix_memories_durable",
        "memories",
        ["store_id", "touched_at"],
        postgresql_where=sa.text("state = 'live' AND tier = 'durable'"),
    )
    op.execute("ALTER TABLE stores NO FORCE ROW LEVEL SECURITY")  # the owner sees no row otherwise
    first = "now() + random() * interval '1 day'"
    op.execute(
        f"UPDATE stores SET digest_check_at = {first}, compaction_check_at = {first} WHERE profile = 'swarmclaw'"
    )
    op.execute("ALTER TABLE stores FORCE ROW LEVEL SECURITY")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    for kind in _KINDS:
        claim = f"slowwave_claim_due_{kind}s(integer, double precision)"
        op.execute(_CREATE_CLAIM.format(kind=kind))
        op.execute(f"REVOKE ALL ON FUNCTION {claim} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {claim} TO slowwave_app")
        op.execute(f"ALTER FUNCTION {claim} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")
    _rewrite_read(_ENDED, _ENDED_WHOLE)


def downgrade() -> None:
    _rewrite_read(_ENDED_WHOLE, _ENDED)
    op.drop_index("ix_memories_durable", table_name="memories")
    for kind in _KINDS:
        op.execute(f"DROP FUNCTION slowwave_claim_due_{kind}s(integer, double precision)")
        op.drop_index(f"ix_stores_{kind}_due", table_name="stores")
        op.drop_column("stores", f"{kind}_check_at")


def _rewrite_read(old: str, new: str) -> None:
    """Change one condition of a function, whose other 30 lines stay as migration 0015 has them."""
    op.execute(f"""
        DO $do$
        DECLARE old_text text := pg_get_functiondef('{_READ}'::regprocedure); new_text text;
        BEGIN
          new_text := replace(old_text, $old${old}$old$, $new${new}$new$);
          IF new_text = old_text THEN RAISE EXCEPTION 'slowwave_read_stores is not as migration 0015 made it'; END IF;
          EXECUTE new_text;
        END $do$""")
