-- Indexes, by table. Those of primary keys and unique constraints are in tables/.

-- Retention takes tenants in turn.
CREATE INDEX ix_tenants_purged ON tenants (purged_at);
CREATE INDEX ix_api_keys_tenant ON api_keys (tenant_id, created_at);
CREATE INDEX ix_api_requests_expiry ON api_requests (tenant_id, expires_at);
CREATE INDEX ix_audit_log_age ON audit_log (tenant_id, created_at);
CREATE INDEX ix_audit_log_recent ON audit_log (created_at, id);
-- A dream looks for the exams of its model.
CREATE INDEX ix_exams_model ON exams (tenant_id, owner, model, taken_at);
CREATE INDEX ix_installation_exams_model ON installation_exams (owner, model, taken_at);

-- Each sweep finds its due stores.
CREATE INDEX ix_stores_due ON stores (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX ix_stores_digest_due ON stores (digest_check_at) WHERE digest_check_at IS NOT NULL;
CREATE INDEX ix_stores_compaction_due ON stores (compaction_check_at) WHERE compaction_check_at IS NOT NULL;
CREATE INDEX ix_stores_shadows ON stores (tenant_id) WHERE starts_with(id, 'shadow_');
CREATE INDEX ix_stores_quarantined ON stores (tenant_id) WHERE is_quarantined;
CREATE INDEX ix_stores_hiding ON stores (tenant_id) INCLUDE (least_rank) WHERE least_rank > 0;
CREATE INDEX ix_stores_arm ON stores (tenant_id, arm) WHERE arm <> '';

-- A path names at most one live memory of a store. Row-level security asks every row for its tenant and for who may be shown it: with
-- them in the index, counts, folders and links of a large store are read from the index alone.
CREATE UNIQUE INDEX uq_memories_live_path ON memories (store_id, path) INCLUDE (tenant_id, id, shown_rank) WHERE state = 'live';
-- Live memories are found by their paths.
CREATE INDEX ix_memories_store_state ON memories (store_id, state) WHERE state <> 'live';
CREATE INDEX ix_memories_written_by ON memories (store_id, written_by);
-- Questions of upkeep and of a dream's phases, each with an index of its own, so that no store is read as a whole.
CREATE INDEX ix_memories_dirty ON memories (store_id) WHERE is_dirty AND state = 'live';
-- With the id, by which copies that wait for a review are left out, no text is read to count equal ones.
CREATE INDEX ix_memories_fold_hash ON memories (tenant_id, store_id, fold_hash) INCLUDE (id, shown_rank)
  WHERE state = 'live' AND fold_hash <> '';
CREATE INDEX ix_memories_working ON memories (store_id, reinforcement_count, touched_at)
  WHERE state = 'live' AND tier = 'working';
CREATE INDEX ix_memories_durable ON memories (store_id, touched_at) WHERE state = 'live' AND tier = 'durable';
CREATE INDEX ix_memories_fresh ON memories (store_id, greatest(created_at, updated_at)) WHERE state = 'live';
-- Every dream looks for memories that are too large; few have as many characters.
CREATE INDEX ix_memories_large ON memories (store_id, size_chars) WHERE state = 'live' AND size_chars > 4000;
CREATE INDEX ix_memories_expires ON memories (store_id, expires) WHERE state = 'live' AND expires IS NOT NULL;
CREATE INDEX ix_memories_touched ON memories (store_id, touched_at) WHERE state = 'live';
-- What was recalled most, and how many memories ever were.
CREATE INDEX ix_memories_recalled ON memories (tenant_id, access_count) INCLUDE (shown_rank) WHERE state = 'live' AND access_count > 0;
-- An undo asks what was merged into each memory that it restores.
CREATE INDEX ix_memories_merged ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX ix_memory_vectors_written_by ON memory_vectors (store_id, written_by);
CREATE INDEX ix_memory_links_target ON memory_links (store_id, target, memory_id);
CREATE INDEX ix_memory_versions_age ON memory_versions (tenant_id, created_at);
CREATE INDEX ix_memory_versions_dream ON memory_versions (dream_id) WHERE dream_id IS NOT NULL;
CREATE INDEX ix_pending_merges_created ON pending_merges (created_at);

-- A store has at most one active dream.
CREATE UNIQUE INDEX uq_dreams_one_active ON dreams (store_id) WHERE state IN ('queued', 'running');
CREATE INDEX ix_dreams_active ON dreams (tenant_id, lease_until) WHERE state IN ('queued', 'running');
CREATE INDEX ix_dreams_store_created ON dreams (store_id, created_at);
-- Operators see whose dreams did not complete.
CREATE INDEX ix_dreams_incomplete ON dreams (created_at, tenant_id, state) WHERE state IN ('error', 'partial');
-- Rows arrive in the order of time, so ranges of pages (BRIN) find the last days, and a write costs next to nothing.
CREATE INDEX ix_dreams_created ON dreams USING brin (created_at);
CREATE INDEX ix_llm_calls_created ON llm_calls USING brin (created_at);
CREATE INDEX ix_llm_calls_day ON llm_calls (tenant_id, created_at);
-- A question of a phase has at most one stored answer.
CREATE UNIQUE INDEX uq_llm_calls_answer ON llm_calls (dream_id, phase, key) WHERE outcome = 'ok';
CREATE INDEX ix_operations_pending ON operations (tenant_id, created_at) WHERE review = 'pending';
CREATE INDEX ix_operations_decided ON operations (tenant_id, decided_at) WHERE review IN ('approved', 'rejected');
CREATE INDEX ix_operations_rejected ON operations (store_id) WHERE review = 'rejected';
CREATE INDEX ix_operations_fingerprint ON operations (store_id, fingerprint) WHERE fingerprint <> '';
CREATE INDEX ix_operations_retiring ON operations (store_id, created_at) WHERE kind = 'RETIRE';
CREATE INDEX ix_operations_flags ON operations (store_id, created_at) WHERE kind = 'FLAG';
CREATE INDEX ix_operations_put_back ON operations (store_id, created_at) WHERE kind = 'PUT_BACK';
-- A store has at most one active evaluation.
CREATE UNIQUE INDEX uq_evaluations_one_active ON evaluations (store_id) WHERE state IN ('queued', 'running');
CREATE INDEX ix_evaluations_recent ON evaluations (tenant_id, store_id, created_at);
CREATE INDEX ix_evaluation_answers_age ON evaluation_answers (created_at);
CREATE INDEX ix_evaluation_answers_evaluation ON evaluation_answers (tenant_id, evaluation_id);
CREATE INDEX ix_batch_calls_created ON batch_calls (created_at);
CREATE INDEX ix_tenants_budget ON tenants (id) WHERE usd_per_day IS NOT NULL OR usd_per_month IS NOT NULL;
CREATE INDEX ix_stores_budget ON stores (tenant_id) WHERE usd_per_day IS NOT NULL OR usd_per_month IS NOT NULL;
CREATE INDEX ix_cost_reservations_dream ON cost_reservations (tenant_id, dream_id);
CREATE INDEX ix_asked_questions_dream ON asked_questions (dream_id);
CREATE INDEX ix_asked_questions_due ON asked_questions (store_id, phase, reopens_at) WHERE reopens_at IS NOT NULL;

CREATE INDEX ix_sessions_recent ON sessions (store_id, last_event_at);
CREATE INDEX ix_sessions_waiting ON sessions (store_id) WHERE gathered_position < last_position;
CREATE INDEX ix_sessions_consumed ON sessions (consumed_at) WHERE consumed_at IS NOT NULL;
-- Partial with a condition that always holds. While the table is small or not analyzed, PostgreSQL may use any index
-- that begins with the tenant for the foreign key check of an event, and keeps that plan: a first import then reads
-- all sessions of the tenant for every event. A partial index serves only queries that name its condition.
CREATE INDEX ix_sessions_created ON sessions (tenant_id, created_at) WHERE created_at > '-infinity';
CREATE INDEX ix_session_events_words ON session_events USING gin (words) WHERE words IS NOT NULL;
CREATE INDEX ix_feedback_recent ON feedback (store_id, occurred_at);
CREATE INDEX ix_feedback_age ON feedback (tenant_id, created_at);
CREATE INDEX ix_workflow_runs_recent ON workflow_runs (store_id, occurred_at);
CREATE INDEX ix_workflow_runs_age ON workflow_runs (tenant_id, created_at);
CREATE INDEX ix_skill_uses_recent ON skill_uses (store_id, used_at);
CREATE INDEX ix_skill_uses_age ON skill_uses (tenant_id, used_at);
CREATE INDEX ix_search_log_recent ON search_log (store_id, asked_at);
CREATE INDEX ix_search_log_age ON search_log (tenant_id, asked_at);

CREATE INDEX ix_webhook_endpoints_digest ON webhook_endpoints (digest_at) WHERE digest_at IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_age ON webhook_deliveries (tenant_id, created_at, id);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX ix_webhook_deliveries_in_flight ON webhook_deliveries (lease_until) WHERE state = 'pending';
