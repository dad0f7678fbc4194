-- What each role may do with the rows that policies.sql lets it see. The rights on functions stand beside each
-- function.

-- The application. Tables without UPDATE and DELETE are append-only for it.
GRANT SELECT, INSERT ON
  audit_log, directives, exams, tombstones, installation_exams, installation_log, memory_versions, session_events, skill_uses TO slowwave_app;
GRANT SELECT, INSERT, UPDATE ON
  tenants, stores, memories,
  dreams, dream_orders, phase_runs, operations, llm_calls, evaluations,
  sessions, feedback, workflow_runs,
  api_keys, webhook_endpoints, webhook_deliveries TO slowwave_app;
-- Derived from events: a newer detector replaces the cues and terms of an older one.
GRANT SELECT, INSERT, DELETE ON session_cues, session_terms TO slowwave_app;
-- Derived from texts: a new text has other links.
GRANT SELECT, INSERT, DELETE ON memory_links TO slowwave_app;
-- A dream appends its own rows and an undo deletes them, so that what was asked before counts again.
GRANT SELECT, INSERT, DELETE ON asked_questions TO slowwave_app;
-- A person's own questions are replaced together.
GRANT SELECT, INSERT, DELETE ON probes TO slowwave_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  api_requests, batch_calls, budget_alerts, cost_reservations, evaluation_answers, memory_vectors, pending_merges, saved_filters
  TO slowwave_app;
GRANT SELECT, UPDATE (paused_at, defer_percent, last_sweep_at, sweeps) ON installation TO slowwave_app;
GRANT SELECT ON alembic_version TO slowwave_app;

-- Sweeps: which store, dream or delivery of which tenant is due, and nothing of its content.
GRANT
  SELECT (ctid, id, tenant_id, name, is_quarantined, usd_per_day, usd_per_month, next_check_at, digest_check_at, compaction_check_at),
  UPDATE (next_check_at, digest_check_at, compaction_check_at) ON stores TO slowwave_sweep;
GRANT SELECT (
  id, tenant_id, store_id, state, created_at, sent_at, started_at, deadline_at, lease_until, next_attempt_at, snooze_count,
  finished_at
) ON dreams TO slowwave_sweep;
GRANT SELECT (id, weight, max_concurrent_dreams, purged_at, paused_at, tokens_per_day, usd_per_day, usd_per_month), UPDATE (purged_at) ON tenants TO slowwave_sweep;
GRANT SELECT (tenant_id, disabled_at, deleted_at, digest_at) ON webhook_endpoints TO slowwave_sweep;
GRANT
  SELECT (id, tenant_id, endpoint_id, state, attempts, claims, lease_until, next_attempt_at),
  UPDATE (claims, lease_until, next_attempt_at) ON webhook_deliveries TO slowwave_sweep;
GRANT SELECT (
  tenant_id, paid_for, dream_id, phase, model, outcome, created_at, input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd
) ON llm_calls TO slowwave_sweep;
GRANT SELECT (tenant_id, dream_id, state, batch_id, created_at, sent_at) ON batch_calls TO slowwave_sweep;
GRANT SELECT (tenant_id, review) ON operations TO slowwave_sweep;
GRANT SELECT (created_at) ON pending_merges TO slowwave_sweep;
GRANT SELECT (id, tenant_id, state, stepped_at) ON evaluations TO slowwave_sweep;
GRANT SELECT (tenant_id, evaluation_id, created_at) ON evaluation_answers TO slowwave_sweep;
GRANT SELECT ON installation TO slowwave_sweep;

-- Purging: slowwave_grant_purge grants SELECT and DELETE on every table with a tenant.
GRANT INSERT ON installation_log TO slowwave_purge;
GRANT SELECT, DELETE ON installation_exams TO slowwave_purge;

-- Redaction and forgetting: only the columns that can hold a text (tables/text_places.py), or what was derived from it. Triggers
-- delete the vector of a changed text, and the links of an emptied one.
GRANT SELECT, UPDATE (path, content, actor, redacted_at, redacted_by) ON memory_versions TO slowwave_redact;
GRANT SELECT, UPDATE (content, content_hash, title, summary, doc_type, size_chars, stub) ON memories TO slowwave_redact;
GRANT SELECT (tenant_id, memory_id), DELETE ON memory_vectors TO slowwave_redact;
GRANT SELECT, UPDATE (reason, note, changes, effects, undone, decided_by, decided_why, assigned_to, comments) ON operations TO slowwave_redact;
GRANT SELECT, UPDATE (inputs, plan, reason) ON phase_runs TO slowwave_redact;
GRANT SELECT, UPDATE (key, detail, answer, prompt) ON llm_calls TO slowwave_redact;
GRANT SELECT, UPDATE (key, request, result) ON batch_calls TO slowwave_redact;
GRANT SELECT, UPDATE (reason, summary, before, waits, domains) ON dreams TO slowwave_redact;
GRANT SELECT, UPDATE (instructions) ON dream_orders TO slowwave_redact;
GRANT SELECT, UPDATE (external_id, source, title, details) ON sessions TO slowwave_redact;
GRANT SELECT, UPDATE (event_id, role, text, as_sent, details) ON session_events TO slowwave_redact;
GRANT SELECT, UPDATE (external_id, text, subject, skill, session) ON feedback TO slowwave_redact;
GRANT SELECT, UPDATE (external_id, description, steps, classification, error, skills, session) ON workflow_runs TO slowwave_redact;
GRANT SELECT, UPDATE (last_verdict, title, description, labels) ON stores TO slowwave_redact;
GRANT SELECT, UPDATE (body, tries, error) ON webhook_deliveries TO slowwave_redact;
GRANT SELECT, UPDATE (content, actor) ON directives TO slowwave_redact;
GRANT SELECT, UPDATE (reason, set_by) ON exams TO slowwave_redact;
GRANT SELECT, INSERT, UPDATE (actor, detail) ON audit_log TO slowwave_redact;
GRANT SELECT, UPDATE (reason), DELETE ON pending_merges TO slowwave_redact;
GRANT SELECT, DELETE ON
  api_requests, asked_questions, evaluation_answers, evaluations, memory_links, probes, saved_filters, search_log, session_terms, skill_uses TO slowwave_redact;

-- The log of searches. The application has no right on it, and a dream has the application's: what dreams are measured by must
-- not be what they optimise for. Two functions of this role stand in between (functions/search_log.sql).
GRANT SELECT, INSERT, DELETE, UPDATE (read_ids, outcome) ON search_log TO slowwave_searches;

-- Look-ups.
GRANT SELECT (
  id, tenant_id, name, role, secret_hash, previous_hash, previous_until, rate_per_minute, created_at, expires_at,
  revoked_at, last_used_at
) ON api_keys TO slowwave_keys;
GRANT SELECT ON audit_log, installation_log TO slowwave_audit;

-- roles.sql lent this for handing over the functions.
REVOKE CREATE ON SCHEMA public
  FROM slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit, slowwave_searches;
