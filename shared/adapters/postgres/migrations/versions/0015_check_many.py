"""Check many due stores in one call: the facts of their gates, the verdicts of those that stay shut, the rest given back.

The claim says since when a store was due, so that one which is not taken after all can be given back its place in the
line. The other functions run with the caller's own rights and take one tenant after the other, as a loop of transactions would, so
that row-level security holds for every row and no role is given anything. A store's `xmin` tells whether its row was
written since it was read; a verdict on a row that was written meanwhile, or is held, is left out.
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_CLAIM = "slowwave_claim_due_stores(integer, double precision)"
_INVOKED = (
    "slowwave_read_stores(text[], text[], integer)",
    "slowwave_keep_verdicts(text[], text[], text[], jsonb[], timestamptz[], boolean[])",
    "slowwave_give_back(text[], text[], timestamptz[])",
)
_CREATE_READ = """
    CREATE FUNCTION slowwave_read_stores(p_tenants text[], p_stores text[], p_ended integer)
    RETURNS TABLE (store stores, tenant tenants, version text, has_failed boolean[], reasons text[],
                   active_dream text, tenant_dreams bigint, tokens_today bigint)
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE due record; line record; current text := '';
    BEGIN
      FOR due IN SELECT * FROM unnest(p_tenants, p_stores) AS d (owner, name) ORDER BY owner LOOP
        IF due.owner <> current THEN
          current := due.owner;
          PERFORM set_config('slowwave.tenant_id', current, true);
          SELECT * INTO tenant FROM tenants t WHERE t.id = current;
          CONTINUE WHEN tenant.id IS NULL;
          SELECT count(*) INTO tenant_dreams FROM (
            SELECT 1 FROM dreams d WHERE d.tenant_id = current AND d.state IN ('queued', 'running')
            LIMIT tenant.max_concurrent_dreams + 1) active;
          SELECT coalesce(sum(c.input_tokens + c.output_tokens + c.cached_tokens + c.cache_write_tokens), 0)
            INTO tokens_today FROM llm_calls c
            WHERE c.tenant_id = current AND c.created_at >= date_trunc('day', now(), 'UTC');
        END IF;
        SELECT s AS store, s.xmin::text AS version INTO line FROM stores s
          WHERE s.tenant_id = current AND s.name = due.name;
        CONTINUE WHEN NOT FOUND;
        store := line.store;
        version := line.version;
        SELECT coalesce(max(d.id), '') INTO active_dream FROM dreams d
          WHERE d.tenant_id = current AND d.store_id = store.id AND d.state IN ('queued', 'running');
        SELECT array_agg(e.has_failed), array_agg(e.reason) INTO has_failed, reasons FROM (
          SELECT d.has_failed, d.reason FROM dreams d
          WHERE d.tenant_id = current AND d.store_id = store.id AND NOT d.is_dry_run
            AND d.state IN ('completed', 'partial', 'error')
            AND d.finished_at > coalesce(store.forgiven_at, '-infinity')
          ORDER BY d.created_at DESC LIMIT p_ended) e;
        RETURN NEXT;
      END LOOP;
      PERFORM set_config('slowwave.tenant_id', '', true);
    END $$"""
_CREATE_KEEP = """
    CREATE FUNCTION slowwave_keep_verdicts(p_tenants text[], p_ids text[], p_versions text[], p_verdicts jsonb[],
                                           p_next timestamptz[], p_full boolean[])
    RETURNS SETOF text LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE kept record;
    BEGIN
      FOR kept IN SELECT * FROM unnest(p_tenants, p_ids, p_versions, p_verdicts, p_next, p_full)
                  AS k (owner, id, version, verdict, next_at, is_full) LOOP
        PERFORM set_config('slowwave.tenant_id', kept.owner, true);
        UPDATE stores s
          SET last_verdict = kept.verdict, next_check_at = kept.next_at,
              is_quarantined = kept.verdict->>'gate' = 'quarantine',
              last_check_at = CASE WHEN kept.is_full THEN (kept.verdict->>'at')::timestamptz ELSE s.last_check_at END
          WHERE s.tenant_id = kept.owner AND s.id = (
            SELECT h.id FROM stores h WHERE h.id = kept.id AND h.xmin::text = kept.version FOR UPDATE SKIP LOCKED);
        IF FOUND THEN
          RETURN NEXT kept.id;
        END IF;
      END LOOP;
      PERFORM set_config('slowwave.tenant_id', '', true);
    END $$"""
_CREATE_GIVE_BACK = """
    CREATE FUNCTION slowwave_give_back(p_tenants text[], p_stores text[], p_due_at timestamptz[])
    RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE given record;
    BEGIN
      FOR given IN SELECT * FROM unnest(p_tenants, p_stores, p_due_at) AS g (owner, name, due_at) LOOP
        PERFORM set_config('slowwave.tenant_id', given.owner, true);
        UPDATE stores s SET next_check_at = given.due_at
          WHERE s.tenant_id = given.owner AND s.id = (
            SELECT h.id FROM stores h
            WHERE h.tenant_id = given.owner AND h.name = given.name AND h.next_check_at > given.due_at
            FOR UPDATE SKIP LOCKED);
      END LOOP;
      PERFORM set_config('slowwave.tenant_id', '', true);
    END $$"""
_CREATE = (_CREATE_READ, _CREATE_KEEP, _CREATE_GIVE_BACK)
# As in 0004, except for the last column.
_CREATE_CLAIM = """
    CREATE FUNCTION slowwave_claim_due_stores(p_limit integer, p_hold_seconds double precision)
    RETURNS TABLE (tenant_id text, store_name text{column})
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      WITH waiting AS (
        SELECT s.id, s.tenant_id, s.next_check_at FROM stores s
        WHERE s.next_check_at <= now() ORDER BY s.next_check_at LIMIT 50000
      ), busy AS (
        SELECT d.tenant_id, count(*) AS dreams FROM dreams d
        WHERE d.state IN ('queued', 'running') GROUP BY d.tenant_id
      ), ranked AS (
        SELECT w.id, row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.next_check_at)::float8 / t.weight AS turn
        FROM waiting w JOIN tenants t ON t.id = w.tenant_id LEFT JOIN busy b ON b.tenant_id = w.tenant_id
        WHERE coalesce(b.dreams, 0) < t.max_concurrent_dreams
      ), due AS (
        SELECT s.id, r.turn, s.next_check_at FROM ranked r JOIN stores s ON s.id = r.id
        WHERE s.next_check_at <= now()
        ORDER BY r.turn, s.next_check_at LIMIT p_limit FOR UPDATE OF s SKIP LOCKED
      ), held AS (
        UPDATE stores s
        SET next_check_at = now() + make_interval(secs => p_hold_seconds * (0.9 + 0.2 * random()))
        FROM due WHERE s.id = due.id RETURNING s.tenant_id, s.name, due.turn, due.next_check_at AS due_at
      )
      SELECT held.tenant_id, held.name{value} FROM held ORDER BY held.turn, held.due_at
    $$"""


def upgrade() -> None:
    _replace_claim(column=", due_at timestamptz", value=", held.due_at")
    for statement in _CREATE:
        op.execute(statement)
    for function in _INVOKED:
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO slowwave_app")


def downgrade() -> None:
    for function in _INVOKED:
        op.execute(f"DROP FUNCTION {function}")
    _replace_claim(column="", value="")


def _replace_claim(*, column: str, value: str) -> None:
    op.execute(f"DROP FUNCTION {_CLAIM}")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    op.execute(_CREATE_CLAIM.format(column=column, value=value))
    op.execute(f"REVOKE ALL ON FUNCTION {_CLAIM} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_CLAIM} TO slowwave_app")
    op.execute(f"ALTER FUNCTION {_CLAIM} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")
