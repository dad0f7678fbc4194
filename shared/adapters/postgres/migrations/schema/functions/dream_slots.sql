-- Count and find dreams across tenants: admission, and the reconciler that sends lost dreams again.
--
-- A snoozed dream (next_attempt_at in the future) holds no worker and takes no slot.

-- A tenant never has the last slot of an installation, whatever its own limit is: decide_share of
-- shared/core/tenants/store.py.

-- Count the dreams that take a slot of the installation. What waits for a slot of its own tenant takes none from
-- others.
CREATE FUNCTION slowwave_count_active_dreams(p_slots integer)
RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(sum(least(a.number, t.max_concurrent_dreams, greatest(1, p_slots - 1))), 0)::bigint
  FROM (
    SELECT d.tenant_id, count(*) AS number FROM dreams d
    WHERE d.state IN ('queued', 'running') AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= now())
    GROUP BY d.tenant_id
  ) a
  JOIN tenants t ON t.id = a.tenant_id
$$;
REVOKE ALL ON FUNCTION slowwave_count_active_dreams(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_count_active_dreams(integer) TO slowwave_app;
ALTER FUNCTION slowwave_count_active_dreams(integer) OWNER TO slowwave_sweep;

-- Count the dreams that hold a worker.
CREATE FUNCTION slowwave_count_running_dreams()
RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT count(*) FROM dreams WHERE state = 'running' AND next_attempt_at IS NULL
$$;
REVOKE ALL ON FUNCTION slowwave_count_running_dreams() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_count_running_dreams() TO slowwave_app;
ALTER FUNCTION slowwave_count_running_dreams() OWNER TO slowwave_sweep;

-- Find the dreams to send when slots become free. Woken dreams go first, because they have begun; then the next dream
-- of each tenant within its own slots, then the one after that. A tenant's copies, which evaluations dream over, go after all of
-- its stores.
CREATE FUNCTION slowwave_find_next_dreams(p_slots integer)
RETURNS TABLE (tenant_id text, dream_id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH active AS (
    SELECT d.tenant_id, d.id, d.state, d.next_attempt_at, coalesce(d.sent_at, d.created_at) AS since,
      starts_with(d.store_id, 'shadow_') AS of_copy
    FROM dreams d WHERE d.state IN ('queued', 'running')
  ), used AS (
    SELECT a.tenant_id, count(*) FILTER (WHERE a.state = 'running') AS slots FROM active a GROUP BY a.tenant_id
  ), waiting AS (
    SELECT a.*, row_number() OVER (PARTITION BY a.tenant_id, a.state ORDER BY a.of_copy, a.since, a.id) AS turn
    FROM active a WHERE a.next_attempt_at <= now() OR (a.state = 'queued' AND a.next_attempt_at IS NULL)
  )
  SELECT w.tenant_id, w.id FROM waiting w JOIN used u USING (tenant_id) JOIN tenants t ON t.id = w.tenant_id
  WHERE w.state = 'running' OR u.slots + w.turn <= least(t.max_concurrent_dreams, greatest(1, p_slots - 1))
  ORDER BY w.state = 'queued', w.of_copy, w.turn, w.since, w.id
  LIMIT greatest(0, p_slots - (SELECT count(*) FROM dreams WHERE state = 'running' AND next_attempt_at IS NULL))
$$;
REVOKE ALL ON FUNCTION slowwave_find_next_dreams(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_next_dreams(integer) TO slowwave_app;
ALTER FUNCTION slowwave_find_next_dreams(integer) OWNER TO slowwave_sweep;

-- Find dreams whose message or worker is lost. Dreams that have begun hold a slot, so they go first; then the oldest
-- queued dream of each tenant, then the second oldest. A snoozed dream has no lease that could expire: it is found
-- when its time has come, and again while no worker has taken it.
CREATE FUNCTION slowwave_find_stalled_dreams(p_limit integer, p_unsent_seconds double precision)
RETURNS TABLE (tenant_id text, dream_id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT f.tenant_id, f.id FROM (
    SELECT d.tenant_id, d.id, d.state, coalesce(d.next_attempt_at, d.lease_until, d.created_at) AS since,
      row_number() OVER (
        PARTITION BY d.tenant_id, d.state ORDER BY coalesce(d.next_attempt_at, d.lease_until, d.created_at)) AS turn
    FROM dreams d
    WHERE d.state IN ('queued', 'running') AND CASE
      WHEN d.next_attempt_at IS NOT NULL THEN d.next_attempt_at <= now()
        AND (d.sent_at IS NULL OR d.sent_at < d.next_attempt_at
             OR d.sent_at < now() - make_interval(secs => p_unsent_seconds))
      WHEN d.state = 'running' THEN d.lease_until < now()
      ELSE coalesce(d.sent_at, d.created_at) < now() - make_interval(secs => p_unsent_seconds) END
  ) f
  ORDER BY f.state = 'queued', f.turn, f.since LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_find_stalled_dreams(integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_stalled_dreams(integer, double precision) TO slowwave_app;
ALTER FUNCTION slowwave_find_stalled_dreams(integer, double precision) OWNER TO slowwave_sweep;

-- Count the stores in quarantine.
CREATE FUNCTION slowwave_count_quarantined_stores()
RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
          SELECT count(*) FROM stores WHERE is_quarantined
        $$;
REVOKE ALL ON FUNCTION slowwave_count_quarantined_stores() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_count_quarantined_stores() TO slowwave_app;
ALTER FUNCTION slowwave_count_quarantined_stores() OWNER TO slowwave_sweep;

-- Find the evaluations to take further: those without a step for p_silent_seconds, whose message may be lost, and those that have
-- left copies behind, or answers that are too old.
CREATE FUNCTION slowwave_find_evaluations(p_silent_seconds double precision, p_limit integer)
RETURNS TABLE (tenant_id text, evaluation_id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT e.tenant_id, e.id FROM evaluations e
  WHERE e.state IN ('queued', 'running') AND e.stepped_at < now() - make_interval(secs => p_silent_seconds)
  UNION
  SELECT s.tenant_id, split_part(s.name, '/', 1) FROM stores s
  WHERE starts_with(s.id, 'shadow_') AND NOT EXISTS (SELECT 1 FROM evaluations e
    WHERE e.tenant_id = s.tenant_id AND e.id = split_part(s.name, '/', 1) AND e.state IN ('queued', 'running'))
  UNION
  SELECT a.tenant_id, a.evaluation_id FROM evaluation_answers a WHERE a.created_at < now() - interval '24 hours'
  ORDER BY 1, 2 LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_find_evaluations(double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_evaluations(double precision, integer) TO slowwave_app;
ALTER FUNCTION slowwave_find_evaluations(double precision, integer) OWNER TO slowwave_sweep;
