-- Purge aged rows of one tenant in bounded batches.
--
-- The purge functions belong to slowwave_purge, which sees only the rows of the transaction's tenant. They refuse to
-- purge what an undo inside its window could still need: p_undo_since is the start of that window, at least 23 hours
-- ago.

-- Claim the tenants whose retention is due.
CREATE FUNCTION slowwave_claim_tenants_to_purge(p_limit integer, p_every_seconds double precision)
RETURNS TABLE (tenant_id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH due AS (
    SELECT t.id FROM tenants t WHERE t.purged_at < now() - make_interval(secs => p_every_seconds)
    ORDER BY t.purged_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE tenants t SET purged_at = now() FROM due WHERE t.id = due.id RETURNING t.id
$$;
REVOKE ALL ON FUNCTION slowwave_claim_tenants_to_purge(integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_claim_tenants_to_purge(integer, double precision) TO slowwave_app;
ALTER FUNCTION slowwave_claim_tenants_to_purge(integer, double precision) OWNER TO slowwave_sweep;

-- Purge by one rule; return how many rows it found. With p_dry_run nothing is deleted.
CREATE FUNCTION slowwave_purge_aged(
  p_rule text,
  p_before timestamptz,
  p_undo_since timestamptz,
  p_limit integer,
  p_dry_run boolean
)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  places tid[]; ids text[];
BEGIN
  IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
  IF p_undo_since > now() - interval '23 hours' THEN RAISE EXCEPTION 'the undo window is at least a day'; END IF;
  IF p_before > p_undo_since AND p_rule NOT IN ('calls', 'audit', 'deliveries', 'searches') THEN
    RAISE EXCEPTION '% would be purged inside the undo window', p_rule;
  END IF;
  CASE p_rule
    WHEN 'versions' THEN
      -- An undo compares texts with the versions that its dream had read ("cleaned") and restores images by their
      -- version. "held" are operations that can still be undone, or that wait for a review.
      WITH held AS (
        SELECT o.effects || o.undone AS effects, o.changes FROM operations o JOIN dreams d ON d.id = o.dream_id
        WHERE o.tenant_id = mine AND d.tenant_id = mine AND (o.review = 'pending' OR d.finished_at IS NULL
          OR d.finished_at >= p_undo_since)
      ), kept AS (
        SELECT e ->> 'id' AS memory_id, (e ->> 'version')::integer AS version
        FROM held, jsonb_array_elements(jsonb_path_query_array(held.effects, '$[*].*')) e
        WHERE jsonb_typeof(e) = 'object'
        UNION
        SELECT c ->> 0, (c ->> 1)::integer
        FROM dreams d, jsonb_array_elements(jsonb_path_query_array(d.before, '$.cleaned[*]')) c
        WHERE d.tenant_id = mine AND (d.finished_at IS NULL OR d.finished_at >= p_undo_since)
      )
      SELECT array_agg(x.place) INTO places FROM (
        SELECT v.ctid AS place FROM memory_versions v
        WHERE v.tenant_id = mine AND v.created_at < p_before
          AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id AND m.version <= v.version)
          AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.memory_id = v.memory_id AND k.version = v.version)
        LIMIT p_limit) x;
    WHEN 'archived' THEN
      -- A retired memory goes once no memory is superseded by it and no operation could restore it.
      WITH held AS (
        SELECT o.effects || o.undone AS effects, o.changes FROM operations o JOIN dreams d ON d.id = o.dream_id
        WHERE o.tenant_id = mine AND d.tenant_id = mine AND (o.review = 'pending' OR d.finished_at IS NULL
          OR d.finished_at >= p_undo_since)
      ), kept AS (
        SELECT i #>> '{}' AS memory_id
        FROM held, jsonb_array_elements(
          jsonb_path_query_array(jsonb_build_array(held.effects, held.changes), '$.**.id')) i
        UNION
        SELECT i #>> '{}' FROM held, jsonb_array_elements(jsonb_path_query_array(held.changes, '$[*].memory_id')) i
        UNION
        SELECT c ->> 0
        FROM dreams d, jsonb_array_elements(jsonb_path_query_array(d.before, '$.cleaned[*]')) c
        WHERE d.tenant_id = mine AND (d.finished_at IS NULL OR d.finished_at >= p_undo_since)
      )
      SELECT array_agg(x.id) INTO ids FROM (
        SELECT m.id FROM memories m JOIN memory_versions v ON v.memory_id = m.id AND v.version = m.version
        WHERE m.tenant_id = mine AND m.state <> 'live' AND v.created_at < p_before
          AND NOT EXISTS (SELECT 1 FROM memories o WHERE o.tenant_id = mine AND o.superseded_by = m.id)
          AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.memory_id = m.id)
        LIMIT p_limit) x;
    WHEN 'dreams' THEN
      -- The undo of a dream asks for the dream before it, past dreams undone since, and for those whose hints it took.
      WITH RECURSIVE every AS (
        SELECT d.id, d.before, d.state, (d.state IN ('queued', 'running')
          OR coalesce(d.finished_at, d.created_at) >= p_before
          OR EXISTS (SELECT 1 FROM operations o WHERE o.dream_id = d.id AND o.review = 'pending' AND o.created_at >= p_before)
          OR EXISTS (SELECT 1 FROM stores s WHERE s.tenant_id = mine AND s.last_dream_id = d.id)) AS stays
        FROM dreams d WHERE d.tenant_id = mine
      ), needed AS (
        (SELECT e.before ->> 'last_dream_id' AS id FROM every e WHERE e.stays
         UNION
         SELECT h ->> 'suggested_by'
         FROM every e, jsonb_array_elements(jsonb_path_query_array(e.before, '$.hints[*]')) h WHERE e.stays)
        UNION
        SELECT e.before ->> 'last_dream_id' FROM needed n JOIN every e ON e.id = n.id AND e.state = 'undone'
      )
      SELECT array_agg(x.id) INTO ids FROM (
        SELECT e.id FROM every e WHERE NOT e.stays AND NOT EXISTS (SELECT 1 FROM needed n WHERE n.id = e.id)
        ORDER BY e.id LIMIT p_limit) x;
    WHEN 'calls' THEN
      places := ARRAY(SELECT t.ctid FROM llm_calls t WHERE t.tenant_id = mine AND t.created_at < p_before
        AND (t.dream_id IS NULL OR EXISTS (SELECT 1 FROM dreams d WHERE d.id = t.dream_id AND d.finished_at IS NOT NULL))
        LIMIT p_limit);
    WHEN 'audit' THEN
      places := ARRAY(SELECT t.ctid FROM audit_log t WHERE t.tenant_id = mine AND t.created_at < p_before LIMIT p_limit);
    WHEN 'feedback' THEN
      places := ARRAY(SELECT t.ctid FROM feedback t
        WHERE t.tenant_id = mine AND greatest(t.created_at, t.consumed_at) < p_before LIMIT p_limit);
    WHEN 'workflows' THEN
      places := ARRAY(SELECT t.ctid FROM workflow_runs t
        WHERE t.tenant_id = mine AND greatest(t.created_at, t.consumed_at) < p_before LIMIT p_limit);
    WHEN 'skill_uses' THEN
      places := ARRAY(SELECT t.ctid FROM skill_uses t
        WHERE t.tenant_id = mine AND t.used_at < p_before AND t.created_at < p_undo_since LIMIT p_limit);
    WHEN 'deliveries' THEN
      places := ARRAY(SELECT t.ctid FROM webhook_deliveries t
        WHERE t.tenant_id = mine AND t.created_at < p_before LIMIT p_limit);
    WHEN 'searches' THEN
      -- Those that are old enough, and all of stores that no longer log.
      places := ARRAY(SELECT t.ctid FROM search_log t WHERE t.tenant_id = mine AND (t.asked_at < p_before OR EXISTS (
        SELECT 1 FROM stores s WHERE s.tenant_id = mine AND s.id = t.store_id
          AND s.overrides -> 'evidence.log_searches' = 'false')) LIMIT p_limit);
    WHEN 'sessions' THEN
      SELECT array_agg(x.id) INTO ids FROM (
        SELECT s.id FROM sessions s WHERE s.tenant_id = mine AND NOT s.is_current
          AND greatest(s.created_at, s.last_event_at, s.consumed_at) < p_before LIMIT p_limit) x;
  END CASE;
  IF p_dry_run THEN RETURN coalesce(cardinality(places), 0) + coalesce(cardinality(ids), 0); END IF;
  CASE p_rule
    WHEN 'versions' THEN DELETE FROM memory_versions WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'calls' THEN DELETE FROM llm_calls WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'audit' THEN DELETE FROM audit_log WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'feedback' THEN DELETE FROM feedback WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'workflows' THEN DELETE FROM workflow_runs WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'skill_uses' THEN DELETE FROM skill_uses WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'deliveries' THEN DELETE FROM webhook_deliveries WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'searches' THEN DELETE FROM search_log WHERE ctid = ANY (places) AND tenant_id = mine;
    WHEN 'archived' THEN
      DELETE FROM memory_versions WHERE tenant_id = mine AND memory_id = ANY (ids);
      DELETE FROM memories WHERE tenant_id = mine AND id = ANY (ids) AND state <> 'live';
    WHEN 'dreams' THEN
      DELETE FROM operations WHERE tenant_id = mine AND dream_id = ANY (ids);
      DELETE FROM phase_runs WHERE tenant_id = mine AND dream_id = ANY (ids);
      DELETE FROM llm_calls WHERE tenant_id = mine AND dream_id = ANY (ids);
      DELETE FROM dreams WHERE tenant_id = mine AND id = ANY (ids);
      DELETE FROM evaluations WHERE tenant_id = mine AND finished_at < p_before;
    WHEN 'sessions' THEN
      DELETE FROM session_terms WHERE tenant_id = mine AND session_id = ANY (ids);
      DELETE FROM session_cues WHERE tenant_id = mine AND session_id = ANY (ids);
      DELETE FROM session_events WHERE tenant_id = mine AND session_id = ANY (ids);
      DELETE FROM sessions WHERE tenant_id = mine AND id = ANY (ids);
  END CASE;
  RETURN coalesce(cardinality(places), 0) + coalesce(cardinality(ids), 0);
