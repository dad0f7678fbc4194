-- Read the audit log of all tenants together with the log of the installation, newest first.
--
-- An entry names ids and fields and contains no text of a memory.

CREATE FUNCTION slowwave_read_audit(p_at timestamptz, p_id text, p_limit integer, p_actor text, p_action text)
RETURNS TABLE (id text, tenant_id text, created_at timestamptz, actor text, action text, detail jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH both_logs AS (
    (SELECT a.id, a.tenant_id, a.created_at, a.actor, a.action, a.detail FROM audit_log a
     WHERE (p_at IS NULL OR (a.created_at, a.id) < (p_at, p_id))
       AND (p_actor IS NULL OR a.actor = p_actor)
       AND (p_action IS NULL OR a.action = p_action OR (right(p_action, 1) = '.' AND starts_with(a.action, p_action)))
     ORDER BY a.created_at DESC, a.id DESC LIMIT p_limit)
    UNION ALL
    (SELECT l.id, NULL, l.created_at, l.actor, 'installation.' || l.action, l.detail FROM installation_log l
     WHERE (p_at IS NULL OR (l.created_at, l.id) < (p_at, p_id))
       AND (p_actor IS NULL OR l.actor = p_actor)
       AND (p_action IS NULL OR 'installation.' || l.action = p_action
            OR (right(p_action, 1) = '.' AND starts_with('installation.' || l.action, p_action)))
     ORDER BY l.created_at DESC, l.id DESC LIMIT p_limit)
  )
  SELECT * FROM both_logs b ORDER BY b.created_at DESC, b.id DESC LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_read_audit(timestamptz, text, integer, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_read_audit(timestamptz, text, integer, text, text) TO slowwave_app;
ALTER FUNCTION slowwave_read_audit(timestamptz, text, integer, text, text) OWNER TO slowwave_audit;
