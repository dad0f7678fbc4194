"""What the whole installation came to, day by day: dreams by state, tokens and cost, as numbers and nothing else."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_FUNCTION = "slowwave_measure_days(integer)"
_COLUMNS = "created_at, input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd"
# Rows come in the order of time, so that ranges of pages (BRIN) find the last days; writing pays next to nothing.
_TABLES = ("dreams", "llm_calls")
_MEASURE = """
    CREATE FUNCTION slowwave_measure_days(p_days integer)
    RETURNS TABLE (day date, state text, dreams bigint, tokens bigint, cost_usd double precision, model_calls bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      WITH since AS (
        SELECT date_trunc('day', now(), 'UTC') - make_interval(days => least(greatest(p_days, 1), 92) - 1) AS moment
      )
      SELECT (d.created_at AT TIME ZONE 'UTC')::date, d.state, count(*), 0, 0, 0
      FROM dreams d WHERE d.created_at >= (SELECT moment FROM since) GROUP BY 1, 2
      UNION ALL
      SELECT (c.created_at AT TIME ZONE 'UTC')::date, '', 0,
        sum(c.input_tokens + c.output_tokens + c.cached_tokens + c.cache_write_tokens), sum(c.cost_usd), count(*)
      FROM llm_calls c WHERE c.created_at >= (SELECT moment FROM since) GROUP BY 1
    $$"""


def upgrade() -> None:
    for table in _TABLES:
        op.create_index(f"ix_{table}_moment", table, ["created_at"], postgresql_using="brin")
    op.execute(f"GRANT SELECT ({_COLUMNS}) ON llm_calls TO slowwave_sweep")
    op.execute("CREATE POLICY sweep ON llm_calls FOR SELECT TO slowwave_sweep USING (true)")
    op.execute(_MEASURE)
    op.execute(f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO slowwave_app")
    op.execute("GRANT CREATE ON SCHEMA public TO slowwave_sweep")
    op.execute(f"ALTER FUNCTION {_FUNCTION} OWNER TO slowwave_sweep")
    op.execute("REVOKE CREATE ON SCHEMA public FROM slowwave_sweep")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {_FUNCTION}")
    op.execute("DROP POLICY sweep ON llm_calls")
    op.execute(f"REVOKE SELECT ({_COLUMNS}) ON llm_calls FROM slowwave_sweep")
    for table in _TABLES:
        op.drop_index(f"ix_{table}_moment", table)
