"""A clock for a whole database: what slowwave calls `now()` is what a simulation says it is.

Every moment that slowwave knows comes from its database. PostgreSQL looks up an unqualified function along the search
path, so that a schema in front of `pg_catalog` can tell another time: to statements, to column defaults and to the
functions that the application may only execute. For databases of a benchmark, which are thrown away.
"""

from datetime import datetime

import psycopg
from psycopg import sql

_SET_UP = """
CREATE SCHEMA simulated;
CREATE TABLE simulated.clock (ahead interval NOT NULL);
INSERT INTO simulated.clock VALUES ('0');
CREATE FUNCTION simulated.now() RETURNS timestamptz STABLE LANGUAGE sql
  AS 'SELECT pg_catalog.now() + ahead FROM simulated.clock';
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql
  AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM simulated.clock';
GRANT USAGE ON SCHEMA simulated TO PUBLIC;
GRANT SELECT ON simulated.clock TO PUBLIC;
"""
_FUNCTIONS = """
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace AND p.proconfig::text LIKE '%search_path%'
"""
_DEFAULTS = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'public' AND column_default = 'now()'
"""
_PATH = "simulated, pg_catalog, public, pg_temp"


class SimulatedClock:
    """Tells a database the time, with the connection of its owner. Connections made later see it."""

    def __init__(self, owner: psycopg.Connection) -> None:
        """Put the clock into a database that has its tables."""
        self._owner = owner
        owner.execute(_SET_UP)
        for (name,) in owner.execute(_FUNCTIONS).fetchall():
            owner.execute(f"ALTER FUNCTION {name} SET search_path = {_PATH}".encode())
        for table, column in owner.execute(_DEFAULTS).fetchall():
            names = (sql.Identifier(table), sql.Identifier(column))
            owner.execute(sql.SQL("ALTER TABLE {} ALTER COLUMN {} SET DEFAULT simulated.now()").format(*names))
        owner.execute(f"ALTER ROLE slowwave_app SET search_path = {_PATH}".encode())

    def set(self, moment: datetime) -> None:
        """Make it this moment; from there time goes on as it does."""
        self._owner.execute("UPDATE simulated.clock SET ahead = %s - pg_catalog.now()", (moment,))
