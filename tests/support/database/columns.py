"""Look for a text in every column of the database, as the owner of the tables."""

import psycopg

_COLUMNS = """
    SELECT c.table_name, c.column_name,
      (SELECT k.column_name FROM information_schema.columns k WHERE k.table_name = c.table_name
       AND k.table_schema = 'public' AND k.column_name = 'tenant_id')
    FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND c.data_type IN ('text', 'json', 'jsonb', 'ARRAY', 'character varying', 'tsvector')"""


def find_columns_holding(owner: psycopg.Connection, tenant: str, word: str) -> list[str]:
    """Return every `table.column` of a tenant that holds a word, sorted."""
    owner.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (tenant,))
    found = []
    for table, column, key in owner.execute(_COLUMNS).fetchall():
        # Row security does not hold for the owner, and other tests write the same words at the same time.
        mine = f'AND "{key}" = %s' if key else "AND %s <> ''"
        query = f'SELECT FROM "{table}" WHERE "{column}"::text LIKE %s {mine}'
        if owner.execute(query.encode(), (f"%{word}%", tenant)).fetchone() is not None:
            found.append(f"{table}.{column}")
    return sorted(found)
