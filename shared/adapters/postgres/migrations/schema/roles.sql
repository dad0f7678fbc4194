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
--   slowwave_searches owns the functions that write and read the log of searches, and has rights on no other table.
--   slowwave_backup  reads every row, for `slowwave backup`. The owner takes its name for that and has its rights at no
--                    other time (from PostgreSQL 16 on; before, members have the rights of a role all the time).
--
-- The application has no rights of the other roles: it calls their functions (SECURITY DEFINER), each of which does one
-- thing. Their search_path is fixed and ends with pg_temp, because temporary tables are searched first otherwise, and a
-- temporary table of the caller could pose as one of the real tables.
-- The owner of the tables hands functions to these roles, which takes membership in them. Where an administrator has made
-- the roles and the owner a member of them, the owner needs no right of its own to make roles.
DO $$
DECLARE
  wanted record;
  knows_set constant boolean := current_setting('server_version_num')::integer >= 160000;
BEGIN
  FOR wanted IN SELECT * FROM (VALUES
    ('slowwave_app', 'LOGIN NOINHERIT', NULL),
    ('slowwave_sweep', 'NOLOGIN', 'TRUE'),
    ('slowwave_purge', 'NOLOGIN', 'TRUE'),
    ('slowwave_redact', 'NOLOGIN', 'TRUE'),
    ('slowwave_keys', 'NOLOGIN', 'TRUE'),
    ('slowwave_audit', 'NOLOGIN', 'TRUE'),
    ('slowwave_searches', 'NOLOGIN', 'TRUE'),
    ('slowwave_backup', 'NOLOGIN', 'FALSE')
  ) AS roles (name, options, inherits) LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted.name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I %s', wanted.name, wanted.options);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF wanted.inherits IS NULL OR EXISTS (
      SELECT 1 FROM pg_auth_members m WHERE m.roleid = wanted.name::regrole AND m.member = current_user::regrole
      AND (NOT knows_set OR coalesce((to_jsonb(m) ->> 'set_option')::boolean, true))
    ) THEN
      NULL;
    ELSIF knows_set THEN
      EXECUTE format('GRANT %I TO CURRENT_USER WITH INHERIT %s, SET TRUE', wanted.name, wanted.inherits);
    ELSE
      EXECUTE format('GRANT %I TO CURRENT_USER', wanted.name);
    END IF;
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA public
  TO slowwave_app, slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit, slowwave_searches, slowwave_backup;

-- A function can be handed only to a role that may create in its schema. grants.sql revokes this when all are made.
GRANT CREATE ON SCHEMA public
  TO slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit, slowwave_searches;
