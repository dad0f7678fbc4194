"""API keys, requests that are answered once, and the one function that tells whose key an id is.

The tenant of a request is not known before its key is, so that question crosses tenants: a function of a role of its
own that can read this table and nothing else. It takes an id and returns that key's row, of the secret only the hash.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)
_COLUMNS = (
    "id, tenant_id, name, role, secret_hash, previous_hash, previous_until, rate_per_minute, created_at, expires_at,"
    " revoked_at, last_used_at"
)
_FUNCTION = "slowwave_find_api_key(text)"


def upgrade() -> None:
    _create_keys()
    _create_requests()
    for table in ("api_keys", "api_requests"):
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
        op.execute(f"CREATE POLICY tenant_only ON {table} TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
        op.execute(f"GRANT SELECT, INSERT, UPDATE ON {table} TO slowwave_app")
    op.execute("GRANT DELETE ON api_requests TO slowwave_app")  # answers that nobody will ask for again
    _create_lookup()


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {_FUNCTION}")
    op.drop_table("api_requests")
    op.drop_table("api_keys")
    op.execute("REVOKE USAGE ON SCHEMA public FROM slowwave_keys")


def _create_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("previous_hash", sa.Text(), nullable=True),
        sa.Column("previous_until", _MOMENT, nullable=True),
        sa.Column("rate_per_minute", sa.Integer(), nullable=True),
        sa.Column("created_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=True),
        sa.Column("revoked_at", _MOMENT, nullable=True),
        sa.Column("last_used_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_api_keys_tenant", "api_keys", ["tenant_id", "created_at"])


def _create_requests() -> None:
    op.create_table(
        "api_requests",
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("request_key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("held_until", _MOMENT, nullable=True),
        sa.Column("expires_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.PrimaryKeyConstraint("tenant_id", "key_id", "request_key"),
    )
    op.create_index("ix_api_requests_expiry", "api_requests", ["tenant_id", "expires_at"])


def _create_lookup() -> None:
    # Roles belong to the server, not to a database, so another database's migration may have made it just now.
    op.execute("""
        DO $$ BEGIN
          CREATE ROLE slowwave_keys NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$""")
    op.execute("GRANT slowwave_keys TO CURRENT_USER")
    op.execute("GRANT USAGE ON SCHEMA public TO slowwave_keys")
    op.execute("CREATE POLICY lookup ON api_keys FOR SELECT TO slowwave_keys USING (true)")
    op.execute(f"GRANT SELECT ({_COLUMNS}) ON api_keys TO slowwave_keys")
    op.execute(f"""
        CREATE FUNCTION slowwave_find_api_key(p_id text) RETURNS SETOF api_keys
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
          SELECT {_COLUMNS} FROM public.api_keys WHERE id = p_id
        $$""")
    op.execute(f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO slowwave_app")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_keys")
    op.execute(f"ALTER FUNCTION {_FUNCTION} OWNER TO slowwave_keys")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_keys")
