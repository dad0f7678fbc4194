-- Row-level security: which rows each role sees. What a role may do with them is in grants.sql.
--
-- Row-level security is forced, so that it holds for the owner of the tables, too.

-- The application: the rows of the transaction's tenant, in every table that has a tenant.
DO $$
DECLARE isolated text;
BEGIN
  FOREACH isolated IN ARRAY ARRAY[
    'api_keys', 'api_requests', 'saved_filters', 'directives', 'audit_log', 'exams',
    'search_log', 'stores', 'tombstones', 'memories', 'memory_versions', 'memory_vectors', 'memory_links', 'pending_merges',
    'dreams', 'dream_orders', 'phase_runs', 'operations', 'llm_calls', 'batch_calls', 'asked_questions',
    'cost_reservations', 'budget_alerts', 'evaluations', 'evaluation_answers', 'probes',
    'sessions', 'session_events', 'session_cues', 'session_terms', 'feedback', 'workflow_runs', 'skill_uses',
    'webhook_endpoints', 'webhook_deliveries'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', isolated);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', isolated);
    EXECUTE format(
      'CREATE POLICY tenant_only ON %I TO slowwave_app'
      ' USING (tenant_id = current_setting(''slowwave.tenant_id'', true))'
      ' WITH CHECK (tenant_id = current_setting(''slowwave.tenant_id'', true))', isolated);
  END LOOP;
END $$;

-- Shadows, the copies of a store that evaluations dream over, are seen only by those who say that they want to: what lists stores,
-- dreams or reviews cannot forget to leave them out. What else a shadow has is found by its store or its dream.
DO $$
DECLARE shadowed text[];
BEGIN
  FOREACH shadowed SLICE 1 IN ARRAY ARRAY[['stores', 'id'], ['dreams', 'store_id'], ['operations', 'store_id']] LOOP
    EXECUTE format(
      'CREATE POLICY no_shadows ON %I AS RESTRICTIVE TO slowwave_app USING'
      ' (NOT starts_with(%I, ''shadow_'') OR current_setting(''slowwave.shadows'', true) = ''on'')',
      shadowed[1], shadowed[2]);
  END LOOP;
END $$;

