-- Find an API key by its id. The tenant of a request is unknown until its key is found, so this look-up crosses
-- tenants.

CREATE FUNCTION slowwave_find_api_key(p_id text)
RETURNS SETOF api_keys
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
          SELECT id, tenant_id, name, role, secret_hash, previous_hash, previous_until, rate_per_minute, created_at,
    expires_at, revoked_at, last_used_at
  FROM public.api_keys WHERE id = p_id
        $$;
REVOKE ALL ON FUNCTION slowwave_find_api_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_find_api_key(text) TO slowwave_app;
ALTER FUNCTION slowwave_find_api_key(text) OWNER TO slowwave_keys;
