-- What an operator asks across tenants: who needs attention, whose a dream is, which stores are in quarantine, and what the
-- alerts go by. Numbers and ids, no texts.

-- Rank tenants by what a person should look at: "attention" takes the most urgent one first (quarantined stores, failed dreams,
-- overdue checks, a budget nearly spent, reviews, a pause) and, of those alike, the tenant with more of it. Other orders name
-- one column. A page begins after (p_below, p_after); p_below is null on the first one. Failed and partial dreams are those of
-- seven days, a check is overdue after an hour, and spent is the share of the tenant's own budget of the
-- day, in tokens or dollars, of which more is gone.
CREATE FUNCTION slowwave_rank_tenants(
  p_order text, p_containing text, p_below double precision, p_after text, p_limit integer
)
RETURNS TABLE (
  tenant_id text,
  rank double precision,
  is_paused boolean,
  quarantined bigint,
  failed bigint,
  partial bigint,
  overdue bigint,
  to_review bigint,
  running bigint,
  tokens_today bigint,
  cost_today double precision,
  spent double precision
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH held AS (
    SELECT s.tenant_id AS id, count(*) AS number FROM stores s WHERE s.is_quarantined GROUP BY 1
  ), late AS (
    SELECT s.tenant_id AS id, count(*) AS number FROM stores s
    WHERE s.next_check_at < now() - interval '1 hour' GROUP BY 1
  ), ended AS (
    SELECT d.tenant_id AS id, count(*) FILTER (WHERE d.state = 'error') AS failed,
      count(*) FILTER (WHERE d.state = 'partial') AS partial
    FROM dreams d WHERE d.state IN ('error', 'partial') AND d.created_at >= now() - interval '7 days'
      AND NOT starts_with(d.store_id, 'shadow_') GROUP BY 1
  ), busy AS (
    SELECT d.tenant_id AS id, count(*) AS number FROM dreams d
    WHERE d.state = 'running' AND d.state IN ('queued', 'running') GROUP BY 1
  ), waiting AS (
    SELECT o.tenant_id AS id, count(*) AS number FROM operations o WHERE o.review = 'pending' GROUP BY 1
  ), used AS (
    SELECT c.tenant_id AS id, sum(c.cost_usd) AS cost,
      sum(c.input_tokens + c.output_tokens + c.cached_tokens + c.cache_write_tokens) AS tokens
    FROM llm_calls c WHERE c.created_at >= date_trunc('day', now(), 'UTC') GROUP BY 1
  ), told AS (
    SELECT t.id, t.paused_at IS NOT NULL AS is_paused, coalesce(held.number, 0) AS quarantined,
      coalesce(ended.failed, 0) AS failed, coalesce(ended.partial, 0) AS partial, coalesce(late.number, 0) AS overdue,
      coalesce(waiting.number, 0) AS to_review, coalesce(busy.number, 0) AS running,
      coalesce(used.tokens, 0)::bigint AS tokens, coalesce(used.cost, 0)::float8 AS cost,
      greatest(coalesce(used.tokens, 0)::float8 / nullif(t.tokens_per_day, 0),
        coalesce(used.cost, 0) / nullif(t.usd_per_day, 0)) AS spent
    FROM tenants t
    LEFT JOIN held ON held.id = t.id LEFT JOIN late ON late.id = t.id LEFT JOIN ended ON ended.id = t.id
    LEFT JOIN busy ON busy.id = t.id LEFT JOIN waiting ON waiting.id = t.id LEFT JOIN used ON used.id = t.id
    WHERE p_containing = '' OR strpos(lower(t.id), lower(p_containing)) > 0
  ), ranked AS (
    SELECT told.*, CASE p_order
      WHEN 'attention' THEN
        (32 * (quarantined > 0)::int + 16 * (failed > 0)::int + 8 * (overdue > 0)::int
          + 4 * (coalesce(spent, 0) >= 0.8)::int + 2 * (to_review > 0)::int + is_paused::int) * 1e6
        + least(999999, quarantined + failed + overdue + to_review)
      WHEN 'quarantined' THEN quarantined
      WHEN 'failed' THEN failed
      WHEN 'overdue' THEN overdue
      WHEN 'to_review' THEN to_review
      WHEN 'spent' THEN coalesce(spent, 0)
      WHEN 'running' THEN running
      WHEN 'partial' THEN partial
      WHEN 'tokens' THEN tokens
      WHEN 'cost' THEN cost
      WHEN 'paused' THEN is_paused::int
      ELSE 0 END::float8 AS rank
    FROM told
  )
  SELECT id, rank, is_paused, quarantined, failed, partial, overdue, to_review, running, tokens, cost, spent
  FROM ranked WHERE p_below IS NULL OR rank < p_below OR (rank = p_below AND id > p_after)
  ORDER BY rank DESC, id LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_rank_tenants(text, text, double precision, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_rank_tenants(text, text, double precision, text, integer) TO slowwave_app;
ALTER FUNCTION slowwave_rank_tenants(text, text, double precision, text, integer) OWNER TO slowwave_sweep;

-- Return whose dream this is.
CREATE FUNCTION slowwave_find_owner_of_dream(p_dream text)
RETURNS TABLE (tenant_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT d.tenant_id FROM dreams d WHERE d.id = p_dream
$$;
REVOKE ALL ON FUNCTION slowwave_find_owner_of_dream(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_owner_of_dream(text) TO slowwave_app;
ALTER FUNCTION slowwave_find_owner_of_dream(text) OWNER TO slowwave_sweep;

-- List the stores in quarantine, page by page.
CREATE FUNCTION slowwave_list_quarantined_stores(p_tenant text, p_store text, p_limit integer)
RETURNS TABLE (tenant_id text, store_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT s.tenant_id, s.name FROM stores s
  WHERE s.is_quarantined AND (s.tenant_id, s.name) > (p_tenant, p_store) ORDER BY s.tenant_id, s.name LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_list_quarantined_stores(text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_list_quarantined_stores(text, text, integer) TO slowwave_app;
ALTER FUNCTION slowwave_list_quarantined_stores(text, text, integer) OWNER TO slowwave_sweep;

-- Count what alerts compare over a short time: dreams that ended within 30 minutes, model calls of 10 minutes, the cost of an
-- hour. A dream lasts less than a day, so that the BRIN indexes on created_at find all of these.
CREATE FUNCTION slowwave_measure_recent()
RETURNS TABLE (name text, state text, value double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'recent_dreams', d.state, count(*)::float8 FROM dreams d
  WHERE d.created_at >= now() - interval '1 day' AND d.finished_at >= now() - interval '30 minutes'
    AND NOT starts_with(d.store_id, 'shadow_') GROUP BY d.state
  UNION ALL
  SELECT 'recent_calls', c.outcome, count(*)::float8 FROM llm_calls c
  WHERE c.created_at >= now() - interval '10 minutes' GROUP BY c.outcome
  UNION ALL
  SELECT 'recent_cost_usd', '', coalesce(sum(c.cost_usd), 0)::float8 FROM llm_calls c
  WHERE c.created_at >= now() - interval '1 hour'
$$;
REVOKE ALL ON FUNCTION slowwave_measure_recent() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_measure_recent() TO slowwave_app;
ALTER FUNCTION slowwave_measure_recent() OWNER TO slowwave_sweep;