-- What a store's `recall.least_rank` hides from agents: a transaction that reads for an agent's key names the least rank that it shows,
-- so that no read can forget it: first that of the tenant's strictest store, then that of the store which it reads. Only reads are
-- hidden: an agent may write what it is not shown. What holds texts of many writers, as operations do with their diffs, quotes and
-- reasons, counts as rank 0: it does not say whom it repeats. What agents' keys report counts as an agent's.
DO $$
DECLARE told text[];
BEGIN
  FOREACH told SLICE 1 IN ARRAY ARRAY[
    ['memories', 'shown_rank'], ['memory_versions', 'shown_rank'], ['feedback', 'rank'], ['workflow_runs', '3'],
    ['operations', '0'], ['evaluations', '0'], ['probes', '0'],
    ['session_events', 'CASE WHEN kind = ''log'' THEN 3 ELSE array_position(ARRAY[''machine'', ''pasted'', ''tool'', ''assistant'', ''person''], origin) - 1 END']
  ] LOOP
    EXECUTE format(
      'CREATE POLICY trusted_enough ON %I AS RESTRICTIVE FOR SELECT TO slowwave_app USING'
      ' (%s >= coalesce(nullif(current_setting(''slowwave.least_rank'', true), '''')::smallint, 0::smallint))', told[1], told[2]);
  END LOOP;
END $$;

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_only ON tenants TO slowwave_app
  USING (id = current_setting('slowwave.tenant_id', true))
  WITH CHECK (id = current_setting('slowwave.tenant_id', true));

-- The installation's one row. The application may update it directly: its role can hold every store by claiming it
-- anyway, so a function in between would protect nothing.
ALTER TABLE installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE installation FORCE ROW LEVEL SECURITY;
CREATE POLICY single_row ON installation TO slowwave_app USING (true) WITH CHECK (id = 1);

-- The installation's log: a deletion is recorded only by the function that deletes.
ALTER TABLE installation_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE installation_log FORCE ROW LEVEL SECURITY;
CREATE POLICY app_reads ON installation_log FOR SELECT TO slowwave_app USING (true);
CREATE POLICY app_appends ON installation_log FOR INSERT TO slowwave_app WITH CHECK (action <> 'tenant.erase');
CREATE POLICY purge_appends ON installation_log FOR INSERT TO slowwave_purge WITH CHECK (true);

-- Exams of the installation's own endpoint belong to no tenant: a dream of any tenant may take one, for all.
ALTER TABLE installation_exams ENABLE ROW LEVEL SECURITY;
ALTER TABLE installation_exams FORCE ROW LEVEL SECURITY;
CREATE POLICY app_reads ON installation_exams FOR SELECT TO slowwave_app USING (true);
CREATE POLICY app_appends ON installation_exams FOR INSERT TO slowwave_app WITH CHECK (true);
CREATE POLICY purge ON installation_exams TO slowwave_purge USING (true);

-- Sweeps look at all tenants; their column grants are narrow.
CREATE POLICY sweep ON tenants TO slowwave_sweep USING (true);
CREATE POLICY sweep ON stores TO slowwave_sweep USING (true);
CREATE POLICY sweep ON webhook_endpoints FOR SELECT TO slowwave_sweep USING (true);
CREATE POLICY sweep ON webhook_deliveries TO slowwave_sweep USING (true);
CREATE POLICY sweep ON dreams FOR SELECT TO slowwave_sweep USING (true);
CREATE POLICY sweep ON llm_calls FOR SELECT TO slowwave_sweep USING (true);
CREATE POLICY sweep ON batch_calls FOR SELECT TO slowwave_sweep USING (true);
CREATE POLICY sweep ON operations FOR SELECT TO slowwave_sweep USING (NOT starts_with(store_id, 'shadow_'));
CREATE POLICY sweep ON evaluations FOR SELECT TO slowwave_sweep USING (true);
CREATE POLICY sweep ON evaluation_answers FOR SELECT TO slowwave_sweep USING (true);
CREATE POLICY sweep ON pending_merges FOR SELECT TO slowwave_sweep USING (NOT starts_with(store_id, 'shadow_'));
CREATE POLICY sweep ON installation FOR SELECT TO slowwave_sweep USING (true);

-- Redaction and forgetting: the rows of the transaction's tenant.
DO $$
DECLARE redacted text;
BEGIN
  FOREACH redacted IN ARRAY ARRAY[
    'memories', 'memory_versions', 'memory_vectors', 'memory_links', 'pending_merges', 'dreams', 'operations', 'phase_runs', 'llm_calls',
    'batch_calls', 'dream_orders', 'sessions', 'session_events', 'session_terms', 'feedback', 'workflow_runs', 'skill_uses', 'stores',
    'webhook_deliveries', 'directives', 'exams', 'audit_log', 'api_requests', 'asked_questions', 'saved_filters', 'evaluations',
    'evaluation_answers', 'search_log', 'probes'
  ] LOOP
    EXECUTE format(
      'CREATE POLICY redact ON %I TO slowwave_redact'
      ' USING (tenant_id = current_setting(''slowwave.tenant_id'', true))'
      ' WITH CHECK (tenant_id = current_setting(''slowwave.tenant_id'', true))', redacted);
  END LOOP;
END $$;

-- The log of searches: the rows of the transaction's tenant.
CREATE POLICY searches ON search_log TO slowwave_searches
  USING (tenant_id = current_setting('slowwave.tenant_id', true))
  WITH CHECK (tenant_id = current_setting('slowwave.tenant_id', true));

-- API keys are found before the tenant is known; operators read the audit entries of all tenants.
CREATE POLICY lookup ON api_keys FOR SELECT TO slowwave_keys USING (true);
CREATE POLICY audit_reads ON audit_log FOR SELECT TO slowwave_audit USING (true);
CREATE POLICY audit_reads ON installation_log FOR SELECT TO slowwave_audit USING (true);

-- Purging: the rows of the transaction's tenant, in every table that has a tenant (functions/erase_tenant.sql).
SELECT slowwave_grant_purge();

-- A backup: every row of every table, to read (functions/backup.sql).
SELECT slowwave_grant_backup();
