-- Columns of memories that are set on every write, by any role, and what is deleted with their texts.

-- Record the writing transaction, so that a reader finds what changed since its last snapshot. A number from a sequence
-- would not do: a transaction with an earlier number may commit later, and the reader would miss its rows. A snapshot's
-- xmin is a bound below which every transaction has ended.
CREATE FUNCTION slowwave_stamp_written_by() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN NEW.written_by := pg_current_xact_id()::text::bigint; RETURN NEW; END
$$;

CREATE TRIGGER stamp_written_by BEFORE INSERT OR UPDATE ON memories
FOR EACH ROW EXECUTE FUNCTION slowwave_stamp_written_by();
CREATE TRIGGER stamp_written_by BEFORE INSERT OR UPDATE ON memory_vectors
FOR EACH ROW EXECUTE FUNCTION slowwave_stamp_written_by();

-- Clear what was derived from a text when the text is emptied: the hash would still prove what a redacted text was.
CREATE FUNCTION slowwave_clear_fold_hash() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN NEW.fold_hash := ''; NEW.category := ''; RETURN NEW; END
$$;

CREATE TRIGGER clear_fold_hash BEFORE UPDATE OF content ON memories
FOR EACH ROW WHEN (NEW.content = '') EXECUTE FUNCTION slowwave_clear_fold_hash();

-- Delete the vector of a text that is no longer said: it would still tell what the text was about.
CREATE FUNCTION slowwave_drop_vector() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM memory_vectors v WHERE v.tenant_id = OLD.tenant_id AND v.memory_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER drop_vector AFTER UPDATE OF content_hash, state ON memories
FOR EACH ROW WHEN (OLD.state = 'live' AND (NEW.state <> 'live' OR NEW.content_hash <> OLD.content_hash))
EXECUTE FUNCTION slowwave_drop_vector();

-- Delete the links of a text that was emptied: they would still tell what it named.
CREATE FUNCTION slowwave_drop_links() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM memory_links l WHERE l.tenant_id = OLD.tenant_id AND l.memory_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER drop_links AFTER UPDATE OF content ON memories
FOR EACH ROW WHEN (NEW.content = '' AND OLD.content <> '') EXECUTE FUNCTION slowwave_drop_links();

-- A shadow is never due, whatever its dreams find to do next.
CREATE FUNCTION slowwave_keep_shadow_still() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.next_check_at := NULL; NEW.digest_check_at := NULL; NEW.compaction_check_at := NULL; NEW.is_quarantined := false;
  RETURN NEW;
END
$$;

CREATE TRIGGER keep_shadow_still BEFORE INSERT OR UPDATE ON stores
FOR EACH ROW WHEN (starts_with(NEW.id, 'shadow_')) EXECUTE FUNCTION slowwave_keep_shadow_still();
