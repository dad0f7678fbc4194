-- The roles.
--
-- Roles belong to the server and not to a database, so another database may have created them already, even in this
-- moment. They have no password here: how the application logs in is up to the server's operator.
--
--   slowwave_app     the application. It sees the rows of the tenant in the setting slowwave.tenant_id, and no others.
--   slowwave_sweep   owns the functions that look across tenants to find work, and the metrics.
--   slowwave_purge   owns the functions that delete: retention, and the deletion of a tenant.
--   slowwave_redact  owns the function that empties a version of a memory.
--   slowwave_keys    owns the function that finds an API key by its id.
--   slowwave_audit   owns the function that reads all audit logs.
--
-- The application has no rights of the other roles: it calls their functions (SECURITY DEFINER), each of which does one
-- thing. Their search_path is fixed and ends with pg_temp, because temporary tables are searched first otherwise, and a
-- temporary table of the caller could pose as one of the real tables.
DO $$
DECLARE wanted record;
BEGIN
  FOR wanted IN SELECT * FROM (VALUES
    ('slowwave_app', 'LOGIN NOINHERIT'),
    ('slowwave_sweep', 'NOLOGIN'),
    ('slowwave_purge', 'NOLOGIN'),
    ('slowwave_redact', 'NOLOGIN'),
    ('slowwave_keys', 'NOLOGIN'),
    ('slowwave_audit', 'NOLOGIN')
  ) AS roles (name, options) LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I %s', wanted.name, wanted.options);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END LOOP;
END $$;

-- The owner of the tables hands functions to these roles, which takes membership in them.
GRANT slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit TO CURRENT_USER;
GRANT USAGE ON SCHEMA public
  TO slowwave_app, slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit;

-- A function can be handed only to a role that may create in its schema. grants.sql revokes this when all are made.
GRANT CREATE ON SCHEMA public TO slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit;
