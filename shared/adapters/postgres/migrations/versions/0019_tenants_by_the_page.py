"""Tenants are listed page by page: an installation has more of them than anybody wants to read at once."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_WHOLE = "slowwave_list_tenants()"
_PAGED = "slowwave_list_tenants(text, integer, text)"
_CREATE_WHOLE = """
    CREATE FUNCTION slowwave_list_tenants() RETURNS TABLE (tenant_id text)
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      SELECT id FROM tenants ORDER BY id
    $$"""
_CREATE_PAGED = """
    CREATE FUNCTION slowwave_list_tenants(
      p_after text DEFAULT '', p_limit integer DEFAULT NULL, p_holding text DEFAULT '')
    RETURNS TABLE (tenant_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      SELECT id FROM tenants WHERE id > p_after AND (p_holding = '' OR strpos(lower(id), lower(p_holding)) > 0)
      ORDER BY id LIMIT p_limit
    $$"""


def upgrade() -> None:
    _replace(_WHOLE, _PAGED, _CREATE_PAGED)


def downgrade() -> None:
    _replace(_PAGED, _WHOLE, _CREATE_WHOLE)


def _replace(old: str, new: str, create: str) -> None:
    op.execute("GRANT USAGE, CREATE ON SCHEMA public TO slowwave_sweep")
    op.execute(f"DROP FUNCTION {old}")
    op.execute(create)
    op.execute(f"REVOKE ALL ON FUNCTION {new} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {new} TO slowwave_app")
    op.execute(f"ALTER FUNCTION {new} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")
