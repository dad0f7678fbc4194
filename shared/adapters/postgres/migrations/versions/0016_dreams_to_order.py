"""Dreams that are ordered over the API, stores and sessions with a card, who wrote a version, and redaction.

Redaction is the only way besides retention in which anything is lost. The application role cannot do it by itself: a
function of a role of its own empties one version, and every stored step and image that repeats its text, and writes the
audit row in the same breath. What that role can reach is the transaction's tenant, and of the rows only these columns.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)
_EMPTY = sa.text("'{}'::jsonb")
REDACT = "slowwave_redact_version(text, text, integer, text)"
_MINE = "tenant_id = current_setting('slowwave.tenant_id', true)"
#: What the role of the function may change, by table.
_CHANGES = {
    "memory_versions": "path, content, redacted_at, redacted_by",
    "memories": "content, content_hash, title, summary, doc_type, size_chars, stub",
    "operations": "changes, effects",
    "phase_runs": "inputs, plan",
    "llm_calls": "answer",
}
_REDACT = """
    CREATE FUNCTION slowwave_redact_version(p_store text, p_memory text, p_version integer, p_by text)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
        effects = (SELECT coalesce(jsonb_agg(
            CASE WHEN e.v->'before'->>'id' = p_memory AND (e.v->'before'->>'version')::integer = ANY (numbers)
              THEN jsonb_set(jsonb_set(e.v, '{before,content}', '""'), '{is_before_redacted}', 'true') ELSE e.v END
            || CASE WHEN e.v->'after'->>'id' = p_memory AND (e.v->'after'->>'version')::integer = ANY (numbers)
              THEN jsonb_build_object('after', (e.v->'after') || '{"content": "", "stub": null}'::jsonb,
                                      'is_after_redacted', true) ELSE '{}' END
            ORDER BY e.n), '[]') FROM jsonb_array_elements(o.effects) WITH ORDINALITY AS e (v, n)),
        changes = (SELECT coalesce(jsonb_agg(CASE WHEN c.v->>'content' = lost.content
            THEN jsonb_set(c.v, '{content}', '""') ELSE c.v END ORDER BY c.n), '[]')
          FROM jsonb_array_elements(o.changes) WITH ORDINALITY AS c (v, n))
        WHERE o.tenant_id = mine AND o.store_id = p_store AND EXISTS (
          SELECT 1 FROM jsonb_array_elements(o.effects) AS e (v)
          WHERE e.v->'before'->>'id' = p_memory OR e.v->'after'->>'id' = p_memory);
      IF lost.content <> '' THEN
        UPDATE phase_runs p SET inputs = NULL, plan = NULL FROM dreams d
          WHERE d.tenant_id = mine AND d.store_id = p_store AND p.tenant_id = mine AND p.dream_id = d.id
            AND (slowwave_json_holds(p.inputs::jsonb, lost.content)
              OR slowwave_json_holds(p.plan::jsonb, lost.content));
        UPDATE llm_calls c SET answer = NULL FROM dreams d
          WHERE d.tenant_id = mine AND d.store_id = p_store AND c.tenant_id = mine AND c.dream_id = d.id
            AND slowwave_json_holds(c.answer, lost.content);
      END IF;
      INSERT INTO audit_log (id, tenant_id, actor, action, detail) VALUES ('aud_' || gen_random_uuid(), mine, p_by,
        'version.redact', jsonb_build_object('memory_id', p_memory, 'versions', to_jsonb(numbers)));
      RETURN cardinality(numbers);
    END $$"""
_HOLDS = """
    CREATE FUNCTION slowwave_json_holds(p_value jsonb, p_text text) RETURNS boolean LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog AS $$
      SELECT coalesce(bool_or(position(p_text IN leaf #>> '{}') > 0), false)
      FROM jsonb_path_query(p_value, '$.** ? (@.type() == "string")') AS leaf
    $$"""


def upgrade() -> None:
    _add_cards()
    _create_orders()
    for column in (sa.Column("actor", sa.Text(), server_default="", nullable=False),
                   sa.Column("redacted_at", _MOMENT, nullable=True),
                   sa.Column("redacted_by", sa.Text(), server_default="", nullable=False)):  # fmt: skip
        op.add_column("memory_versions", column)
    _allow_redaction()


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {REDACT}")
    op.execute("DROP FUNCTION slowwave_json_holds(jsonb, text)")
    for table, columns in _CHANGES.items():
        op.execute(f"DROP POLICY redact ON {table}")
        op.execute(f"REVOKE SELECT, UPDATE ({columns}) ON {table} FROM slowwave_redact")
    op.execute("DROP POLICY redact ON dreams")
    op.execute("DROP POLICY redactions_append ON audit_log")
    op.execute("REVOKE SELECT ON dreams FROM slowwave_redact")
    op.execute("REVOKE INSERT ON audit_log FROM slowwave_redact")
    op.execute("REVOKE USAGE ON SCHEMA public FROM slowwave_redact")
    op.drop_table("dream_orders")
    op.drop_index("ix_sessions_created", "sessions")
    for changed, names in (
        ("memory_versions", ("actor", "redacted_at", "redacted_by")),
        ("stores", ("title", "description", "labels", "described_at", "archived_at")),
        ("sessions", ("details", "changed_at", "archived_at")),
    ):
        for name in names:
            op.drop_column(changed, name)


def _add_cards() -> None:
    for column in (sa.Column("title", sa.Text(), server_default="", nullable=False),
                   sa.Column("description", sa.Text(), server_default="", nullable=False),
                   sa.Column("labels", postgresql.JSONB(), server_default=_EMPTY, nullable=False),
                   sa.Column("described_at", _MOMENT, nullable=True),
                   sa.Column("archived_at", _MOMENT, nullable=True)):  # fmt: skip
        op.add_column("stores", column)
    for column in (sa.Column("details", postgresql.JSONB(), server_default=_EMPTY, nullable=False),
                   sa.Column("changed_at", _MOMENT, nullable=True),
                   sa.Column("archived_at", _MOMENT, nullable=True)):  # fmt: skip
        op.add_column("sessions", column)
    op.create_index("ix_sessions_created", "sessions", ["tenant_id", "created_at"])


def _create_orders() -> None:
    op.create_table(
        "dream_orders",
        sa.Column("dream_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("input_store_id", sa.Text(), nullable=False),
        sa.Column("behavior", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=True),
        sa.Column("session_ids", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("model", sa.Text(), server_default="", nullable=False),
        sa.Column("archived_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_dream_orders_dream_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["tenant_id", "input_store_id"], ["stores.tenant_id", "stores.id"], name="fk_dream_orders_input_store_id"
        ),
        sa.PrimaryKeyConstraint("dream_id"),
    )
    op.execute("ALTER TABLE dream_orders ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE dream_orders FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY tenant_only ON dream_orders TO slowwave_app USING ({_MINE}) WITH CHECK ({_MINE})")
    op.execute("GRANT SELECT, INSERT, UPDATE ON dream_orders TO slowwave_app")


def _allow_redaction() -> None:
    # Roles belong to the server, not to a database, so another database's migration may have made it just now.
    op.execute("""
        DO $$ BEGIN
          CREATE ROLE slowwave_redact NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END $$""")
    op.execute("GRANT slowwave_redact TO CURRENT_USER")
    op.execute("GRANT USAGE ON SCHEMA public TO slowwave_redact")
    for table, columns in _CHANGES.items():
        op.execute(f"GRANT SELECT, UPDATE ({columns}) ON {table} TO slowwave_redact")
        op.execute(f"CREATE POLICY redact ON {table} TO slowwave_redact USING ({_MINE}) WITH CHECK ({_MINE})")
    op.execute("GRANT SELECT ON dreams TO slowwave_redact")
    op.execute(f"CREATE POLICY redact ON dreams FOR SELECT TO slowwave_redact USING ({_MINE})")
    op.execute("GRANT INSERT ON audit_log TO slowwave_redact")
    op.execute(f"CREATE POLICY redactions_append ON audit_log FOR INSERT TO slowwave_redact WITH CHECK ({_MINE})")
    op.execute(_HOLDS)
    op.execute("REVOKE ALL ON FUNCTION slowwave_json_holds(jsonb, text) FROM PUBLIC")
    op.execute("GRANT EXECUTE ON FUNCTION slowwave_json_holds(jsonb, text) TO slowwave_redact")
    op.execute(_REDACT)
    op.execute(f"REVOKE ALL ON FUNCTION {REDACT} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {REDACT} TO slowwave_app")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_redact")
    op.execute(f"ALTER FUNCTION {REDACT} OWNER TO slowwave_redact")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_redact")
