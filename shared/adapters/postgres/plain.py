"""Fixed statements for psycopg itself, inside of the transaction that SQLAlchemy's connection is in.

For what is asked with nearly every request: SQLAlchemy takes 0.2 to 0.4 ms of the processor to build a query, find its
compiled form and wrap its rows, psycopg 0.03 ms. Every value is bound; psycopg prepares what is asked often.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from sqlalchemy import Connection

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
