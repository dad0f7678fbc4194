"""A tenant's rows as they were at one moment, put back as often as tests want them."""

import psycopg
from psycopg import sql

_COLUMNS = """
    SELECT c.table_name, array_agg(c.column_name::text) FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
    GROUP BY c.table_name HAVING 'tenant_id' = ANY(array_agg(c.column_name::text)) OR c.table_name = 'tenants'"""

_COPY = sql.SQL("CREATE TABLE {copy} AS SELECT {columns} FROM {table} WHERE {key} = {tenant}")
_CLEAR = sql.SQL("; DELETE FROM {table} WHERE {key} = {tenant}")
_PUT_BACK = sql.SQL("; INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM {copy}")


class Scene:
    """Copies of a tenant's rows in a schema of their own; putting them back takes a few milliseconds."""

    def __init__(self, owner_url: str, tenant: str) -> None:
        self._url = owner_url
        schema = sql.Identifier(f"scene_{tenant}")
        # No triggers, no order of tables.
        self._restore = sql.Composed([sql.SQL("SET LOCAL session_replication_role = replica")])
        with psycopg.connect(owner_url) as owner:
            owner.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
            for table, columns in owner.execute(_COLUMNS).fetchall():
                names = {
                    "table": sql.Identifier(table),
                    "copy": sql.SQL(".").join([schema, sql.Identifier(table)]),
                    "columns": sql.SQL(", ").join(map(sql.Identifier, columns)),
                    "key": sql.Identifier("id" if table == "tenants" else "tenant_id"),
                    "tenant": sql.Literal(tenant),
                }
                copied = owner.execute(_COPY.format(**names)).rowcount
                self._restore += _CLEAR.format(**names) + (_PUT_BACK.format(**names) if copied else sql.SQL(""))

    def restore(self) -> None:
        """Make the tenant what it was, in one transaction."""
        with psycopg.connect(self._url) as owner:
            owner.execute(self._restore)
