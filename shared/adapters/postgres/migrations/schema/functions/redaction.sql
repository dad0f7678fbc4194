-- Redact one version of a memory: empty its text, and every copy of that text.
--
-- Besides retention this is the only way in which text is lost, and the application role cannot do it by itself: the
-- function belongs to slowwave_redact, which may change only the columns listed in grants.sql, and writes the audit
-- entry in the same transaction.

-- Tell whether a string of a JSON value contains a text. jsonb_path_query would take each match off the front of a list
-- and move the rest: 3 s for 100,000 strings, where an array takes 0.3 s.
CREATE FUNCTION slowwave_json_contains(p_value jsonb, p_text text)
RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT coalesce(bool_or(position(p_text IN leaf) > 0), false)
  FROM jsonb_array_elements_text(jsonb_path_query_array(p_value, '$.** ? (@.type() == "string")')) AS leaf
$$;
REVOKE ALL ON FUNCTION slowwave_json_contains(jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_json_contains(jsonb, text) TO slowwave_redact;

-- Return the text of a generated index without the title and first line of the memory at p_path: only the link stays,
-- and the next dream writes the line anew. A folder's line loses the titles that it lists. Other files are returned
-- as they are.
CREATE FUNCTION slowwave_strip_pointers(p_content text, p_index text, p_path text)
RETURNS text
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
END
$$;
REVOKE ALL ON FUNCTION slowwave_strip_pointers(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_strip_pointers(text, text, text) TO slowwave_redact;

-- Do the same for the content of an image of a memory, if a dream wrote it.
CREATE FUNCTION slowwave_strip_image_pointers(p_image jsonb, p_path text)
RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public AS $$
  SELECT CASE WHEN jsonb_typeof(p_image) = 'object' AND p_image->>'content' IS NOT NULL
      AND coalesce(p_image->>'author', 'dream') = 'dream'
    THEN jsonb_set(p_image, '{content}',
      to_jsonb(slowwave_strip_pointers(p_image->>'content', p_image->>'path', p_path))) ELSE p_image END
$$;
REVOKE ALL ON FUNCTION slowwave_strip_image_pointers(jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_strip_image_pointers(jsonb, text) TO slowwave_redact;

-- Return a list of effects without the text of these versions of a memory.
CREATE FUNCTION slowwave_redact_effects(p_effects jsonb, p_memory text, p_versions integer[])
RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT coalesce(jsonb_agg(
    CASE WHEN e.v->'before'->>'id' = p_memory AND (e.v->'before'->>'version')::integer = ANY (p_versions)
      THEN e.v || jsonb_build_object('before', (e.v->'before') || '{"content": "", "stub": null}'::jsonb,
                                     'is_before_redacted', true) ELSE e.v END
    || CASE WHEN e.v->'after'->>'id' = p_memory AND (e.v->'after'->>'version')::integer = ANY (p_versions)
      THEN jsonb_build_object('after', (e.v->'after') || '{"content": "", "stub": null}'::jsonb,
                              'is_after_redacted', true) ELSE '{}' END
    ORDER BY e.n), '[]') FROM jsonb_array_elements(p_effects) WITH ORDINALITY AS e (v, n)
$$;
REVOKE ALL ON FUNCTION slowwave_redact_effects(jsonb, text, integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_redact_effects(jsonb, text, integer[]) TO slowwave_redact;

-- Return a list of effects without what generated indexes in it say of the memory at a path.
CREATE FUNCTION slowwave_strip_effects(p_effects jsonb, p_path text)
RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public AS $$
  SELECT coalesce(jsonb_agg(e.v || jsonb_build_object(
    'before', slowwave_strip_image_pointers(e.v->'before', p_path),
    'after', slowwave_strip_image_pointers(e.v->'after', p_path)) ORDER BY e.n), '[]')
  FROM jsonb_array_elements(p_effects) WITH ORDINALITY AS e (v, n)
$$;
REVOKE ALL ON FUNCTION slowwave_strip_effects(jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_strip_effects(jsonb, text) TO slowwave_redact;

-- Empty the version, and the copies that hold its whole text. Runs inside slowwave_redact_version, with its rights.
CREATE FUNCTION slowwave_redact_texts(p_store text, p_memory text, p_version integer, p_by text)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  lost memory_versions%ROWTYPE; head memories%ROWTYPE; numbers integer[] := ARRAY[p_version];
BEGIN
  IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
  SELECT * INTO head FROM memories WHERE tenant_id = mine AND store_id = p_store AND id = p_memory FOR UPDATE;
  SELECT * INTO lost FROM memory_versions
    WHERE tenant_id = mine AND store_id = p_store AND memory_id = p_memory AND version = p_version FOR UPDATE;
  IF NOT FOUND OR lost.redacted_at IS NOT NULL THEN RETURN 0; END IF;
  IF head.state = 'live' AND head.version = p_version THEN RAISE EXCEPTION 'it is the current version'; END IF;
  IF EXISTS (SELECT 1 FROM dreams WHERE tenant_id = mine AND store_id = p_store
             AND state IN ('queued', 'running')) THEN
    RAISE EXCEPTION 'a dream may be reading it';
  END IF;
  IF head.id IS NOT NULL AND head.state <> 'live' THEN
    -- A memory that was retired keeps its text, and the version that says so repeats it.
    numbers := numbers || ARRAY(SELECT version FROM memory_versions WHERE tenant_id = mine
      AND memory_id = p_memory AND version <> p_version AND state <> 'live' AND content = lost.content);
    UPDATE memories SET content = '', title = '', summary = '', doc_type = '', size_chars = 0, stub = NULL,
      content_hash = encode(sha256(''::bytea), 'hex')
      WHERE tenant_id = mine AND id = p_memory AND content = lost.content;
  END IF;
  UPDATE memory_versions SET path = '', content = '', redacted_at = now(), redacted_by = p_by
    WHERE tenant_id = mine AND memory_id = p_memory AND version = ANY (numbers);
  UPDATE operations o SET
    effects = slowwave_redact_effects(o.effects, p_memory, numbers),
    undone = slowwave_redact_effects(o.undone, p_memory, numbers),
    changes = (SELECT coalesce(jsonb_agg(CASE WHEN c.v->>'content' = lost.content
        THEN jsonb_set(c.v, '{content}', '""') ELSE c.v END ORDER BY c.n), '[]')
      FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n))
    WHERE o.tenant_id = mine AND o.store_id = p_store AND EXISTS (
      SELECT 1 FROM jsonb_array_elements(o.effects || o.undone) AS e (v)
      WHERE e.v->'before'->>'id' = p_memory OR e.v->'after'->>'id' = p_memory);
  IF lost.content <> '' THEN
    UPDATE phase_runs p SET inputs = NULL, plan = NULL FROM dreams d
      WHERE d.tenant_id = mine AND d.store_id = p_store AND p.tenant_id = mine AND p.dream_id = d.id
        AND (slowwave_json_contains(p.inputs::jsonb, lost.content)
          OR slowwave_json_contains(p.plan::jsonb, lost.content));
    UPDATE llm_calls c SET answer = NULL, prompt = NULL FROM dreams d
      WHERE d.tenant_id = mine AND d.store_id = p_store AND c.tenant_id = mine AND c.dream_id = d.id
        AND (slowwave_json_contains(c.answer, lost.content) OR slowwave_json_contains(c.prompt, lost.content));
  END IF;
  INSERT INTO audit_log (id, tenant_id, actor, action, detail) VALUES ('aud_' || gen_random_uuid(), mine, p_by,
    'version.redact', jsonb_build_object('memory_id', p_memory, 'versions', to_jsonb(numbers)));
  RETURN cardinality(numbers);
END
$$;
REVOKE ALL ON FUNCTION slowwave_redact_texts(text, text, integer, text) FROM PUBLIC;
ALTER FUNCTION slowwave_redact_texts(text, text, integer, text) OWNER TO slowwave_redact;

-- Return the words of a text in lower case, with one blank around each.
CREATE FUNCTION slowwave_words_of(p_text text)
RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT ' ' || btrim(regexp_replace(lower(p_text), '[^[:alnum:]]+', ' ', 'g')) || ' '
$$;
REVOKE ALL ON FUNCTION slowwave_words_of(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_words_of(text) TO slowwave_redact;

-- Tell whether a sentence may repeat a text, whose words p_words are: it shares three words in a row, a long word with a
-- digit in it, or a quotation.
CREATE FUNCTION slowwave_repeats(p_said text, p_words text)
RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public AS $$
  SELECT coalesce(bool_or(position(piece IN p_words) > 0), false) FROM (
    SELECT ' ' || word || ' ' || lead(word) OVER w || ' ' || lead(word, 2) OVER w || ' ' AS piece
      FROM regexp_split_to_table(btrim(slowwave_words_of(p_said)), ' ') WITH ORDINALITY AS s (word, n)
      WINDOW w AS (ORDER BY n)
    UNION ALL SELECT ' ' || word || ' ' FROM regexp_split_to_table(btrim(slowwave_words_of(p_said)), ' ') AS s (word)
      WHERE word ~ '[0-9]' AND length(word) > 3
    UNION ALL SELECT btrim(slowwave_words_of(quoted[1])) FROM regexp_matches(p_said, '"([^"…]{4,})', 'g') AS q (quoted)
  ) AS pieces WHERE btrim(piece) <> ''
$$;
REVOKE ALL ON FUNCTION slowwave_repeats(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_repeats(text, text) TO slowwave_redact;

-- Return what an operation's note says of its state, without the reason, which quotes texts.
CREATE FUNCTION slowwave_strip_note(p_note text)
RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT regexp_replace(
    regexp_replace(p_note, '(proposed only|moot|not undone|not redone): .*$', '\1: redacted'), '".*"', '"redacted"')
$$;
REVOKE ALL ON FUNCTION slowwave_strip_note(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_strip_note(text) TO slowwave_redact;

-- Empty what was said about a redacted version, or in its words: reasons and notes of operations, also of those that an undo
-- put aside, and of suggested merges. Runs inside slowwave_redact_version, with its rights, when the images of operations
-- are marked and phases that may have read the text have lost their inputs.
CREATE FUNCTION slowwave_redact_words(p_store text, p_memory text, p_path text, p_content text)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  said text := slowwave_words_of(p_content); told text[];
BEGIN
  SELECT array_agg(o.id) INTO told FROM operations o
    WHERE o.tenant_id = mine AND o.store_id = p_store AND (
      EXISTS (SELECT 1 FROM jsonb_array_elements(o.effects || o.undone) AS e (v)
        WHERE (e.v->'before'->>'id' = p_memory AND (e.v->'is_before_redacted')::boolean)
          OR (e.v->'after'->>'id' = p_memory AND (e.v->'is_after_redacted')::boolean))
      OR EXISTS (SELECT 1 FROM jsonb_array_elements(o.changes) AS c (v)
        WHERE (o.effects = '[]' AND c.v->>'memory_id' = p_memory)
          OR p_path IN (c.v->>'source_path', c.v->>'target_path') OR (c.v->'paths') ? p_path)
      OR (slowwave_repeats(o.note || '; ' || o.reason, said) AND EXISTS (SELECT 1 FROM phase_runs p
        WHERE p.tenant_id = mine AND p.dream_id = o.dream_id AND p.phase = o.phase AND p.inputs IS NULL)));
  UPDATE operations o SET note = slowwave_strip_note(o.note), reason = 'redacted',
    changes = (SELECT coalesce(jsonb_agg(CASE WHEN c.v ? 'reason' THEN jsonb_set(c.v, '{reason}', '"redacted"')
      ELSE c.v END ORDER BY c.n), '[]') FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n))
    WHERE o.tenant_id = mine AND o.id = ANY (told);
  UPDATE pending_merges SET reason = 'redacted'
    WHERE tenant_id = mine AND store_id = p_store AND (p_path IN (source_path, target_path) OR slowwave_repeats(reason, said));
  UPDATE dreams d SET before = jsonb_set(d.before, '{hints}', (
      SELECT coalesce(jsonb_agg(CASE WHEN p_path IN (h.v->>'source_path', h.v->>'target_path')
          OR slowwave_repeats(h.v->>'reason', said) THEN jsonb_set(h.v, '{reason}', '"redacted"') ELSE h.v END ORDER BY h.n), '[]')
      FROM jsonb_array_elements(d.before->'hints') WITH ORDINALITY AS h (v, n)))
    WHERE d.tenant_id = mine AND d.store_id = p_store AND jsonb_typeof(d.before->'hints') = 'array';
  UPDATE dreams d SET before = jsonb_set(d.before, '{undo,operations}', (
      SELECT coalesce(jsonb_object_agg(j.id, CASE WHEN j.id = ANY (told)
        THEN jsonb_set(j.v, '{note}', to_jsonb(slowwave_strip_note(j.v->>'note'))) ELSE j.v END), '{}')
      FROM jsonb_each(d.before->'undo'->'operations') AS j (id, v)))
    WHERE d.tenant_id = mine AND d.store_id = p_store AND d.before->'undo'->'operations' ?| told;
END
$$;
REVOKE ALL ON FUNCTION slowwave_redact_words(text, text, text, text) FROM PUBLIC;
ALTER FUNCTION slowwave_redact_words(text, text, text, text) OWNER TO slowwave_redact;

-- Redact the version, and what may hold its text in pieces: model answers, stubs, proposals, reasons, and lines of generated
-- indexes. Return the number of versions that were emptied.
CREATE FUNCTION slowwave_redact_version(p_store text, p_memory text, p_version integer, p_by text)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
  lost memory_versions%ROWTYPE; redacted integer; named text;
BEGIN
  SELECT * INTO lost FROM memory_versions
    WHERE tenant_id = mine AND store_id = p_store AND memory_id = p_memory AND version = p_version;
  redacted := slowwave_redact_texts(p_store, p_memory, p_version, p_by);
  IF redacted = 0 THEN RETURN 0; END IF;
  -- A phase that read, planned or answered about the memory may have its text in pieces. One that stored no inputs, as
  -- the phase that writes the index, may have read any memory.
  named := to_jsonb(lost.path)::text;
  UPDATE llm_calls c SET answer = NULL, prompt = NULL FROM phase_runs p JOIN dreams d ON d.id = p.dream_id
    WHERE d.tenant_id = mine AND d.store_id = p_store AND p.tenant_id = mine AND c.tenant_id = mine
      AND c.dream_id = p.dream_id AND c.phase = p.phase AND (c.answer IS NOT NULL OR c.prompt IS NOT NULL)
      AND (p.inputs IS NULL OR position(p_memory IN p.inputs::jsonb::text) > 0
        OR position(named IN p.inputs::jsonb::text) > 0 OR slowwave_json_contains(c.prompt, named));
  UPDATE phase_runs p SET inputs = NULL, plan = NULL FROM dreams d
    WHERE d.tenant_id = mine AND d.store_id = p_store AND p.tenant_id = mine AND p.dream_id = d.id
      AND (p.inputs IS NULL OR position(p_memory IN p.inputs::jsonb::text) > 0
        OR position(named IN p.inputs::jsonb::text) > 0
        OR position(p_memory IN p.plan::jsonb::text) > 0);
  UPDATE operations o SET changes = (
      SELECT coalesce(jsonb_agg(CASE WHEN c.v->>'memory_id' = p_memory AND c.v ? 'stub'
        THEN jsonb_set(c.v, '{stub}', 'null') ELSE c.v END ORDER BY c.n), '[]')
      FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n))
    WHERE o.tenant_id = mine AND o.store_id = p_store AND EXISTS (
      SELECT 1 FROM jsonb_array_elements(o.effects || o.undone) AS e (v) WHERE e.v->'before'->>'id' = p_memory);
  -- Evaluations quote what their dreams would change.
  DELETE FROM evaluations v WHERE v.tenant_id = mine AND v.store_id = p_store
    AND coalesce(v.finished_at, now()) >= lost.created_at;
  -- A person's reason for a rejection may quote it, and is told again where a later dream wanted the same.
  UPDATE operations o SET note = replace(o.note, ': ' || r.decided_why || ' (', ' ('),
      decided_why = CASE WHEN o.id = r.id THEN '' ELSE o.decided_why END
    FROM operations r
    WHERE r.tenant_id = mine AND r.store_id = p_store AND r.decided_why <> '' AND o.tenant_id = mine
      AND o.store_id = p_store AND (o.id = r.id OR position('(' || r.id || ')' IN o.note) > 0)
      AND EXISTS (SELECT 1 FROM jsonb_array_elements(r.effects || r.undone) AS e (v)
        WHERE e.v->'before'->>'id' = p_memory OR e.v->'after'->>'id' = p_memory);
  -- So may what people wrote about an operation on it.
  UPDATE operations o SET comments = '[]'
    WHERE o.tenant_id = mine AND o.store_id = p_store AND o.comments <> '[]'
      AND EXISTS (SELECT 1 FROM jsonb_array_elements(o.effects || o.undone) AS e (v)
        WHERE e.v->'before'->>'id' = p_memory OR e.v->'after'->>'id' = p_memory);
  -- What was refused before it had effects still says what it would have written.
  UPDATE operations o SET
    changes = (SELECT coalesce(jsonb_agg(CASE WHEN c.v ? 'content' THEN jsonb_set(c.v, '{content}', '""')
        WHEN c.v ? 'stub' THEN jsonb_set(c.v, '{stub}', 'null') ELSE c.v END ORDER BY c.n), '[]')
      FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n))
    WHERE o.tenant_id = mine AND o.store_id = p_store AND o.state = 'skipped' AND o.effects = '[]' AND EXISTS (
      SELECT 1 FROM jsonb_array_elements(o.changes) AS c (v) WHERE c.v->>'memory_id' = p_memory);
  -- What was only proposed wrote no version, but its text was made from this one, or is this one, as of an edit that was
  -- overwritten; it can no longer be approved, whatever was decided since.
  UPDATE operations o SET
    changes = (SELECT coalesce(jsonb_agg(CASE WHEN c.v ? 'content' THEN jsonb_set(c.v, '{content}', '""')
        ELSE c.v END ORDER BY c.n), '[]') FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n)),
    effects = (SELECT jsonb_agg(e.v || jsonb_build_object('is_after_redacted', true,
        'after', (e.v->'after') || '{"content": "", "stub": null}'::jsonb) ORDER BY e.n)
      FROM jsonb_array_elements(o.effects) WITH ORDINALITY AS e (v, n))
    WHERE o.tenant_id = mine AND o.store_id = p_store AND o.state IN ('proposed', 'skipped', 'rejected')
      AND (o.was_proposed OR o.state = 'skipped') AND EXISTS (SELECT 1 FROM jsonb_array_elements(o.effects) AS e (v)
        WHERE (e.v->'before'->>'id' = p_memory AND (e.v->'is_before_redacted')::boolean)
          OR (e.v->'after'->>'id' = p_memory AND e.v->'after'->>'content' = lost.content));
  UPDATE operations o SET
    changes = (SELECT coalesce(jsonb_agg(slowwave_strip_image_pointers(c.v, lost.path) ORDER BY c.n), '[]')
      FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n)),
    effects = slowwave_strip_effects(o.effects, lost.path),
    undone = slowwave_strip_effects(o.undone, lost.path)
    WHERE o.tenant_id = mine AND o.store_id = p_store AND o.kind = 'INDEX';
  UPDATE memory_versions v SET content = slowwave_strip_pointers(v.content, v.path, lost.path)
    WHERE v.tenant_id = mine AND v.store_id = p_store AND v.author = 'dream'
      AND v.content <> slowwave_strip_pointers(v.content, v.path, lost.path);
  UPDATE memories m SET content = f.content, summary = '', size_chars = length(f.content),
      content_hash = encode(sha256(convert_to(f.content, 'UTF8')), 'hex')
    FROM (SELECT i.id, slowwave_strip_pointers(i.content, i.path, lost.path) AS content FROM memories i
          WHERE i.tenant_id = mine AND i.store_id = p_store AND i.author = 'dream') f
    WHERE m.tenant_id = mine AND m.store_id = p_store AND m.id = f.id AND m.content <> f.content;
  PERFORM slowwave_redact_words(p_store, p_memory, lost.path, lost.content);
  RETURN redacted;
END
$$;
REVOKE ALL ON FUNCTION slowwave_redact_version(text, text, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION slowwave_redact_version(text, text, integer, text) TO slowwave_app;
ALTER FUNCTION slowwave_redact_version(text, text, integer, text) OWNER TO slowwave_redact;
