-- Delete a tenant with all of its rows, and record that it was done.

-- Let slowwave_purge read and delete the rows of one tenant in every table that has a tenant. migrate.py calls this
-- after every migration, so that a new table cannot be forgotten.
CREATE FUNCTION slowwave_grant_purge()
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
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
END
$$;
REVOKE ALL ON FUNCTION slowwave_grant_purge() FROM PUBLIC;

-- Delete the rows of the transaction's tenant and return the number of rows by table.
--
-- The order comes from the foreign keys: a table that no remaining table refers to goes first. It is an error when the
-- role cannot see a table (its rows would count as none), when the keys form a cycle, or when a row is left.
CREATE FUNCTION slowwave_erase_tenant(p_actor text)
RETURNS TABLE (table_name text, deleted bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := coalesce(current_setting('slowwave.tenant_id', true), '');
  everything text[]; waiting text[]; one text; number bigint; rows jsonb := '{}';
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
    IF one IS NULL THEN RAISE EXCEPTION 'foreign keys form a cycle in %', waiting; END IF;
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
END
$$;
REVOKE ALL ON FUNCTION slowwave_erase_tenant(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_erase_tenant(text) TO slowwave_app;
ALTER FUNCTION slowwave_erase_tenant(text) OWNER TO slowwave_purge;
