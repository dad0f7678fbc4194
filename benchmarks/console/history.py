"""Give a tenant a past: four weeks of dreams with their calls and costs, sessions, recalls and an audit log."""

import psycopg

from workers.phases import PHASES

#: Of 28 days: ten dreams a day, each with 20 operations and 15 calls of three models.
_DREAMS = """
    INSERT INTO dreams (id, tenant_id, store_id, state, trigger, epoch, is_forced, is_dry_run, created_at, started_at,
      finished_at, model, reason, summary, live_memories, changed_topics)
    SELECT 'drm_old' || lpad(n::text, 5, '0'), tenant_id, store_id, CASE WHEN n %% 40 = 7 THEN 'partial' ELSE 'completed' END,
      'sweep', 1, false, false, at, at, at + interval '4 minutes', model, reason, summary, live_memories, changed_topics
    FROM dreams, generate_series(1, 280) n, LATERAL (SELECT now() - n * interval '144 minutes' AS at) moment
    WHERE id = %(dream)s
"""
_OPERATIONS = """
    INSERT INTO operations (id, tenant_id, store_id, dream_id, phase, position, kind, state, review, reason, confidence,
      note, changes, effects, fingerprint, created_at, decided_by)
    SELECT 'op_old' || substr(d.id, 8) || '_' || n, o.tenant_id, o.store_id, d.id, o.phase, 1000 + n, o.kind, 'applied', 'none',
      o.reason, o.confidence, o.note, o.changes, o.effects, '', d.created_at, ''
    FROM dreams d, generate_series(1, 20) n
    JOIN LATERAL (SELECT * FROM operations WHERE dream_id = %(dream)s AND effects <> '[]' AND position < 1000
                  ORDER BY id OFFSET n %% 5 LIMIT 1) o ON true
    WHERE d.id LIKE 'drm_old%%'
"""
_CALLS = """
    INSERT INTO llm_calls (id, tenant_id, dream_id, phase, key, model, outcome, detail, answer, prompt, input_tokens,
      output_tokens, cached_tokens, cache_write_tokens, cost_usd, latency_ms, created_at)
    SELECT 'call_old' || substr(d.id, 8) || '_' || n, c.tenant_id, d.id,
      (%(phases)s::text[])[1 + n %% 4], c.key || n,
      (ARRAY['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-4-5'])[1 + n %% 3], c.outcome, '', c.answer, c.prompt,
      9000 + n, 700, 4000, 100, 0.01 * n, 2500, d.created_at
    FROM dreams d, generate_series(1, 15) n, (SELECT * FROM llm_calls WHERE dream_id = %(dream)s ORDER BY id LIMIT 1) c
    WHERE d.id LIKE 'drm_old%%'
"""
_SESSIONS = """
    INSERT INTO sessions (id, tenant_id, store_id, external_id, source, title, started_at, last_event_at, event_count,
      last_position, gathered_position, consumed_at, created_at)
    SELECT 'sesn_old' || lpad(n::text, 4, '0'), tenant_id, id, 'old-' || n, 'claude-code',
      'How do we mend the label queue, part ' || n || '?', at, at, events, events, events, at, at
    FROM stores, generate_series(0, 1999) n,
      LATERAL (SELECT now() - n * interval '20 minutes' AS at, CASE WHEN n = 0 THEN 400 ELSE 20 END AS events) made
    WHERE name = %(store)s AND tenant_id = %(tenant)s
"""
_EVENTS = """
    INSERT INTO session_events (session_id, event_id, tenant_id, position, at, kind, role, text, size_chars)
    SELECT s.id, 'e' || n, s.tenant_id, n, s.started_at, kind, kind, body, length(body)
    FROM sessions s, generate_series(1, s.event_count) n,
      LATERAL (SELECT CASE WHEN n %% 2 = 1 THEN 'user' ELSE 'assistant' END AS kind,
                 'Remember that step ' || n || ' of the label queue ' || repeat('is done before the next one begins ', 20) AS body
              ) said
    WHERE s.id LIKE 'sesn_old%%'
"""
_CUES = """
    INSERT INTO session_cues (session_id, position, start_char, end_char, tenant_id, kind, rule, strength, detector_version)
    SELECT session_id, position, 0, 40, tenant_id, 'save', 'remember', 0.9, 1
    FROM session_events WHERE session_id LIKE 'sesn_old%%' AND kind = 'user' AND position %% 5 = 1
"""
#: A third of the memories was recalled, few of them often.
_RECALLS = """
    UPDATE memories SET last_seen_at = now(),
      access_count = CASE WHEN hashtext(id) %% 3 = 0 THEN 1 + (abs(hashtext(id)) %% 1000) / 100 ELSE 0 END
    WHERE tenant_id = %(tenant)s
"""
_AUDIT = """
    INSERT INTO audit_log (id, tenant_id, actor, action, detail, created_at)
    SELECT 'aud_old' || lpad(n::text, 6, '0'), %(tenant)s, 'key:key_agent', 'memory.write',
      jsonb_build_object('store', %(store)s::text, 'path', 'd' || n %% 10 || '/' || n || '.md'), now() - n * interval '4 minutes'
    FROM generate_series(1, 10000) n
"""


def fill_history(application: psycopg.Connection, dream_id: str, *, tenant: str, store: str) -> None:
    """Add four weeks of everything, as copies of what one real dream has left."""
    phases = [phase.name for phase in PHASES[:4]]
    values = {"dream": dream_id, "tenant": tenant, "store": store, "phases": phases}
    for statement in (_DREAMS, _OPERATIONS, _CALLS, _SESSIONS, _EVENTS, _CUES, _RECALLS, _AUDIT):
        application.execute(statement, values)