END
$$;
REVOKE ALL ON FUNCTION slowwave_purge_aged(text, timestamptz, timestamptz, integer, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_purge_aged(text, timestamptz, timestamptz, integer, boolean) TO slowwave_app;
ALTER FUNCTION slowwave_purge_aged(text, timestamptz, timestamptz, integer, boolean) OWNER TO slowwave_purge;

-- Purge what newer rows have replaced: exams of models, and directives. An exam that may still hold stays, and so does the newest one
-- of a model; of the installation's own, each tenant purges those that are a year old, whatever its own days are.
CREATE FUNCTION slowwave_purge_replaced(
  p_rule text,
  p_before timestamptz,
  p_undo_since timestamptz,
  p_limit integer,
  p_dry_run boolean
)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  places tid[]; ids text[]; shared_ids text[] := '{}';
BEGIN
  IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
  CASE p_rule
    WHEN 'exams' THEN
      ids := ARRAY(SELECT e.id FROM exams e WHERE e.tenant_id = mine AND e.taken_at < p_before AND EXISTS (
        SELECT 1 FROM exams n WHERE n.tenant_id = mine AND n.owner = e.owner AND n.server = e.server AND n.model = e.model
          AND n.taken_at > e.taken_at AND (n.fingerprint = e.fingerprint OR e.expires_at < now())) LIMIT p_limit);
      shared_ids := ARRAY(SELECT e.id FROM installation_exams e
        WHERE e.taken_at < least(p_before, now() - interval '365 days') AND EXISTS (
        SELECT 1 FROM installation_exams n WHERE n.owner = e.owner AND n.server = e.server AND n.model = e.model
          AND n.taken_at > e.taken_at AND (n.fingerprint = e.fingerprint OR e.expires_at < now()))
        LIMIT p_limit - cardinality(ids));
    WHEN 'directives' THEN
      places := ARRAY(SELECT d.ctid FROM directives d WHERE d.tenant_id = mine AND EXISTS (
        SELECT 1 FROM directives n WHERE n.tenant_id = mine AND n.store = d.store AND n.name = d.name
          AND n.version > d.version AND n.created_at < p_before) LIMIT p_limit);
  END CASE;
  IF NOT p_dry_run THEN
    DELETE FROM exams WHERE tenant_id = mine AND id = ANY (ids);
    DELETE FROM installation_exams WHERE id = ANY (shared_ids);
    DELETE FROM directives WHERE tenant_id = mine AND ctid = ANY (places);
  END IF;
  RETURN coalesce(cardinality(places), 0) + coalesce(cardinality(ids), 0) + cardinality(shared_ids);
END
$$;
REVOKE ALL ON FUNCTION slowwave_purge_replaced(text, timestamptz, timestamptz, integer, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_purge_replaced(text, timestamptz, timestamptz, integer, boolean) TO slowwave_app;
ALTER FUNCTION slowwave_purge_replaced(text, timestamptz, timestamptz, integer, boolean) OWNER TO slowwave_purge;
