"""A tenant's rows as they were at one moment, put back as often as tests want them."""

import psycopg
from psycopg import sql

_COLUMNS = """
    SELECT c.table_name, array_agg(c.column_name::text) FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
    GROUP BY c.table_name HAVING 'tenant_id' = ANY(array_agg(c.column_name::text)) OR c.table_name = 'tenants'"""


class Scene:
    """Copies of a tenant's rows in a schema of their own; putting them back takes a few milliseconds."""

    def __init__(self, owner_url: str, tenant: str) -> None:
        self.tenant = tenant
        self._owner = psycopg.connect(owner_url, autocommit=True)
        self._schema = sql.Identifier(f"scene_{tenant}")
        self._owner.execute(sql.SQL("CREATE SCHEMA {}").format(self._schema))
        # No triggers, no order of tables.
        self._restore = sql.Composed([sql.SQL("SET LOCAL session_replication_role = replica")])
        for table, columns in self._owner.execute(_COLUMNS).fetchall():
            self._keep(table, columns)

    def _keep(self, table: str, columns: list[str]) -> None:
        names = {
            "table": sql.Identifier(table),
            "copy": sql.SQL(".").join([self._schema, sql.Identifier(table)]),
            "columns": sql.SQL(", ").join(map(sql.Identifier, columns)),
            "key": sql.Identifier("id" if table == "tenants" else "tenant_id"),
            "tenant": sql.Literal(self.tenant),
        }
        copy = sql.SQL("CREATE TABLE {copy} AS SELECT {columns} FROM {table} WHERE {key} = {tenant}").format(**names)
        self._restore += sql.SQL("; DELETE FROM {table} WHERE {key} = {tenant}").format(**names)
        if self._owner.execute(copy).rowcount:
            put_back = sql.SQL("; INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM {copy}")
            self._restore += put_back.format(**names)

    def restore(self) -> None:
        """Make the tenant what it was, in one message to the server and one transaction."""
        with self._owner.transaction():
            self._owner.execute(self._restore)

    def close(self) -> None:
        """Close the connection; the copies go with the database."""
        self._owner.close()
