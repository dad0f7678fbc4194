-- The log of searches: written and read by two functions, since the application has no right on the table (grants.sql).
--
-- They belong to slowwave_searches, which sees only the rows of the transaction's tenant. Neither waits for a row that another
-- transaction holds, so that neither is ever part of a deadlock.

-- Add searches of a store, note which memories were read and what was told, and keep at most p_most rows.
--
-- A read belongs to the newest search of its key within ten minutes that showed the memory, or else to the newest one. What is
-- told of a memory belongs to the newest search within a day that showed it, whoever tells it: a person often does.
CREATE FUNCTION slowwave_write_searches(p_store text, p_searches jsonb, p_reads jsonb, p_told jsonb, p_most integer)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  noted record; found text; excess text[];
BEGIN
  INSERT INTO search_log (id, tenant_id, store_id, key_id, asked_at, week, surface, query, shown)
    SELECT s.id, mine, p_store, s.key_id, s.at, date_trunc('week', s.at AT TIME ZONE 'UTC')::date, s.surface, s.query, s.shown
    FROM jsonb_to_recordset(p_searches) AS s (id text, key_id text, at timestamptz, surface text, query text, shown text[]);
  FOR noted IN SELECT * FROM jsonb_to_recordset(p_reads) AS r (key_id text, memory_id text, at timestamptz) ORDER BY r.at LOOP
    SELECT l.id INTO found FROM search_log l
      WHERE l.tenant_id = mine AND l.store_id = p_store AND l.key_id = noted.key_id
        AND l.asked_at BETWEEN noted.at - interval '10 minutes' AND noted.at
      ORDER BY noted.memory_id = ANY (l.shown) DESC, l.asked_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
    UPDATE search_log l SET read_ids = l.read_ids || noted.memory_id
      WHERE l.tenant_id = mine AND l.id = found AND noted.memory_id <> ALL (l.read_ids) AND cardinality(l.read_ids) < 10;
  END LOOP;
  FOR noted IN SELECT * FROM jsonb_to_recordset(p_told) AS t (memory_id text, outcome text, at timestamptz) ORDER BY t.at LOOP
    SELECT l.id INTO found FROM search_log l
      WHERE l.tenant_id = mine AND l.store_id = p_store AND noted.memory_id = ANY (l.shown)
        AND l.asked_at BETWEEN noted.at - interval '1 day' AND noted.at
      ORDER BY l.asked_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
    UPDATE search_log l SET outcome = noted.outcome WHERE l.tenant_id = mine AND l.id = found;
  END LOOP;
  -- A sample of each week by its random numbers, all weeks alike, the newest first. After a day what was not read goes before
  -- everything else: it is no evidence.
  excess := ARRAY(SELECT ranked.id FROM (
      SELECT one.id, one.week, one.is_idle, row_number() OVER (PARTITION BY one.is_idle, one.week ORDER BY one.keep) AS place
      FROM (SELECT s.id, s.week, s.keep, s.read_ids = '{}' AND s.outcome = '' AND s.asked_at < now() - interval '1 day' AS is_idle
            FROM search_log s WHERE s.tenant_id = mine AND s.store_id = p_store) one) ranked
    ORDER BY ranked.is_idle, ranked.place, ranked.week DESC OFFSET p_most);
  IF cardinality(excess) > 0 THEN
    excess := ARRAY(SELECT l.id FROM search_log l WHERE l.tenant_id = mine AND l.id = ANY (excess) FOR UPDATE SKIP LOCKED);
    DELETE FROM search_log l WHERE l.tenant_id = mine AND l.id = ANY (excess);
  END IF;
END
$$;
REVOKE ALL ON FUNCTION slowwave_write_searches(text, jsonb, jsonb, jsonb, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_write_searches(text, jsonb, jsonb, jsonb, integer) TO slowwave_app;
ALTER FUNCTION slowwave_write_searches(text, jsonb, jsonb, jsonb, integer) OWNER TO slowwave_searches;

-- Return the rows of a store with their places: to measure a dream, to forget a text, and to tell a person what is known.
CREATE FUNCTION slowwave_read_searches(p_store text)
RETURNS TABLE (
  row_place text, id text, tenant_id text, store_id text, key_id text, asked_at timestamptz, week date, surface text, query text,
  shown text[], read_ids text[], outcome text, keep double precision
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT l.ctid::text, l.id, l.tenant_id, l.store_id, l.key_id, l.asked_at, l.week, l.surface, l.query, l.shown, l.read_ids,
    l.outcome, l.keep
  FROM search_log l WHERE l.tenant_id = coalesce(current_setting('slowwave.tenant_id', true), '') AND l.store_id = p_store
$$;
REVOKE ALL ON FUNCTION slowwave_read_searches(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_read_searches(text) TO slowwave_app;
ALTER FUNCTION slowwave_read_searches(text) OWNER TO slowwave_searches;
