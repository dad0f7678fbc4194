"""Roles, row-level security and the few functions that may look across tenants."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TENANT_TABLES = (
    "stores", "memories", "memory_versions", "pending_merges",
    "dreams", "phase_runs", "operations", "llm_calls", "audit_log",
)  # fmt: skip
APPEND_ONLY = ("memory_versions", "audit_log")
FUNCTIONS = (
    "slowwave_claim_due_stores(integer, double precision)",
    "slowwave_find_stalled_dreams(integer, double precision)",
    "slowwave_count_active_dreams()",
    "slowwave_list_tenants()",
)


def upgrade() -> None:
    _create_role("slowwave_app", "LOGIN NOINHERIT")
    _create_role("slowwave_sweep", "NOLOGIN")
    # The owner hands its cross-tenant functions to the sweep role, which it must be a member of to do.
    op.execute("GRANT slowwave_sweep TO CURRENT_USER")
    op.execute("GRANT USAGE ON SCHEMA public TO slowwave_app, slowwave_sweep")
    for table in TENANT_TABLES:
        _isolate(table, "tenant_id")
    _isolate("tenants", "id")
    op.execute("GRANT DELETE ON pending_merges TO slowwave_app")
    _open_what_sweeps_need()
    _create_sweep_functions()
    for function in FUNCTIONS:
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_app")
    # A function can be given to a role only if that role may create in the schema, so it may for one statement.
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    for function in FUNCTIONS:
        op.execute(f"ALTER FUNCTION {function} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")
    op.execute("GRANT SELECT ON alembic_version TO slowwave_app")


def downgrade() -> None:
    # The roles stay: other databases of the same server may use them.
    for function in FUNCTIONS:
        op.execute(f"DROP FUNCTION {function}")
    for table in (*TENANT_TABLES, "tenants"):
        op.execute(f"DROP POLICY tenant_only ON {table}")
        op.execute(f"DROP POLICY IF EXISTS sweep ON {table}")
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
        op.execute(f"REVOKE ALL ON {table} FROM slowwave_app, slowwave_sweep")
    op.execute("REVOKE ALL ON alembic_version FROM slowwave_app")
    op.execute("REVOKE USAGE ON SCHEMA public FROM slowwave_app, slowwave_sweep")


def _create_role(name: str, options: str) -> None:
    """Roles belong to the server, not to a database, so another database's migration may have made it just now."""
    op.execute(f"""
        DO $$ BEGIN
          CREATE ROLE {name} {options};
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$""")


def _isolate(table: str, column: str) -> None:
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    mine = f"{column} = current_setting('slowwave.tenant_id', true)"
    op.execute(f"CREATE POLICY tenant_only ON {table} TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
    rights = "SELECT, INSERT" if table in APPEND_ONLY else "SELECT, INSERT, UPDATE"
    op.execute(f"GRANT {rights} ON {table} TO slowwave_app")


def _open_what_sweeps_need() -> None:
    op.execute("CREATE POLICY sweep ON stores TO slowwave_sweep USING (true)")
    op.execute("CREATE POLICY sweep ON dreams FOR SELECT TO slowwave_sweep USING (true)")
    op.execute("CREATE POLICY sweep ON tenants FOR SELECT TO slowwave_sweep USING (true)")
    op.execute("GRANT SELECT (id, tenant_id, name, next_check_at), UPDATE (next_check_at) ON stores TO slowwave_sweep")
    op.execute("GRANT SELECT (id, tenant_id, state, lease_until, sent_at, created_at) ON dreams TO slowwave_sweep")
    op.execute("GRANT SELECT (id) ON tenants TO slowwave_sweep")


def _create_sweep_functions() -> None:
    definer = "LANGUAGE sql SECURITY DEFINER SET search_path = public"
    # Claimed stores are pushed into the near future: whoever checks them sets the real time, and if nobody does,
    # they come up again. The jitter keeps stores that became due together from staying together.
    op.execute(f"""
        CREATE FUNCTION slowwave_claim_due_stores(p_limit integer, p_hold_seconds double precision)
        RETURNS TABLE (tenant_id text, store_name text) {definer} AS $$
          WITH due AS (
            SELECT s.id FROM stores s WHERE s.next_check_at <= now()
            ORDER BY s.next_check_at LIMIT p_limit FOR UPDATE SKIP LOCKED
          )
          UPDATE stores s
          SET next_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
          FROM due WHERE s.id = due.id RETURNING s.tenant_id, s.name
        $$""")
    op.execute(f"""
        CREATE FUNCTION slowwave_find_stalled_dreams(p_limit integer, p_unsent_seconds double precision)
        RETURNS TABLE (tenant_id text, dream_id text) {definer} AS $$
          SELECT d.tenant_id, d.id FROM dreams d
          WHERE (d.state = 'running' AND d.lease_until < now())
             OR (d.state = 'queued' AND coalesce(d.sent_at, d.created_at) < now() - make_interval(secs => p_unsent_seconds))
          ORDER BY coalesce(d.lease_until, d.created_at) LIMIT p_limit
        $$""")
    op.execute(f"""
        CREATE FUNCTION slowwave_count_active_dreams() RETURNS bigint {definer} AS $$
          SELECT count(*) FROM dreams WHERE state IN ('queued', 'running')
        $$""")
    op.execute(f"""
        CREATE FUNCTION slowwave_list_tenants() RETURNS TABLE (tenant_id text) {definer} AS $$
          SELECT id FROM tenants ORDER BY id
        $$""")
