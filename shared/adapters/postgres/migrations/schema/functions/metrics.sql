-- Numbers for a metrics scrape and for the console, across all tenants: counts and ages, no texts and no tenant names.

-- Return one row for each gauge. Ages are 0 when nothing waits. Counts stop at 100,000: a larger number costs more to
-- count and tells no more. The age of a running dream excludes snoozes: a snooze moves the deadline, and 300 seconds
-- is the default budget of a dream.
CREATE FUNCTION slowwave_measure()
RETURNS TABLE (name text, state text, value double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'slowwave_due_stores', '', count(*)::float8
  FROM (SELECT 1 FROM stores WHERE next_check_at <= now() LIMIT 100000) s
  UNION ALL
  SELECT 'slowwave_oldest_due_age_seconds', '',
    greatest(0, coalesce(extract(epoch FROM now() - min(next_check_at)), 0))::float8
  FROM stores WHERE next_check_at IS NOT NULL
  UNION ALL
  SELECT 'slowwave_active_dreams', s.state, count(d.id)::float8
  FROM (VALUES ('queued'), ('running')) s (state)
  LEFT JOIN dreams d ON d.state = s.state AND d.state IN ('queued', 'running') GROUP BY s.state
  UNION ALL
  SELECT 'slowwave_oldest_queued_dream_age_seconds', '',
    coalesce(extract(epoch FROM max(now() - greatest(created_at, next_attempt_at))
      FILTER (WHERE (next_attempt_at > now()) IS NOT TRUE)), 0)::float8
  FROM dreams WHERE state = 'queued' AND state IN ('queued', 'running')
  UNION ALL
  SELECT 'slowwave_oldest_running_dream_age_seconds', '',
    coalesce(extract(epoch FROM greatest('0', max(CASE WHEN next_attempt_at IS NOT NULL THEN now() - next_attempt_at
      WHEN snooze_count > 0 THEN now() - deadline_at + interval '300 seconds'
      ELSE now() - started_at END) FILTER (WHERE (next_attempt_at > now()) IS NOT TRUE))), 0)::float8
  FROM dreams WHERE state = 'running' AND state IN ('queued', 'running')
  UNION ALL
  SELECT 'slowwave_lapsed_leases', '', count(*)::float8
  FROM dreams WHERE state = 'running' AND state IN ('queued', 'running') AND lease_until < now()
  UNION ALL
  SELECT 'slowwave_pending_merges', '', count(*)::float8
  FROM (SELECT created_at FROM pending_merges ORDER BY created_at LIMIT 100000) m
  UNION ALL
  SELECT 'slowwave_oldest_pending_merge_age_seconds', '',
    coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
  FROM pending_merges
  UNION ALL
  SELECT 'slowwave_pending_reviews', '', count(*)::float8
  FROM (SELECT 1 FROM operations WHERE review = 'pending' LIMIT 100000) o
  UNION ALL
  SELECT 'slowwave_last_sweep_timestamp_seconds', '', coalesce(extract(epoch FROM last_sweep_at), 0)::float8
  FROM installation
  UNION ALL
  SELECT 'slowwave_paused', '', (paused_at IS NOT NULL)::int::float8 FROM installation
  UNION ALL
  SELECT 'slowwave_defer_percent', '', defer_percent::float8 FROM installation
$$;
REVOKE ALL ON FUNCTION slowwave_measure() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_measure() TO slowwave_app;
ALTER FUNCTION slowwave_measure() OWNER TO slowwave_sweep;

-- Sum up the dreams, tokens and costs of the last days. The BRIN indexes on created_at find those days.
CREATE FUNCTION slowwave_measure_days(p_days integer)
RETURNS TABLE (day date, state text, dreams bigint, tokens bigint, cost_usd double precision, model_calls bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH since AS (
    SELECT date_trunc('day', now(), 'UTC') - make_interval(days => least(greatest(p_days, 1), 92) - 1) AS moment
  )
  SELECT (d.created_at AT TIME ZONE 'UTC')::date, d.state, count(*), 0, 0, 0
  FROM dreams d WHERE d.created_at >= (SELECT moment FROM since) AND NOT starts_with(d.store_id, 'shadow_') GROUP BY 1, 2
  UNION ALL
  SELECT (c.created_at AT TIME ZONE 'UTC')::date, '', 0,
    sum(c.input_tokens + c.output_tokens + c.cached_tokens + c.cache_write_tokens), sum(c.cost_usd), count(*)
  FROM llm_calls c WHERE c.created_at >= (SELECT moment FROM since) GROUP BY 1
$$;
REVOKE ALL ON FUNCTION slowwave_measure_days(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_measure_days(integer) TO slowwave_app;
ALTER FUNCTION slowwave_measure_days(integer) OWNER TO slowwave_sweep;

-- Sum up the model calls of the last days by tenant, store (`tenant/store`), model, phase or day, the most
-- expensive first. The calls of an evaluation whose copies are gone are a phase of their own.
CREATE FUNCTION slowwave_measure_costs(p_days integer, p_by text)
RETURNS TABLE (name text, model_calls bigint, tokens bigint, cost_usd double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH since AS (
    SELECT date_trunc('day', now(), 'UTC') - make_interval(days => least(greatest(p_days, 1), 92) - 1) AS moment
  )
  SELECT CASE p_by WHEN 'tenant' THEN c.tenant_id WHEN 'store' THEN c.tenant_id || '/' || regexp_replace(s.name, '^.*/', '')
      WHEN 'model' THEN c.model WHEN 'phase' THEN CASE WHEN c.dream_id IS NULL THEN 'evaluations' ELSE c.phase END ELSE (c.created_at AT TIME ZONE 'UTC')::date::text END,
    count(*), sum(c.input_tokens + c.output_tokens + c.cached_tokens + c.cache_write_tokens), sum(c.cost_usd)
  FROM llm_calls c LEFT JOIN dreams d ON d.id = c.dream_id
    JOIN stores s ON s.tenant_id = c.tenant_id AND s.id = coalesce(c.paid_for, d.store_id)
  WHERE c.created_at >= (SELECT moment FROM since)
  GROUP BY 1 ORDER BY 4 DESC, 3 DESC, 1 LIMIT 1000
$$;
REVOKE ALL ON FUNCTION slowwave_measure_costs(integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_measure_costs(integer, text) TO slowwave_app;
ALTER FUNCTION slowwave_measure_costs(integer, text) OWNER TO slowwave_sweep;

-- Return the budgets in dollars of all tenants and stores with what is spent of them in their present period, those of which
-- most is used first. A budget of 0 is left out: nothing is to be spent.
CREATE FUNCTION slowwave_measure_budgets()
RETURNS TABLE (tenant_id text, store text, period text, limit_usd double precision, spent_usd double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH budgets AS (
    SELECT t.id AS tenant_id, '' AS store_id, '' AS store, p.period, p.limit_usd
    FROM tenants t CROSS JOIN LATERAL (VALUES ('day', t.usd_per_day), ('month', t.usd_per_month)) AS p (period, limit_usd)
    WHERE t.usd_per_day IS NOT NULL OR t.usd_per_month IS NOT NULL
    UNION ALL
    SELECT s.tenant_id, s.id, s.name, p.period, p.limit_usd
    FROM stores s CROSS JOIN LATERAL (VALUES ('day', s.usd_per_day), ('month', s.usd_per_month)) AS p (period, limit_usd)
    WHERE s.usd_per_day IS NOT NULL OR s.usd_per_month IS NOT NULL
  )
  SELECT u.* FROM (SELECT b.tenant_id, b.store, b.period, b.limit_usd, (
    SELECT coalesce(sum(c.cost_usd), 0) FROM llm_calls c LEFT JOIN dreams d ON d.id = c.dream_id
    WHERE c.tenant_id = b.tenant_id AND c.created_at >= date_trunc(b.period, now(), 'UTC')
      AND (b.store_id = '' OR coalesce(c.paid_for, d.store_id) = b.store_id)) AS spent_usd
  FROM budgets b WHERE b.limit_usd > 0) u
  ORDER BY u.spent_usd / u.limit_usd DESC, 1, 2, 3 LIMIT 1000
$$;
REVOKE ALL ON FUNCTION slowwave_measure_budgets() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_measure_budgets() TO slowwave_app;
ALTER FUNCTION slowwave_measure_budgets() OWNER TO slowwave_sweep;
