"""Statements that are sent many times, as they are: SQLAlchemy builds, hashes and looks one up anew each time.

That took 0.3 to 0.8 ms of the processor where psycopg needs less than 0.1, and a dream sends two hundred of them. psycopg
prepares on the server what a connection has sent five times. Errors are psycopg's own; transactions.py knows both kinds.

Fixed statements for psycopg itself, inside of the transaction that SQLAlchemy's connection is in.

For what is asked with nearly every request: SQLAlchemy takes 0.2 to 0.4 ms of the processor to build a query, find its
compiled form and wrap its rows, psycopg 0.03 ms. Every value is bound; psycopg prepares what is asked often.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row
from sqlalchemy import ClauseElement, Connection
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.sql.compiler import SQLCompiler

RawConnection = psycopg.Connection[tuple[Any, ...]]


def raw_of(connection: Connection) -> RawConnection:
    """Return psycopg's connection beneath SQLAlchemy's."""
    raw: RawConnection = connection.connection.dbapi_connection  # type: ignore[assignment] # psycopg's
    return raw


def ask(connection: Connection, query: LiteralString, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    """Return the rows of a question. `values` fill its `%(name)s`. Raises psycopg's errors."""
    return raw_of(connection).execute(query, values).fetchall()


def tell(connection: Connection, statement: LiteralString, values: Mapping[str, object]) -> None:
    """Execute a statement that returns nothing. Raises psycopg's errors."""
    raw_of(connection).execute(statement, values)


_DIALECT = dialect()  # type: ignore[no-untyped-call] # SQLAlchemy's dialects have no types

Row = dict[str, Any]


class Prepared:
    """One statement with named parameters, written out once.

    Either the parts of an SQL text, constants of the code with `%(name)s` where a value goes, or an expression with
    `bindparam`s.
    """

    def __init__(self, *parts: str, expression: ClauseElement | None = None) -> None:
        self._sql, self._fixed = "".join(parts).encode(), dict[str, Any]()
        if expression is not None:
            compiled = expression.compile(dialect=_DIALECT)
            assert isinstance(compiled, SQLCompiler)
            # A list of constants (`IN`) is written out value by value; what is bound later has no value yet.
            given = {name: value for name, value in compiled.params.items() if value is not None}
            expanded = compiled.construct_expanded_state(dict.fromkeys(compiled.params) | given)
            self._sql = expanded.statement.encode()
            self._fixed = {name: value for name, value in expanded.parameters.items() if value is not None}

    def find_all(self, connection: Connection, values: dict[str, Any]) -> list[Row]:
        """Return every row by column."""
        with raw_of(connection).cursor(row_factory=dict_row) as cursor:
            return cursor.execute(self._sql, self._fixed | values).fetchall()

    def find_tuples(self, connection: Connection, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Return every row in the statement's order of columns."""
        with raw_of(connection).cursor() as cursor:
            return cursor.execute(self._sql, self._fixed | values).fetchall()

    def find(self, connection: Connection, values: dict[str, Any]) -> Row | None:
        """Return the first row by column, or None."""
        with raw_of(connection).cursor(row_factory=dict_row) as cursor:
            return cursor.execute(self._sql, self._fixed | values).fetchone()

    def run(self, connection: Connection, values: dict[str, Any]) -> int:
        """Return how many rows were written."""
        with raw_of(connection).cursor() as cursor:
            return cursor.execute(self._sql, self._fixed | values).rowcount
