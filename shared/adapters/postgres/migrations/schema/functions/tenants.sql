-- List tenants page by page.

CREATE FUNCTION slowwave_list_tenants(
  p_after text DEFAULT '',
  p_limit integer DEFAULT NULL,
  p_containing text DEFAULT ''
)
RETURNS TABLE (tenant_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT id FROM tenants WHERE id > p_after AND (p_containing = '' OR strpos(lower(id), lower(p_containing)) > 0)
  ORDER BY id LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION slowwave_list_tenants(text, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_list_tenants(text, integer, text) TO slowwave_app;
ALTER FUNCTION slowwave_list_tenants(text, integer, text) OWNER TO slowwave_sweep;
