-- Check many due stores in one call: read the facts for their gates, record verdicts, put claims back.
--
-- These functions run with the caller's rights and set one tenant after the other, as a loop of transactions would, so
-- that row-level security holds for every row. "version" is the row's xmin: it changes with every write to the row.

-- Return each store with its tenant, the outcomes of its last p_ended dreams since it was last forgiven, its active
-- dream, the number of active dreams of its tenant and the tokens that its tenant has used today. Digests and
-- compactions do not count as ended dreams.
CREATE FUNCTION slowwave_read_stores(p_tenants text[], p_stores text[], p_ended integer)
RETURNS TABLE (
  store stores,
  tenant tenants,
  version text,
  has_failed boolean[],
  reasons text[],
  active_dream text,
  tenant_dreams bigint,
  tokens_today bigint
)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE due record; line record; current text := '';
BEGIN
  FOR due IN SELECT * FROM unnest(p_tenants, p_stores) AS d (owner, name) ORDER BY owner LOOP
    IF due.owner <> current THEN
      current := due.owner;
      PERFORM set_config('slowwave.tenant_id', current, true);
      SELECT * INTO tenant FROM tenants t WHERE t.id = current;
      CONTINUE WHEN tenant.id IS NULL;
      SELECT count(*) INTO tenant_dreams FROM (
        SELECT 1 FROM dreams d WHERE d.tenant_id = current AND d.state IN ('queued', 'running')
        LIMIT tenant.max_concurrent_dreams + 1) active;
      SELECT coalesce(sum(c.input_tokens + c.output_tokens + c.cached_tokens + c.cache_write_tokens), 0)
        INTO tokens_today FROM llm_calls c
        WHERE c.tenant_id = current AND c.created_at >= date_trunc('day', now(), 'UTC');
    END IF;
    SELECT s AS store, s.xmin::text AS version INTO line FROM stores s
      WHERE s.tenant_id = current AND s.name = due.name;
    CONTINUE WHEN NOT FOUND;
    store := line.store;
    version := line.version;
    SELECT coalesce(max(d.id), '') INTO active_dream FROM dreams d
      WHERE d.tenant_id = current AND d.store_id = store.id AND d.state IN ('queued', 'running');
    SELECT array_agg(e.has_failed), array_agg(e.reason) INTO has_failed, reasons FROM (
      SELECT d.has_failed, d.reason FROM dreams d
      WHERE d.tenant_id = current AND d.store_id = store.id AND NOT d.is_dry_run
        AND d.trigger NOT IN ('digest', 'compaction')
        AND d.state IN ('completed', 'partial', 'error')
        AND d.finished_at > coalesce(store.forgiven_at, '-infinity')
      ORDER BY d.created_at DESC LIMIT p_ended) e;
    RETURN NEXT;
  END LOOP;
  PERFORM set_config('slowwave.tenant_id', '', true);
END
$$;
REVOKE ALL ON FUNCTION slowwave_read_stores(text[], text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_read_stores(text[], text[], integer) TO slowwave_app;

-- Record the verdict of each store whose row is unchanged since it was read and not locked; return the ids of those.
CREATE FUNCTION slowwave_record_verdicts(
  p_tenants text[],
  p_ids text[],
  p_versions text[],
  p_verdicts jsonb[],
  p_next timestamptz[],
  p_full boolean[]
)
RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE kept record;
BEGIN
  FOR kept IN SELECT * FROM unnest(p_tenants, p_ids, p_versions, p_verdicts, p_next, p_full)
              AS k (owner, id, version, verdict, next_at, is_full) LOOP
    PERFORM set_config('slowwave.tenant_id', kept.owner, true);
    UPDATE stores s
      SET last_verdict = kept.verdict, next_check_at = kept.next_at,
          is_quarantined = kept.verdict->>'gate' = 'quarantine',
          last_check_at = CASE WHEN kept.is_full THEN (kept.verdict->>'at')::timestamptz ELSE s.last_check_at END
      WHERE s.tenant_id = kept.owner AND s.id = (
        SELECT h.id FROM stores h
        WHERE h.tenant_id = kept.owner AND h.id = kept.id AND h.xmin::text = kept.version FOR UPDATE SKIP LOCKED);
    IF FOUND THEN
      RETURN NEXT kept.id;
    END IF;
  END LOOP;
  PERFORM set_config('slowwave.tenant_id', '', true);
END
$$;
REVOKE ALL ON FUNCTION slowwave_record_verdicts(text[], text[], text[], jsonb[], timestamptz[], boolean[])
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_record_verdicts(text[], text[], text[], jsonb[], timestamptz[], boolean[])
  TO slowwave_app;

-- Put claimed stores back to the time at which they were due, so that they do not lose their turn.
CREATE FUNCTION slowwave_release_due_stores(p_tenants text[], p_stores text[], p_due_at timestamptz[])
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE given record;
BEGIN
  FOR given IN SELECT * FROM unnest(p_tenants, p_stores, p_due_at) AS g (owner, name, due_at) LOOP
    PERFORM set_config('slowwave.tenant_id', given.owner, true);
    UPDATE stores s SET next_check_at = given.due_at
      WHERE s.tenant_id = given.owner AND s.id = (
        SELECT h.id FROM stores h
        WHERE h.tenant_id = given.owner AND h.name = given.name AND h.next_check_at > given.due_at
        FOR UPDATE SKIP LOCKED);
  END LOOP;
  PERFORM set_config('slowwave.tenant_id', '', true);
END
$$;
REVOKE ALL ON FUNCTION slowwave_release_due_stores(text[], text[], timestamptz[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_release_due_stores(text[], text[], timestamptz[]) TO slowwave_app;
