"""Retention: what has aged is purged in bounded batches, and never what an undo inside its window needs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_SAFE_PATH = "SET search_path = pg_catalog, public, pg_temp"
PURGE = "slowwave_purge_aged(text, timestamptz, timestamptz, integer, boolean)"
CLAIM = "slowwave_claim_tenants_to_purge(integer, double precision)"

# What the rules below keep, whatever their age. `held` are operations that may still be taken back: those of dreams
# inside the undo window, and those that wait for a person.
_HELD = """
      held AS (
        SELECT o.effects, o.changes FROM operations o JOIN dreams d ON d.id = o.dream_id
        WHERE o.tenant_id = mine AND d.tenant_id = mine AND (o.review = 'pending' OR d.finished_at IS NULL
          OR d.finished_at >= p_undo_since)
      )"""
# An undo compares texts with the versions that its dream had read (`cleaned`), and restores images by their version.
_VERSIONS = f"""
    WITH {_HELD}, kept AS (
      SELECT e ->> 'id' AS memory_id, (e ->> 'version')::integer AS version
      FROM held, jsonb_path_query(held.effects, '$[*].*') e WHERE jsonb_typeof(e) = 'object'
      UNION
      SELECT c ->> 0, (c ->> 1)::integer FROM dreams d, jsonb_path_query(d.before, '$.cleaned[*]') c
      WHERE d.tenant_id = mine AND (d.finished_at IS NULL OR d.finished_at >= p_undo_since)
    )
    SELECT array_agg(x.place) FROM (
      SELECT v.ctid AS place FROM memory_versions v
      WHERE v.tenant_id = mine AND v.created_at < p_before
        AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = v.memory_id AND m.version <= v.version)
        AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.memory_id = v.memory_id AND k.version = v.version)
      LIMIT p_limit) x"""
# A retired memory goes once nothing was superseded by it any more; what nothing may still restore.
_ARCHIVED = f"""
    WITH {_HELD}, kept AS (
      SELECT i #>> '{{}}' AS memory_id
      FROM held, jsonb_path_query(jsonb_build_array(held.effects, held.changes), '$.**.id') i
      UNION
      SELECT i #>> '{{}}' FROM held, jsonb_path_query(held.changes, '$[*].memory_id') i
      UNION
      SELECT c ->> 0 FROM dreams d, jsonb_path_query(d.before, '$.cleaned[*]') c
      WHERE d.tenant_id = mine AND (d.finished_at IS NULL OR d.finished_at >= p_undo_since)
    )
    SELECT array_agg(x.id) FROM (
      SELECT m.id FROM memories m JOIN memory_versions v ON v.memory_id = m.id AND v.version = m.version
      WHERE m.tenant_id = mine AND m.state <> 'live' AND v.created_at < p_before
        AND NOT EXISTS (SELECT 1 FROM memories o WHERE o.tenant_id = mine AND o.superseded_by = m.id)
        AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.memory_id = m.id)
      LIMIT p_limit) x"""
# A dream's undo asks for the dream before it, past those undone since, and for the dreams whose hints it had heard.
_DREAMS = """
    WITH RECURSIVE every AS (
      SELECT d.id, d.before, d.state, (d.state IN ('queued', 'running') OR coalesce(d.finished_at, d.created_at) >= p_before
        OR EXISTS (SELECT 1 FROM operations o WHERE o.dream_id = d.id AND o.review = 'pending')
        OR EXISTS (SELECT 1 FROM stores s WHERE s.tenant_id = mine AND s.last_dream_id = d.id)) AS stays
      FROM dreams d WHERE d.tenant_id = mine
    ), needed AS (
      (SELECT e.before ->> 'last_dream_id' AS id FROM every e WHERE e.stays
       UNION
       SELECT h ->> 'suggested_by' FROM every e, jsonb_path_query(e.before, '$.hints[*]') h WHERE e.stays)
      UNION
      SELECT e.before ->> 'last_dream_id' FROM needed n JOIN every e ON e.id = n.id AND e.state = 'undone'
    )
    SELECT array_agg(x.id) FROM (
      SELECT e.id FROM every e WHERE NOT e.stays AND NOT EXISTS (SELECT 1 FROM needed n WHERE n.id = e.id)
      ORDER BY e.id LIMIT p_limit) x"""


def _simple(table: str, condition: str) -> str:
    return (
        f"SELECT array_agg(x.place) FROM (SELECT t.ctid AS place FROM {table} t"
        f" WHERE t.tenant_id = mine AND {condition} LIMIT p_limit) x"
    )


_CALLS = _simple(
    "llm_calls",
    "t.created_at < p_before AND EXISTS (SELECT 1 FROM dreams d WHERE d.id = t.dream_id AND d.finished_at IS NOT NULL)",
)
_AUDIT = _simple("audit_log", "t.created_at < p_before")
_SESSIONS = """
    SELECT array_agg(x.id) FROM (
      SELECT s.id FROM sessions s WHERE s.tenant_id = mine AND NOT s.is_current
        AND greatest(s.created_at, s.last_event_at, s.consumed_at) < p_before LIMIT p_limit) x"""


def _into(query: str, target: str) -> str:
    """Return a query with INTO, which stands before the FROM of its outermost SELECT."""
    head, tail = query.rsplit("SELECT array_agg(", 1)
    column, rest = tail.split(") FROM", 1)
    return f"{head}SELECT array_agg({column}) INTO {target} FROM{rest};"


def _children(parent: str, names: tuple[str, ...]) -> str:
    column = f"{parent.removesuffix('s')}_id"
    deletes = [f"DELETE FROM {name} WHERE tenant_id = mine AND {column} = ANY (ids);" for name in names]
    return " ".join([*deletes, f"DELETE FROM {parent} WHERE tenant_id = mine AND id = ANY (ids);"])


_FUNCTION = f"""
    CREATE FUNCTION slowwave_purge_aged(
      p_rule text, p_before timestamptz, p_undo_since timestamptz, p_limit integer, p_dry_run boolean
    ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER {_SAFE_PATH} AS $$
    DECLARE
      mine text := coalesce(current_setting('slowwave.tenant_id', true), '');
      places tid[]; ids text[];
    BEGIN
      IF mine = '' THEN RAISE EXCEPTION 'no tenant is set'; END IF;
      IF p_undo_since > now() - interval '23 hours' THEN RAISE EXCEPTION 'an undo has at least a day'; END IF;
      IF p_before > p_undo_since AND p_rule NOT IN ('calls', 'audit') THEN
        RAISE EXCEPTION '% would be purged inside the undo window', p_rule;
      END IF;
      CASE p_rule
        WHEN 'versions' THEN {_into(_VERSIONS, "places")}
        WHEN 'archived' THEN {_into(_ARCHIVED, "ids")}
        WHEN 'dreams' THEN {_into(_DREAMS, "ids")}
        WHEN 'calls' THEN {_into(_CALLS, "places")}
        WHEN 'audit' THEN {_into(_AUDIT, "places")}
        WHEN 'sessions' THEN {_into(_SESSIONS, "ids")}
      END CASE;
      IF p_dry_run THEN RETURN coalesce(cardinality(places), 0) + coalesce(cardinality(ids), 0); END IF;
      CASE p_rule
        WHEN 'versions' THEN DELETE FROM memory_versions WHERE ctid = ANY (places) AND tenant_id = mine;
        WHEN 'calls' THEN DELETE FROM llm_calls WHERE ctid = ANY (places) AND tenant_id = mine;
        WHEN 'audit' THEN DELETE FROM audit_log WHERE ctid = ANY (places) AND tenant_id = mine;
        WHEN 'archived' THEN
          DELETE FROM memory_versions WHERE tenant_id = mine AND memory_id = ANY (ids);
          DELETE FROM memories WHERE tenant_id = mine AND id = ANY (ids) AND state <> 'live';
        WHEN 'dreams' THEN {_children("dreams", ("operations", "phase_runs", "llm_calls"))}
        WHEN 'sessions' THEN {_children("sessions", ("session_terms", "session_cues", "session_events"))}
      END CASE;
      RETURN coalesce(cardinality(places), 0) + coalesce(cardinality(ids), 0);
    END $$"""
_CLAIM = f"""
    CREATE FUNCTION slowwave_claim_tenants_to_purge(p_limit integer, p_every_seconds double precision)
    RETURNS TABLE (tenant_id text) LANGUAGE sql SECURITY DEFINER {_SAFE_PATH} AS $$
      WITH due AS (
        SELECT t.id FROM tenants t WHERE t.purged_at < now() - make_interval(secs => p_every_seconds)
        ORDER BY t.purged_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE tenants t SET purged_at = now() FROM due WHERE t.id = due.id RETURNING t.id
    $$"""


def upgrade() -> None:
    op.add_column(
        "tenants",
        sa.Column("retention", postgresql.JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False),
    )
    op.add_column(
        "tenants",
        sa.Column("purged_at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
    )
    op.create_index("ix_tenants_purged", "tenants", ["purged_at"])
    op.create_index("ix_memory_versions_age", "memory_versions", ["tenant_id", "created_at"])
    op.create_index("ix_audit_log_age", "audit_log", ["tenant_id", "created_at"])
    op.execute("GRANT SELECT (purged_at), UPDATE (purged_at) ON tenants TO slowwave_sweep")
    op.execute("DROP POLICY sweep ON tenants")
    op.execute("CREATE POLICY sweep ON tenants TO slowwave_sweep USING (true)")
    for function, body, role in ((PURGE, _FUNCTION, "slowwave_purge"), (CLAIM, _CLAIM, "slowwave_sweep")):
        op.execute(body)
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_app")
        op.execute(f"GRANT CREATE ON SCHEMA public TO {role}")
        op.execute(f"ALTER FUNCTION {function} OWNER TO {role}")
        op.execute(f"REVOKE CREATE ON SCHEMA public FROM {role}")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {CLAIM}")
    op.execute(f"DROP FUNCTION {PURGE}")
    op.execute("DROP POLICY sweep ON tenants")
    op.execute("CREATE POLICY sweep ON tenants FOR SELECT TO slowwave_sweep USING (true)")
    op.drop_index("ix_audit_log_age", "audit_log")
    op.drop_index("ix_memory_versions_age", "memory_versions")
    op.drop_index("ix_tenants_purged", "tenants")
    op.drop_column("tenants", "purged_at")
    op.drop_column("tenants", "retention")
