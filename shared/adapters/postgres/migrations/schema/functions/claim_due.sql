-- Claim stores that are due for a check.
--
-- The functions of this file belong to slowwave_sweep and look across tenants. A claim moves a store's time into the
-- near future: the check that follows sets the real time, and without one the store comes up again. Jitter keeps
-- stores that became due together from staying together.
--
-- Tenants take turns. A tenant whose dream slots are taken is left out, because its checks could only wait. The
-- stores of the others are ranked by age, and the rank, divided by the tenant's weight, is the order. The window is
-- bounded, so that a sweep over the backlog of a long outage takes milliseconds.
--
-- A row is found again by its place, which is quicker than by its key. One that was written meanwhile has another
-- place: it is left out, and stays due.

-- Claim stores for a check that may start a dream.
CREATE FUNCTION slowwave_claim_due_stores(p_limit integer, p_hold_seconds double precision)
RETURNS TABLE (tenant_id text, store_name text, due_at timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH waiting AS (
    SELECT s.ctid AS place, s.tenant_id, s.next_check_at FROM stores s
    WHERE s.next_check_at <= now() ORDER BY s.next_check_at LIMIT 50000
  ), busy AS (
    SELECT d.tenant_id, count(*) AS dreams FROM dreams d
    WHERE d.state IN ('queued', 'running') GROUP BY d.tenant_id
  ), ranked AS (
    SELECT w.place, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.next_check_at)::float8 / t.weight AS turn
    FROM waiting w JOIN tenants t ON t.id = w.tenant_id LEFT JOIN busy b ON b.tenant_id = w.tenant_id
    WHERE coalesce(b.dreams, 0) < t.max_concurrent_dreams
  ), due AS (
    SELECT s.ctid AS place, r.turn, s.next_check_at FROM ranked r JOIN stores s ON s.ctid = r.place
    WHERE s.next_check_at <= now()
    ORDER BY r.turn, s.next_check_at LIMIT p_limit FOR UPDATE OF s SKIP LOCKED
  ), held AS (
    UPDATE stores s
    SET next_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
    FROM due WHERE s.ctid = due.place RETURNING s.tenant_id, s.name, due.turn, due.next_check_at AS due_at
  )
  SELECT held.tenant_id, held.name, held.due_at FROM held ORDER BY held.turn, held.due_at
$$;
REVOKE ALL ON FUNCTION slowwave_claim_due_stores(integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_claim_due_stores(integer, double precision) TO slowwave_app;
ALTER FUNCTION slowwave_claim_due_stores(integer, double precision) OWNER TO slowwave_sweep;

-- Claim stores for a daily digest.
CREATE FUNCTION slowwave_claim_due_digests(p_limit integer, p_hold_seconds double precision)
RETURNS TABLE (tenant_id text, store_name text, due_at timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH waiting AS (
    SELECT s.ctid AS place, s.tenant_id, s.digest_check_at FROM stores s
    WHERE s.digest_check_at <= now() ORDER BY s.digest_check_at LIMIT 50000
  ), busy AS (
    SELECT d.tenant_id, count(*) AS dreams FROM dreams d
    WHERE d.state IN ('queued', 'running') GROUP BY d.tenant_id
  ), ranked AS (
    SELECT w.place, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.digest_check_at)::float8 / t.weight AS turn
    FROM waiting w JOIN tenants t ON t.id = w.tenant_id LEFT JOIN busy b ON b.tenant_id = w.tenant_id
    WHERE coalesce(b.dreams, 0) < t.max_concurrent_dreams
  ), due AS (
    SELECT s.ctid AS place, r.turn, s.digest_check_at FROM ranked r JOIN stores s ON s.ctid = r.place
    WHERE s.digest_check_at <= now()
    ORDER BY r.turn, s.digest_check_at LIMIT p_limit FOR UPDATE OF s SKIP LOCKED
  ), held AS (
    UPDATE stores s
    SET digest_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
    FROM due WHERE s.ctid = due.place RETURNING s.tenant_id, s.name, due.turn, due.digest_check_at AS due_at
  )
  SELECT held.tenant_id, held.name, held.due_at FROM held ORDER BY held.turn, held.due_at
$$;
REVOKE ALL ON FUNCTION slowwave_claim_due_digests(integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_claim_due_digests(integer, double precision) TO slowwave_app;
ALTER FUNCTION slowwave_claim_due_digests(integer, double precision) OWNER TO slowwave_sweep;

-- Claim stores for a compaction.
CREATE FUNCTION slowwave_claim_due_compactions(p_limit integer, p_hold_seconds double precision)
RETURNS TABLE (tenant_id text, store_name text, due_at timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH waiting AS (
    SELECT s.ctid AS place, s.tenant_id, s.compaction_check_at FROM stores s
    WHERE s.compaction_check_at <= now() ORDER BY s.compaction_check_at LIMIT 50000
  ), busy AS (
    SELECT d.tenant_id, count(*) AS dreams FROM dreams d
    WHERE d.state IN ('queued', 'running') GROUP BY d.tenant_id
  ), ranked AS (
    SELECT w.place, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.compaction_check_at)::float8 / t.weight AS turn
    FROM waiting w JOIN tenants t ON t.id = w.tenant_id LEFT JOIN busy b ON b.tenant_id = w.tenant_id
    WHERE coalesce(b.dreams, 0) < t.max_concurrent_dreams
  ), due AS (
    SELECT s.ctid AS place, r.turn, s.compaction_check_at FROM ranked r JOIN stores s ON s.ctid = r.place
    WHERE s.compaction_check_at <= now()
    ORDER BY r.turn, s.compaction_check_at LIMIT p_limit FOR UPDATE OF s SKIP LOCKED
  ), held AS (
    UPDATE stores s
    SET compaction_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
    FROM due WHERE s.ctid = due.place RETURNING s.tenant_id, s.name, due.turn, due.compaction_check_at AS due_at
  )
  SELECT held.tenant_id, held.name, held.due_at FROM held ORDER BY held.turn, held.due_at
$$;
REVOKE ALL ON FUNCTION slowwave_claim_due_compactions(integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_claim_due_compactions(integer, double precision) TO slowwave_app;
ALTER FUNCTION slowwave_claim_due_compactions(integer, double precision) OWNER TO slowwave_sweep;
