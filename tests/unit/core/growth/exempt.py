"""The public functions of the core that take text and are not tried with hostile ones, by the reason why not."""

EXEMPT: dict[str, tuple[str, ...]] = {
    "its words are a match of a bounded pattern, or the program's own": (
        "dates.rewrite.find_local", "evaluation.intervals.holm", "dates.arithmetic.shift", "dates.arithmetic.span_of", "dates.words.read_month", "health.decide_health", "alerts.decide_alerts", "budgets.savings.sum_savings",
        "metrics.get_metric", "inputs.wrong_values.say_wrong", "inputs.wrong_values.tell_wrong", "sessions.evidence.phrases.make_table", "sessions.languages.language.make_language", "sessions.evidence.score.total_of", "sessions.evidence.score.weigh", "gates.in_words.say_paused", "gates.in_words.say_too_little",
    ),
    "it takes ids and names that were checked when they came in": (
        "gates.busy_agent.decide_busy_since", "gates.deferral.decide_deferred", "gates.jitter.draw_share",
        "gates.jitter.wait_with_jitter", "gates.jitter.with_jitter", "learning.preferences.is_inferred",
        "learning.preferences.is_tentative", "learning.skill_merging.reason_apart", "learning.skill_merging.decide_guide",
        "learning.skill_merging.find_clusters", "learning.skill_merging.find_sources", "learning.skill_merging.is_merge",
        "learning.skills.folder_of", "learning.skills.namespace_of", "learning.skills.skill_name_of",
        "memory.model.is_ordinary_domain", "memory.model.is_log", "memory.paths.original_of", "memory.provenance.place_of", "merging.calls.folder_of", "questions.call_limits.name_endpoint", "sessions.ranking.key_of",
        "sessions.ranking.fuse_with_meaning", "search.fusion.score_rankings",
        "trust.hidden.Shown", "trust.hidden.is_shown", "trust.hidden.note_hidden", "trust.hidden.rank_of", "trust.hidden.rank_of_event", "upkeep.decay.is_exempt", "upkeep.due.decide_digest_due", "upkeep.due.digest_path", "upkeep.due.local_day", "upkeep.due.local_date", "upkeep.due.end_of_day", "upkeep.due.end_of_week",
        "upkeep.due.start_of_next_day", "webhooks.address.decide_allowed", "webhooks.message.build_test_message", "webhooks.message.build_budget_message",
        "webhooks.retries.find_backoff", "questions.prices.cost_usd", "questions.prices.find_price", "questions.prices.say_cost", "questions.prices.plain_model",
        "questions.prices.price_provider",
        "tenants.labels.check_labels", "listings.one_change.keep_together", "questions.escalation.escalated_key", "questions.escalation.is_escalated",
        "questions.escalation.plain_key", "questions.escalation.is_exam", "questions.escalation.is_repair", "questions.estimate.estimate_dream_cost",
        "evaluation.model.count_repeats", "dream.recall.read_recall", "dream.recall.say_found", "evaluation.work.plan_copies", "tenants.arm.put_in_arm", "tenants.shadow.find_ending", "tenants.shadow.find_evaluation_id", "tenants.shadow.find_repeat", "tenants.shadow.is_shadow", "tenants.shadow.name_shadow", "tenants.shadow.original_name", "webhooks.evaluation_message.build_evaluation_message", "webhooks.message.render_body",
        "exam.draws.draw_exam", "exam.model.find_valid", "sync.names.find_alike", "sync.names.find_confused", "sync.names.is_conflict",
        "sync.names.name_conflict",
    ),
    "it takes settings, which are few and checked": (
        "inputs.database_address.find_fault", "policy.profiles.get_policy", "policy.profiles.get_setting", "policy.profiles.read_value", "policy.profiles.override_keys",
        "policy.retention.get_retention", "tenants.audit.as_change", "tenants.audit.find_changed_keys", "tenants.audit.find_changes",
        "tenants.audit.name_changed_fields", "tenants.audit.say_detail", "tenants.model_settings.change_model_settings",
        "tenants.model_settings.find_model_settings", "tenants.model_settings.lay_over", "tenants.model_settings.check_batches",
        "tenants.model_settings.say_no_batches", "tenants.model_settings.use_model_of", "tenants.model_settings.use_store_model",
        "tenants.model_settings.without_password", "tenants.phase_models.check_phases", "tenants.phase_models.parse_phase_models",
    ),
    "it hands texts on, or compares them whole": (
        "forgetting.asked.plan_asked", "forgetting.asked.plan_told",
        "dream.effects.decide_undo_conflict", "dream.effects.decide_undo_impossible",
        "dream.effects.find_restored_text", "dream.effects.plan_effects", "dream.effects.plan_restore",
        "dream.effects.without_moved", "dream.verdicts.operation_fingerprint", "dream.verdicts.find_decided", "dream.replan.find_live", "dream.replan.keep_up",
        "dream.replan.rebase_text", "dream.replan.replan", "dream.reviewed.find_reviewed", "merging.calls.lay_out", "merging.settled_clusters.find_settled",
        "merging.settled_clusters.reopen", "questions.change_gate.follow_up", "questions.question.find_marker",
        "policy.choice.label_names", "questions.shared_beginnings.share_beginnings", "sessions.transcript.keep_labels", "sync.decide.decide", "tenants.api_keys.build_token",
        "exam.model.exam_fingerprint", "tenants.api_keys.decide_hash_valid", "tenants.api_keys.decide_key_valid", "webhooks.message.build_headers",
    ),
    "it counts pairs of skills of a session, not of words": ("learning.skills.find_pairs",),
    "`read_statements` and `read_sections` are tried, which do their work with it": (
        "merging.statements.is_said", "merging.statements.lean", "merging.statements.leans", "merging.statements.units_of",
        "merging.statements.wording_in", "text.markdown.group_items", "text.markdown.is_step",
    ),
}  # fmt: skip
