-- Claim webhook deliveries that are due, across tenants.

-- Tenants take turns, and so do the endpoints of a tenant; a first attempt goes before a retry. A tenant has at most
-- p_per_tenant attempts in flight, and all tenants together p_at_once.
CREATE FUNCTION slowwave_claim_deliveries(p_at_once integer, p_per_tenant integer, p_hold_seconds double precision)
RETURNS TABLE (tenant_id text, delivery_id text, claim integer)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH in_flight AS (
    SELECT d.tenant_id, count(*) AS number FROM webhook_deliveries d
    WHERE d.state = 'pending' AND d.lease_until > now() GROUP BY d.tenant_id
  ), waiting AS (
    SELECT d.id, d.tenant_id, d.endpoint_id, d.attempts, d.next_attempt_at FROM webhook_deliveries d
    WHERE d.state = 'pending' AND d.next_attempt_at <= now() ORDER BY d.next_attempt_at LIMIT 50000
  ), placed AS (
    SELECT w.*, row_number() OVER (
      PARTITION BY w.endpoint_id ORDER BY w.attempts > 0, w.next_attempt_at, w.id) AS place
    FROM waiting w
  ), ranked AS (
    SELECT p.id, coalesce(f.number, 0) + row_number() OVER (
      PARTITION BY p.tenant_id ORDER BY p.place, p.next_attempt_at, p.id) AS turn
    FROM placed p LEFT JOIN in_flight f ON f.tenant_id = p.tenant_id
  ), due AS (
    SELECT d.id FROM ranked r JOIN webhook_deliveries d ON d.id = r.id
    WHERE r.turn <= p_per_tenant AND d.state = 'pending' AND d.next_attempt_at <= now()
    ORDER BY r.turn, d.next_attempt_at
    LIMIT greatest(0, p_at_once - (SELECT coalesce(sum(number), 0) FROM in_flight)) FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_deliveries d SET claims = d.claims + 1,
    lease_until = now() + make_interval(secs => p_hold_seconds),
    next_attempt_at = now() + make_interval(secs => p_hold_seconds)
  FROM due WHERE d.id = due.id RETURNING d.tenant_id, d.id, d.claims
$$;
REVOKE ALL ON FUNCTION slowwave_claim_deliveries(integer, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_claim_deliveries(integer, integer, double precision) TO slowwave_app;
ALTER FUNCTION slowwave_claim_deliveries(integer, integer, double precision) OWNER TO slowwave_sweep;

-- Find the tenants with an endpoint whose weekly digest is due.
CREATE FUNCTION slowwave_find_due_digests(p_limit integer)
RETURNS TABLE (tenant_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT DISTINCT e.tenant_id FROM webhook_endpoints e
  WHERE e.digest_at <= now() AND e.disabled_at IS NULL AND e.deleted_at IS NULL LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_find_due_digests(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_due_digests(integer) TO slowwave_app;
ALTER FUNCTION slowwave_find_due_digests(integer) OWNER TO slowwave_sweep;
