"""Redaction reaches what holds a text in pieces, too: model answers, stubs, and the pointers of generated indexes.

A model's answer is the body of what a dream wrote, an index shows a memory's first line, and a proposal that nobody
decided repeats what it would merge. None of them holds the whole text, by which they were looked for.
"""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_ARGUMENTS = "text, text, integer, text"
_BEFORE = f"slowwave_redact_texts({_ARGUMENTS})"
_REDACT = f"slowwave_redact_version({_ARGUMENTS})"
#: Of a dream's pointer to the memory only the link stays; the next dream says anew what is there now. A folder's line
#: loses the titles that it lists. What people wrote into an index themselves is left as it is.
_POINTERS = r"""
    CREATE FUNCTION slowwave_without_pointers(p_content text, p_index text, p_path text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog AS $$
    DECLARE folder text := regexp_replace(p_index, '[^/]*$', ''); target text; link text;
    BEGIN
      IF p_path = '' OR p_index !~ '(^|/)(MEMORY|_index)\.md$' THEN RETURN p_content; END IF;
      target := CASE WHEN starts_with(p_path, folder) THEN substr(p_path, length(folder) + 1) ELSE p_path END;
      link := replace(replace(replace(replace(replace(replace(replace(replace(target,
        '%', '%25'), ' ', '%20'), '(', '%28'), ')', '%29'), '#', '%23'), '?', '%3F'), '<', '%3C'), '>', '%3E');
      RETURN regexp_replace(regexp_replace(p_content,
        '^- \[[^]]*\]\(' || regexp_replace(link, '([.^$*+?()\[\]{}|])', '\\\1', 'g') || '\).*$',
        '- [' || link || '](' || link || ')', 'gn'),
        '^(- (?:\[[^]]*\]\([^)]*\)|[^ ].*/|\(top level\)) — [0-9]+ memories):.*$', '\1', 'gn');
    END $$"""
_IMAGE = """
    CREATE FUNCTION slowwave_image_without_pointers(p_image jsonb, p_path text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public AS $$
      SELECT CASE WHEN jsonb_typeof(p_image) = 'object' AND p_image->>'content' IS NOT NULL
          AND coalesce(p_image->>'author', 'dream') = 'dream'
        THEN jsonb_set(p_image, '{content}',
          to_jsonb(slowwave_without_pointers(p_image->>'content', p_image->>'path', p_path))) ELSE p_image END
    $$"""
