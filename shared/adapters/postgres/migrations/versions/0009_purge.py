"""Purging: a role that may delete one tenant's rows, deletion of a tenant with its proof, and the operator's log.

The application role keeps its rights: it appends, and asks functions for the rest. What those can reach is bounded twice:
by the policies of their role (the transaction's tenant, nobody else's) and by what the functions do.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_NOW = sa.text("now()")
FUNCTIONS = ("slowwave_erase_tenant(text)",)
_SAFE_PATH = "SET search_path = pg_catalog, public, pg_temp"

#: Run after every migration by migrate.upgrade, so that a new table with a tenant cannot be forgotten.
_OPEN = f"""
    CREATE FUNCTION slowwave_open_to_purge() RETURNS void LANGUAGE plpgsql {_SAFE_PATH} AS $$
    DECLARE found record;
    BEGIN
      FOR found IN
        SELECT c.relname AS name, a.attname AS tenant FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped
          AND (a.attname = 'tenant_id' OR (c.relname = 'tenants' AND a.attname = 'id'))
          AND NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname
                          AND p.policyname = 'purge')
      LOOP
        EXECUTE format('GRANT SELECT, DELETE ON public.%I TO slowwave_purge', found.name);
        EXECUTE format('CREATE POLICY purge ON public.%I TO slowwave_purge'
          ' USING (%I = current_setting(''slowwave.tenant_id'', true)) WITH CHECK (false)', found.name, found.tenant);
      END LOOP;
    END $$"""

# The order comes from the foreign keys: what nothing else hangs on goes first. A table that the role cannot see would
# count as empty, so it is an error; so is a cycle, a row that is left, and, by its foreign key, a table that names the
# tenant in a column of another name.
_ERASE = f"""
    CREATE FUNCTION slowwave_erase_tenant(p_actor text) RETURNS TABLE (table_name text, deleted bigint)
    LANGUAGE plpgsql SECURITY DEFINER {_SAFE_PATH} AS $$
    DECLARE
      wanted text := coalesce(current_setting('slowwave.tenant_id', true), '');
      everything text[]; waiting text[]; one text; number bigint; rows jsonb := '{{}}';
    BEGIN
      IF wanted = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
      everything := ARRAY(SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped
          AND a.attname = 'tenant_id' ORDER BY 1);
      FOREACH one IN ARRAY everything LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = one
                       AND 'slowwave_purge' = ANY (p.roles)) THEN
          RAISE EXCEPTION 'table % hides its rows from slowwave_purge', one;
        END IF;
      END LOOP;
      waiting := everything;
      WHILE cardinality(waiting) > 0 LOOP
        SELECT w INTO one FROM unnest(waiting) w WHERE NOT EXISTS (
          SELECT 1 FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid
          WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND k.confrelid = format('public.%I', w)::regclass
            AND child.relname = ANY (waiting)) ORDER BY w LIMIT 1;
        IF one IS NULL THEN RAISE EXCEPTION 'foreign keys go round in %', waiting; END IF;
        EXECUTE format('DELETE FROM public.%I WHERE tenant_id = $1', one) USING wanted;
        GET DIAGNOSTICS number = ROW_COUNT;
        rows := rows || jsonb_build_object(one, number);
        waiting := array_remove(waiting, one);
      END LOOP;
      DELETE FROM tenants WHERE id = wanted;
      GET DIAGNOSTICS number = ROW_COUNT;
      rows := rows || jsonb_build_object('tenants', number);
      FOREACH one IN ARRAY everything LOOP
        EXECUTE format('SELECT count(*) FROM public.%I WHERE tenant_id = $1', one) INTO number USING wanted;
        IF number > 0 THEN RAISE EXCEPTION '% rows are left in %', number, one; END IF;
      END LOOP;
      INSERT INTO installation_log (id, actor, action, detail) VALUES ('ins_' || gen_random_uuid(), p_actor,
        'tenant.erase', jsonb_build_object('tenant', wanted, 'rows', rows, 'left', 0));
      RETURN QUERY SELECT e.key, e.value::bigint FROM jsonb_each_text(rows) e ORDER BY 1;
    END $$"""


def upgrade() -> None:
    op.execute("""
        DO $$ BEGIN
          CREATE ROLE slowwave_purge NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$""")
    op.execute("GRANT slowwave_purge TO CURRENT_USER")
    op.execute("GRANT USAGE ON SCHEMA public TO slowwave_purge")
    op.create_table(
        "installation_log",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("detail", postgresql.JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False),
        sa.Column("created_at", postgresql.TIMESTAMP(timezone=True), server_default=_NOW, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute("ALTER TABLE installation_log ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE installation_log FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY everybody_reads ON installation_log FOR SELECT TO slowwave_app USING (true)")
    # A deletion is recorded by the function that does it, and by nobody else.
    may = "WITH CHECK (action <> 'tenant.erase')"
    op.execute(f"CREATE POLICY operators_append ON installation_log FOR INSERT TO slowwave_app {may}")
    op.execute("CREATE POLICY erasures_append ON installation_log FOR INSERT TO slowwave_purge WITH CHECK (true)")
    op.execute("GRANT SELECT, INSERT ON installation_log TO slowwave_app")
    op.execute("GRANT INSERT ON installation_log TO slowwave_purge")
    op.execute(_OPEN)
    op.execute("REVOKE ALL ON FUNCTION slowwave_open_to_purge() FROM PUBLIC")
    op.execute("SELECT slowwave_open_to_purge()")
    op.execute(_ERASE)
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_purge")
    for function in FUNCTIONS:
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_app")
        op.execute(f"ALTER FUNCTION {function} OWNER TO slowwave_purge")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_purge")


def downgrade() -> None:
    # The role stays: other databases of the same server may use it.
    for function in FUNCTIONS:
        op.execute(f"DROP FUNCTION {function}")
    op.execute("DROP FUNCTION slowwave_open_to_purge()")
    op.execute("""
        DO $$ DECLARE one text; BEGIN
          FOR one IN SELECT tablename FROM pg_policies WHERE schemaname = 'public' AND policyname = 'purge' LOOP
            EXECUTE format('DROP POLICY purge ON public.%I', one);
            EXECUTE format('REVOKE ALL ON public.%I FROM slowwave_purge', one);
          END LOOP;
        END $$""")
    op.drop_table("installation_log")
    op.execute("REVOKE USAGE ON SCHEMA public FROM slowwave_purge")
