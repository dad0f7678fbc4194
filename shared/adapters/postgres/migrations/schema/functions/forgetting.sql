-- Take words out of one row that the application found, or delete the row: for what is to be forgotten.
--
-- The application may not change the history by itself. This function belongs to slowwave_redact, which may change only the
-- columns that can hold a text (grants.sql, made from tables/text_places.py), sees only rows of the transaction's tenant, and
-- takes no text that was not there: each string of a new value is one of the old, is empty, or bears the mark of what is forgotten.

-- Return the strings within a JSON value.
CREATE FUNCTION slowwave_strings_of(p_value jsonb)
RETURNS SETOF text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT jsonb_array_elements_text(jsonb_path_query_array(p_value, '$.** ? (@.type() == "string")'))
$$;
REVOKE ALL ON FUNCTION slowwave_strings_of(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_strings_of(jsonb) TO slowwave_redact;

-- Set columns of the row at p_row, or delete it when p_values is NULL. Return false if it has been written in between.
CREATE FUNCTION slowwave_forget_row(p_table text, p_row tid, p_values jsonb)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  key text := CASE p_table WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END;
  known jsonb; names text; number bigint;
BEGIN
  IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
  IF p_values IS NULL THEN
    EXECUTE format('DELETE FROM public.%I t WHERE t.ctid = $1 AND t.%I = $2', p_table, key) USING p_row, mine;
    GET DIAGNOSTICS number = ROW_COUNT;
    RETURN number = 1;
  END IF;
  EXECUTE format('SELECT to_jsonb(t) FROM public.%I t WHERE t.ctid = $1 AND t.%I = $2', p_table, key)
    INTO known USING p_row, mine;
  IF known IS NULL THEN RETURN false; END IF;
  IF EXISTS (SELECT 1 FROM jsonb_each(p_values) AS n (name, value), slowwave_strings_of(n.value) AS s (said)
      WHERE said <> '' AND position('[forgotten' IN said) = 0
        AND said NOT IN (SELECT slowwave_strings_of(known -> n.name))) THEN
    RAISE EXCEPTION 'only what was there may stay in %', p_table;
  END IF;
  SELECT string_agg(format('%I', n.name), ', ') INTO names FROM jsonb_object_keys(p_values) AS n (name);
  EXECUTE format('UPDATE public.%1$I t SET (%2$s) = ROW (%3$s) FROM jsonb_populate_record(NULL::public.%1$I, $3) r'
    ' WHERE t.ctid = $1 AND t.%4$I = $2', p_table, names,
    (SELECT string_agg(format('r.%I', n.name), ', ') FROM jsonb_object_keys(p_values) AS n (name)), key)
    USING p_row, mine, p_values;
  GET DIAGNOSTICS number = ROW_COUNT;
  RETURN number = 1;
END
$$;
REVOKE ALL ON FUNCTION slowwave_forget_row(text, tid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_forget_row(text, tid, jsonb) TO slowwave_app;
ALTER FUNCTION slowwave_forget_row(text, tid, jsonb) OWNER TO slowwave_redact;
