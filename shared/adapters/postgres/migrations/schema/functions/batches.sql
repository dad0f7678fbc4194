-- Find the dreams of all tenants that wait for Message Batches.

-- Return the states and batches in which questions of each dream are, those that wait longest first.
CREATE FUNCTION slowwave_find_batched_dreams(p_limit integer)
RETURNS TABLE (tenant_id text, dream_id text, state text, batch_id text, since timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT b.tenant_id, b.dream_id, b.state, b.batch_id, min(coalesce(b.sent_at, b.created_at))
  FROM batch_calls b
  WHERE b.dream_id IN (
    SELECT o.dream_id FROM batch_calls o GROUP BY o.dream_id ORDER BY min(o.created_at) LIMIT p_limit)
  GROUP BY b.tenant_id, b.dream_id, b.state, b.batch_id
  ORDER BY min(b.created_at)
$$;
REVOKE ALL ON FUNCTION slowwave_find_batched_dreams(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_batched_dreams(integer) TO slowwave_app;
ALTER FUNCTION slowwave_find_batched_dreams(integer) OWNER TO slowwave_sweep;
