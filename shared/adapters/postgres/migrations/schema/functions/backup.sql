-- Let slowwave_backup read every table, and nothing else. migrate.py calls this after every migration, so that a new
-- table cannot be missing in a backup: its rows would count as none.
--
-- Row-level security holds for the owner of the tables, too. An owner that is no superuser, as at every provider of
-- PostgreSQL, can make a whole backup only in the name of a role that may see every row.
CREATE FUNCTION slowwave_grant_backup()
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE found record;
BEGIN
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO slowwave_backup;
  GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO slowwave_backup;
  FOR found IN
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity
      AND NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname
                      AND p.policyname = 'backup')
  LOOP
    EXECUTE format('CREATE POLICY backup ON public.%I FOR SELECT TO slowwave_backup USING (true)', found.name);
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION slowwave_grant_backup() FROM PUBLIC;
