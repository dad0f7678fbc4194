-- Drop everything that this schema has made.
--
-- The roles stay, because other databases of the same server may use them; they keep no right in this one.
DROP FUNCTION
  slowwave_forget_row,
  slowwave_strings_of,
  slowwave_redact_version,
  slowwave_json_contains,
  slowwave_strip_pointers,
  slowwave_strip_image_pointers,
  slowwave_redact_effects,
  slowwave_strip_effects,
  slowwave_redact_texts,
  slowwave_redact_words,
  slowwave_words_of,
  slowwave_repeats,
  slowwave_strip_note,
  slowwave_find_api_key,
  slowwave_read_audit,
  slowwave_read_stores,
  slowwave_write_searches,
  slowwave_read_searches,
  slowwave_record_verdicts,
  slowwave_release_due_stores,
  slowwave_claim_due_stores,
  slowwave_claim_due_digests,
  slowwave_claim_due_compactions,
  slowwave_count_active_dreams,
  slowwave_count_running_dreams,
  slowwave_find_next_dreams,
  slowwave_find_stalled_dreams,
  slowwave_find_batched_dreams,
  slowwave_find_evaluations,
  slowwave_count_quarantined_stores,
  slowwave_grant_backup,
  slowwave_grant_purge,
  slowwave_erase_tenant,
  slowwave_forget_session,
  slowwave_delete_session,
  slowwave_delete_store,
  slowwave_measure,
  slowwave_measure_budgets,
  slowwave_measure_costs,
  slowwave_measure_days,
  slowwave_claim_tenants_to_purge,
  slowwave_purge_aged,
  slowwave_purge_replaced,
  slowwave_list_tenants,
  slowwave_rank_tenants,
  slowwave_find_owner_of_dream,
  slowwave_list_quarantined_stores,
  slowwave_measure_recent,
  slowwave_claim_deliveries,
  slowwave_find_due_digests;
DROP TABLE
  webhook_deliveries, webhook_endpoints;
DROP TABLE
  search_log, skill_uses, workflow_runs, feedback, session_terms, session_cues, session_events, sessions;
DROP TABLE
  probes, evaluation_answers, evaluations, asked_questions, budget_alerts, cost_reservations, batch_calls, llm_calls, operations, phase_runs, dream_orders, dreams;
DROP TABLE
  tombstones, pending_merges, memory_links, memory_vectors, memory_versions, memories, stores;
DROP TABLE
  exams, installation_exams, installation_log, installation, audit_log, directives, saved_filters, api_requests, api_keys, tenants;
DROP FUNCTION slowwave_stamp_written_by, slowwave_clear_fold_hash, slowwave_drop_vector, slowwave_drop_links, slowwave_keep_shadow_still;
REVOKE ALL ON alembic_version FROM slowwave_app, slowwave_backup;
REVOKE USAGE ON SCHEMA public
  FROM slowwave_app, slowwave_sweep, slowwave_purge, slowwave_redact, slowwave_keys, slowwave_audit, slowwave_searches, slowwave_backup;
