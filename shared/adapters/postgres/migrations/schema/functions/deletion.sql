-- Delete one session, or one store with all that is in it, for good.
--
-- The application cannot delete these rows by itself: the functions belong to slowwave_purge, which sees only the rows
-- of the transaction's tenant. The caller locks, refuses while a dream reads, and writes the audit entry.

-- Empty what these dreams have kept of a session: the excerpts that they read and the answers about them. Memories that
-- were gathered from it stay, with their quotes.
CREATE FUNCTION slowwave_forget_session(p_names text[], p_dreams text[])
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
BEGIN
  UPDATE llm_calls c SET answer = NULL, prompt = NULL FROM phase_runs p
    WHERE p.tenant_id = mine AND c.tenant_id = mine AND p.dream_id = ANY (p_dreams) AND c.dream_id = p.dream_id
      AND c.phase = p.phase AND (c.answer IS NOT NULL OR c.prompt IS NOT NULL)
      AND EXISTS (SELECT 1 FROM unnest(p_names) AS n (name)
        WHERE position(n.name IN p.inputs::text) > 0 OR slowwave_json_contains(c.prompt, n.name));
  UPDATE phase_runs p SET inputs = NULL, plan = NULL
    WHERE p.tenant_id = mine AND p.dream_id = ANY (p_dreams) AND EXISTS (SELECT 1 FROM unnest(p_names) AS n (name)
      WHERE position(n.name IN p.inputs::text) > 0 OR position(n.name IN p.plan::text) > 0);
END
$$;
REVOKE ALL ON FUNCTION slowwave_forget_session(text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_forget_session(text[], text[]) TO slowwave_purge;
ALTER FUNCTION slowwave_forget_session(text[], text[]) OWNER TO slowwave_redact;

-- Delete a session with its events; return how many events it had, or NULL when there is no such session.
CREATE FUNCTION slowwave_delete_session(p_session text)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  gone sessions%ROWTYPE; number integer;
BEGIN
  SELECT * INTO gone FROM sessions s WHERE s.tenant_id = mine AND s.id = p_session;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- It was read by later dreams of its store, and by dreams that were ordered over it.
  PERFORM slowwave_forget_session(ARRAY[p_session, to_jsonb(gone.external_id)::text], ARRAY(
    SELECT d.id FROM dreams d
      WHERE d.tenant_id = mine AND d.store_id = gone.store_id AND coalesce(d.finished_at, now()) >= gone.created_at
    UNION SELECT o.dream_id FROM dream_orders o WHERE o.tenant_id = mine AND p_session = ANY (o.session_ids)));
  -- Answers kept for a repeated request show the session, or events whose ids the API has made.
  DELETE FROM api_requests r WHERE r.tenant_id = mine AND (position(p_session IN r.body) > 0 OR EXISTS (
    SELECT 1 FROM session_events e WHERE e.tenant_id = mine AND e.session_id = p_session
      AND e.event_id = substring(r.body FROM '"(sevt_[^"]+)"')));
  -- Evaluations may have drawn questions from it, and have answers about it.
  DELETE FROM evaluations v
    WHERE v.tenant_id = mine AND v.store_id = gone.store_id AND coalesce(v.finished_at, now()) >= gone.created_at;
  DELETE FROM session_terms WHERE tenant_id = mine AND session_id = p_session;
  DELETE FROM session_cues WHERE tenant_id = mine AND session_id = p_session;
  DELETE FROM session_events WHERE tenant_id = mine AND session_id = p_session;
  GET DIAGNOSTICS number = ROW_COUNT;
  DELETE FROM sessions WHERE tenant_id = mine AND id = p_session;
  RETURN number;
END
$$;
REVOKE ALL ON FUNCTION slowwave_delete_session(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_delete_session(text) TO slowwave_app;
ALTER FUNCTION slowwave_delete_session(text) OWNER TO slowwave_purge;

-- Delete a store with everything in it; return the number of rows by table. A table that is missing here stops the
-- deletion by its foreign key.
CREATE FUNCTION slowwave_delete_store(p_store text)
RETURNS TABLE (table_name text, deleted bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  of_store text := 'store_id = $2';
  of_session text := 'session_id IN (SELECT s.id FROM public.sessions s WHERE s.tenant_id = $1 AND s.store_id = $2)';
  of_dream text := 'dream_id IN (SELECT d.id FROM public.dreams d WHERE d.tenant_id = $1 AND d.store_id = $2)';
  step text[];
BEGIN
  IF EXISTS (SELECT 1 FROM dreams d WHERE d.tenant_id = mine AND d.store_id = p_store
             AND d.state IN ('queued', 'running')) THEN
    RAISE EXCEPTION 'a dream of the store is queued or running';
  END IF;
  DELETE FROM api_requests r WHERE r.tenant_id = mine AND (position(p_store IN r.body) > 0
    OR EXISTS (SELECT 1 FROM memories m WHERE m.tenant_id = mine AND m.store_id = p_store
      AND m.id = substring(r.body FROM '"(mem_[^"]+)"'))
    OR EXISTS (SELECT 1 FROM sessions s WHERE s.tenant_id = mine AND s.store_id = p_store
      AND s.id = substring(r.body FROM '"(sesn_[^"]+)"'))
    OR EXISTS (SELECT 1 FROM sessions s JOIN session_events e ON e.session_id = s.id
      WHERE s.tenant_id = mine AND e.tenant_id = mine AND s.store_id = p_store
        AND e.event_id = substring(r.body FROM '"(sevt_[^"]+)"')));
  FOREACH step SLICE 1 IN ARRAY ARRAY[
    ['session_terms', of_session], ['session_cues', of_session], ['session_events', of_session],
    ['sessions', of_store], ['feedback', of_store], ['workflow_runs', of_store], ['skill_uses', of_store], ['search_log', of_store],
    ['probes', of_store], ['evaluation_answers', of_store], ['evaluations', of_store], ['asked_questions', of_store], ['budget_alerts', of_store], ['cost_reservations', of_store], ['batch_calls', of_dream], ['llm_calls', 'paid_for = $2 OR ' || of_dream], ['phase_runs', of_dream], ['operations', of_store],
    ['dream_orders', of_dream], ['dreams', of_store],
    ['pending_merges', of_store], ['memory_versions', of_store], ['memory_vectors', of_store], ['memory_links', of_store], ['memories', of_store],
    ['tombstones', of_store],
    ['directives', 'store IN (SELECT s.name FROM public.stores s WHERE s.tenant_id = $1 AND s.id = $2)'],
    ['stores', 'id = $2']
  ] LOOP
    table_name := step[1];
    EXECUTE format('DELETE FROM public.%I WHERE tenant_id = $1 AND (%s)', step[1], step[2]) USING mine, p_store;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN NEXT;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION slowwave_delete_store(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_delete_store(text) TO slowwave_app;
ALTER FUNCTION slowwave_delete_store(text) OWNER TO slowwave_purge;