_PIECES = """
    CREATE FUNCTION slowwave_redact_version(p_store text, p_memory text, p_version integer, p_by text)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
      lost memory_versions%ROWTYPE; redacted integer; named text;
    BEGIN
      SELECT * INTO lost FROM memory_versions
        WHERE tenant_id = mine AND store_id = p_store AND memory_id = p_memory AND version = p_version;
      redacted := slowwave_redact_texts(p_store, p_memory, p_version, p_by);
      IF redacted = 0 THEN RETURN 0; END IF;
      -- Whoever read, planned or answered about the memory may have its text in pieces.
      named := to_jsonb(lost.path)::text;
      UPDATE llm_calls c SET answer = NULL FROM phase_runs p JOIN dreams d ON d.id = p.dream_id
        WHERE d.tenant_id = mine AND d.store_id = p_store AND p.tenant_id = mine AND c.tenant_id = mine
          AND c.dream_id = p.dream_id AND c.phase = p.phase AND c.answer IS NOT NULL
          AND (p.inputs IS NULL OR position(p_memory IN p.inputs::jsonb::text) > 0 OR position(named IN p.inputs::jsonb::text) > 0);
      UPDATE phase_runs p SET inputs = NULL, plan = NULL FROM dreams d
        WHERE d.tenant_id = mine AND d.store_id = p_store AND p.tenant_id = mine AND p.dream_id = d.id
          AND (p.phase IN ('index', 'recall_guard') OR position(p_memory IN p.inputs::jsonb::text) > 0 OR position(named IN p.inputs::jsonb::text) > 0
            OR position(p_memory IN p.plan::jsonb::text) > 0);
      UPDATE operations o SET changes = (
          SELECT coalesce(jsonb_agg(CASE WHEN c.v->>'memory_id' = p_memory AND c.v ? 'stub'
            THEN jsonb_set(c.v, '{stub}', 'null') ELSE c.v END ORDER BY c.n), '[]')
          FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n))
        WHERE o.tenant_id = mine AND o.store_id = p_store AND EXISTS (
          SELECT 1 FROM jsonb_array_elements(o.effects) AS e (v) WHERE e.v->'before'->>'id' = p_memory);
      -- What was only proposed wrote no version, but its text was made from this one; it can no longer be approved.
      UPDATE operations o SET
        changes = (SELECT coalesce(jsonb_agg(CASE WHEN c.v ? 'content' THEN jsonb_set(c.v, '{content}', '""')
            ELSE c.v END ORDER BY c.n), '[]') FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n)),
        effects = (SELECT jsonb_agg(e.v || jsonb_build_object('is_after_redacted', true,
            'after', (e.v->'after') || '{"content": "", "stub": null}'::jsonb) ORDER BY e.n)
          FROM jsonb_array_elements(o.effects) WITH ORDINALITY AS e (v, n))
        WHERE o.tenant_id = mine AND o.store_id = p_store AND o.state IN ('proposed', 'skipped', 'rejected')
          AND o.decided_at IS NULL AND EXISTS (SELECT 1 FROM jsonb_array_elements(o.effects) AS e (v)
            WHERE e.v->'before'->>'id' = p_memory AND (e.v->'is_before_redacted')::boolean);
      UPDATE operations o SET
        changes = (SELECT coalesce(jsonb_agg(slowwave_image_without_pointers(c.v, lost.path) ORDER BY c.n), '[]')
          FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n)),
        effects = (SELECT coalesce(jsonb_agg(e.v || jsonb_build_object(
            'before', slowwave_image_without_pointers(e.v->'before', lost.path),
            'after', slowwave_image_without_pointers(e.v->'after', lost.path)) ORDER BY e.n), '[]')
          FROM jsonb_array_elements(o.effects) WITH ORDINALITY AS e (v, n))
        WHERE o.tenant_id = mine AND o.store_id = p_store AND o.kind = 'INDEX';
      UPDATE memory_versions v SET content = slowwave_without_pointers(v.content, v.path, lost.path)
        WHERE v.tenant_id = mine AND v.store_id = p_store AND v.author = 'dream'
          AND v.content <> slowwave_without_pointers(v.content, v.path, lost.path);
      UPDATE memories m SET content = f.content, summary = '', size_chars = length(f.content),
          content_hash = encode(sha256(convert_to(f.content, 'UTF8')), 'hex')
        FROM (SELECT i.id, slowwave_without_pointers(i.content, i.path, lost.path) AS content FROM memories i
              WHERE i.tenant_id = mine AND i.store_id = p_store AND i.author = 'dream') f
        WHERE m.tenant_id = mine AND m.store_id = p_store AND m.id = f.id AND m.content <> f.content;
      RETURN redacted;
    END $$"""
_POINTERS_ARGUMENTS = "slowwave_without_pointers(text, text, text)"
_IMAGE_ARGUMENTS = "slowwave_image_without_pointers(jsonb, text)"


def upgrade() -> None:
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_redact")
    op.execute(f"ALTER FUNCTION {_REDACT} RENAME TO slowwave_redact_texts")
    op.execute(f"REVOKE EXECUTE ON FUNCTION {_BEFORE} FROM slowwave_app")
    op.execute(f"ALTER FUNCTION {_BEFORE} SECURITY INVOKER")  # it runs inside the one below, with that one's rights
    for function, statement in ((_POINTERS_ARGUMENTS, _POINTERS), (_IMAGE_ARGUMENTS, _IMAGE)):
        op.execute(statement)
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_redact")
    op.execute(_PIECES)
    op.execute(f"REVOKE ALL ON FUNCTION {_REDACT} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_REDACT} TO slowwave_app")
    op.execute(f"ALTER FUNCTION {_REDACT} OWNER TO slowwave_redact")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_redact")


def downgrade() -> None:
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_redact")
    op.execute(f"DROP FUNCTION {_REDACT}")
    op.execute(f"DROP FUNCTION {_IMAGE_ARGUMENTS}")
    op.execute(f"DROP FUNCTION {_POINTERS_ARGUMENTS}")
    op.execute(f"ALTER FUNCTION {_BEFORE} RENAME TO slowwave_redact_version")
    op.execute(f"ALTER FUNCTION {_REDACT} SECURITY DEFINER")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_REDACT} TO slowwave_app")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_redact")
