"""Operators read the audit log of all tenants together with their own log, page by page, through one function.

An entry names things by ids and fields and holds no text of a memory, so that what the function shows is who did what.
"""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_FUNCTION = "slowwave_read_audit(timestamptz, text, integer, text, text)"
_TABLES = ("audit_log", "installation_log")
_CREATE = """
    CREATE FUNCTION slowwave_read_audit(p_at timestamptz, p_id text, p_limit integer, p_actor text, p_action text)
    RETURNS TABLE (id text, tenant_id text, created_at timestamptz, actor text, action text, detail jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      WITH both_logs AS (
        (SELECT a.id, a.tenant_id, a.created_at, a.actor, a.action, a.detail FROM audit_log a
         WHERE (p_at IS NULL OR (a.created_at, a.id) < (p_at, p_id))
           AND (p_actor IS NULL OR a.actor = p_actor)
           AND (p_action IS NULL OR a.action = p_action OR (right(p_action, 1) = '.' AND starts_with(a.action, p_action)))
         ORDER BY a.created_at DESC, a.id DESC LIMIT p_limit)
        UNION ALL
        (SELECT l.id, NULL, l.created_at, l.actor, 'installation.' || l.action, l.detail FROM installation_log l
         WHERE (p_at IS NULL OR (l.created_at, l.id) < (p_at, p_id))
           AND (p_actor IS NULL OR l.actor = p_actor)
           AND (p_action IS NULL OR 'installation.' || l.action = p_action
                OR (right(p_action, 1) = '.' AND starts_with('installation.' || l.action, p_action)))
         ORDER BY l.created_at DESC, l.id DESC LIMIT p_limit)
      )
      SELECT * FROM both_logs b ORDER BY b.created_at DESC, b.id DESC LIMIT p_limit
    $$"""


def upgrade() -> None:
    op.create_index("ix_audit_log_recent", "audit_log", ["created_at", "id"])
    # Roles belong to the server, not to a database, so another database's migration may have made it just now.
    op.execute("""
        DO $$ BEGIN
          CREATE ROLE slowwave_audit NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$""")
    op.execute("GRANT slowwave_audit TO CURRENT_USER")
    op.execute("GRANT USAGE, CREATE ON SCHEMA public TO slowwave_audit")
    for one in _TABLES:
        op.execute(f"GRANT SELECT ON {one} TO slowwave_audit")
        op.execute(f"CREATE POLICY operators_read ON {one} FOR SELECT TO slowwave_audit USING (true)")
    op.execute(_CREATE)
    op.execute(f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO slowwave_app")
    op.execute(f"ALTER FUNCTION {_FUNCTION} OWNER TO slowwave_audit")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_audit")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {_FUNCTION}")
    for one in _TABLES:
        op.execute(f"DROP POLICY operators_read ON {one}")
        op.execute(f"REVOKE SELECT ON {one} FROM slowwave_audit")
    op.execute("REVOKE USAGE ON SCHEMA public FROM slowwave_audit")
    op.drop_index("ix_audit_log_recent", "audit_log")
