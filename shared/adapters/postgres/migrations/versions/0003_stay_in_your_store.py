"""Rows belong to the tenant of their store and dream, and sweeps look at the real tables only."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

#: Foreign keys are checked without row-level security: one that leaves the tenant out would let a row of one tenant
#: into a store of another, where it takes a path or the place of the store's one dream.
LINKS = (
    ("memories", "store_id", "stores"),
    ("memory_versions", "store_id", "stores"),
    ("pending_merges", "store_id", "stores"),
    ("dreams", "store_id", "stores"),
    ("operations", "store_id", "stores"),
    ("operations", "dream_id", "dreams"),
    ("phase_runs", "dream_id", "dreams"),
    ("llm_calls", "dream_id", "dreams"),
)
SWEEPS = (
    "slowwave_claim_due_stores(integer, double precision)",
    "slowwave_find_stalled_dreams(integer, double precision)",
    "slowwave_count_active_dreams()",
    "slowwave_list_tenants()",
)
_CLAIM = """
    CREATE OR REPLACE FUNCTION slowwave_claim_due_stores(p_limit integer, p_hold_seconds double precision)
    RETURNS TABLE (tenant_id text, store_name text)
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      WITH due AS (
        SELECT s.id, s.next_check_at FROM stores s WHERE s.next_check_at <= now()
        ORDER BY s.next_check_at LIMIT p_limit FOR UPDATE SKIP LOCKED
      ), held AS (
        UPDATE stores s
        SET next_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
        FROM due WHERE s.id = due.id RETURNING s.tenant_id, s.name, due.next_check_at AS due_at
      )
      SELECT held.tenant_id, held.name FROM held ORDER BY held.due_at
    $$"""


def upgrade() -> None:
    for table in ("stores", "dreams"):
        op.create_unique_constraint(f"uq_{table}_tenant_id", table, ["tenant_id", "id"])
    for table, column, target in LINKS:
        op.drop_constraint(f"{table}_{column}_fkey", table, type_="foreignkey")
        op.create_foreign_key(f"fk_{table}_{column}", table, target, ["tenant_id", column], ["tenant_id", "id"])
    op.execute(_CLAIM)
    for function in SWEEPS:
        # Temporary tables are searched first unless they are named: a table of the caller could pose as `stores`.
        op.execute(f"ALTER FUNCTION {function} SET search_path = pg_catalog, public, pg_temp")


def downgrade() -> None:
    # The order in which the claim returns its rows stays: nobody can depend on there being none.
    for function in SWEEPS:
        op.execute(f"ALTER FUNCTION {function} SET search_path = public")
    for table, column, target in reversed(LINKS):
        op.drop_constraint(f"fk_{table}_{column}", table, type_="foreignkey")
        op.create_foreign_key(f"{table}_{column}_fkey", table, target, [column], ["id"])
    for table in ("dreams", "stores"):
        op.drop_constraint(f"uq_{table}_tenant_id", table, type_="unique")
