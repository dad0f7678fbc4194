"""The one way to send a statement to PostgreSQL: `fetch`, `fetch_one`, `fetch_tuples` and `execute`.

A statement is an expression over the SQLModel classes (`select(DreamRow).where(...)`), made once as a constant of its
module when its shape does not vary; docs/sql.md has the conventions. SQLAlchemy spends 0.10 ms of processor time more than
psycopg on a constant statement, and 0.30 ms more on one that is built for each call. The few statements that are sent many
times in a dream, or with each request, are therefore `Fixed`: compiled once, then handed to psycopg as text. A fixed
statement keeps its expression, and a contract test compares the answers of both.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import psycopg
from psycopg.rows import dict_row
from sqlalchemy import JSON, CompoundSelect, Connection, RowMapping, Select, UpdateBase
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.sql.compiler import SQLCompiler

from shared.tracing import Attributes, Span, traced_statement

RawConnection = psycopg.Connection[tuple[Any, ...]]
Row = Mapping[str, Any] | RowMapping
Expression = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]] | UpdateBase
Values = Mapping[str, Any]

#: Every fixed statement by its name, filled as the repositories are imported.
FIXED: dict[str, "Fixed"] = {}
POSTGRESQL: Attributes = {"db.system.name": "postgresql"}
_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE)\s+(\w+)")
_MAX_TEXT = 4_000
#: A scan of a table holds so many of its rows at a time.
_STREAMED_ROWS = 200
_DIALECT = dialect()  # type: ignore[no-untyped-call] # SQLAlchemy's dialects have no types


class Fixed:
    """A statement that is compiled once, and the measured reason for that.

    Args:
        name: the repository and the statement, as docs/sql.md lists them.
        expression: the same statement for SQLAlchemy, with a `bindparam` for every value that varies.
        reason: how often the statement is sent, which is what compiling it once saves.
        columns: of an `insert` without `values`, the columns that each call gives.
    """

    def __init__(self, name: str, expression: Expression, *, reason: str, columns: Sequence[str] = ()) -> None:
        self.name, self.expression, self.reason = name, expression, reason
        self._columns = list(columns) or None
        FIXED[name] = self

    @property
    def sql(self) -> bytes:
        """The text for psycopg, with `%(name)s` where a value goes."""
        return self._compiled[0]

    @property
    def parameters(self) -> Sequence[str]:
        """The names of the values that a call gives."""
        return self._compiled[3]

    def fill(self, values: Values) -> dict[str, Any]:
        """Return the parameters of a call: its values as psycopg takes them, and the constants of the expression."""
        _, constants, converters, _ = self._compiled
        filled = {**constants, **values}
        for name, convert in converters.items():
            filled[name] = convert(filled[name])
        return filled

    @cached_property
    def _compiled(self) -> tuple[bytes, Values, Mapping[str, Callable[[Any], Any]], Sequence[str]]:
        compiled = self.expression.compile(dialect=_DIALECT, column_keys=self._columns)
        assert isinstance(compiled, SQLCompiler)
        assert not compiled.insert_prefetch, (
            f"{self.name} must give {compiled.insert_prefetch}: nothing fills in defaults"
        )
        given = {name: None for bound, name in compiled.bind_names.items() if bound.required}
        # A list of constants (`IN`) is written out value by value.
        expanded = compiled.construct_expanded_state(compiled.construct_params(given))
        constants = {name: value for name, value in expanded.parameters.items() if name not in given}
        # psycopg takes every value as it is, but JSON, which looks like any other dict or list.
        found = {
            name: bound.type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
            for bound, name in compiled.bind_names.items()
            if isinstance(bound.type, JSON)
        }
        converters: dict[str, Callable[[Any], Any]] = {name: to for name, to in found.items() if to is not None}
        for name in constants.keys() & converters:
            constants[name] = converters.pop(name)(constants[name])
        return expanded.statement.encode(), constants, converters, sorted(given)


def traced_query(*statements: Expression | Fixed) -> AbstractContextManager[Span]:
    """Return the span of a message to the server, where statements are traced: their text, never their values."""
    return traced_statement(_describe, statements)


def _describe(statements: tuple[Expression | Fixed, ...]) -> tuple[str, Attributes]:
    texts = [
        each.sql.decode() if isinstance(each, Fixed) else str(each.compile(dialect=_DIALECT)) for each in statements
    ]
    names = [
        each.name if isinstance(each, Fixed) else _name_of(text) for each, text in zip(statements, texts, strict=True)
    ]
    name = " + ".join(names)
    return name, {**POSTGRESQL, "db.query.summary": name, "db.query.text": ";\n".join(texts)[:_MAX_TEXT]}


def _name_of(text: str) -> str:
    """Return the action and the table of a statement, such as `SELECT dreams`."""
    table = _TABLE.search(text)
    return " ".join([text.split(maxsplit=1)[0], *([table[1]] if table else [])])


def fetch(connection: Connection, statement: Expression | Fixed, values: Values | None = None) -> Sequence[Row]:
    """Return the rows of a statement, by column."""
    if not isinstance(statement, Fixed):
        with traced_query(statement):
            return connection.execute(statement, values or {}).mappings().all()
    with traced_query(statement), raw_of(connection).cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement.sql, statement.fill(values or {})).fetchall()


def stream(connection: Connection, statement: Expression, values: Values) -> Iterator[Row]:
    """Yield the rows of a statement, by column, of which the server sends a few at a time."""
    with traced_query(statement):
        result = connection.execute(statement, values, execution_options={"yield_per": _STREAMED_ROWS})
    with result:
        yield from result.mappings()


def fetch_one(connection: Connection, statement: Expression | Fixed, values: Values | None = None) -> Row | None:
    """Return the first row of a statement, by column, or None."""
    if not isinstance(statement, Fixed):
        with traced_query(statement):
            return connection.execute(statement, values or {}).mappings().first()
    with traced_query(statement), raw_of(connection).cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement.sql, statement.fill(values or {})).fetchone()


def fetch_tuples(
    connection: Connection, statement: Expression | Fixed, values: Values | None = None
) -> Sequence[tuple[Any, ...]]:
    """Return the rows of a statement as tuples, in the order of its columns."""
    if not isinstance(statement, Fixed):
        with traced_query(statement):
            return connection.execute(statement, values or {}).all()
    with traced_query(statement), raw_of(connection).cursor() as cursor:
        return cursor.execute(statement.sql, statement.fill(values or {})).fetchall()


def execute(connection: Connection, statement: Expression | Fixed, values: Values | None = None) -> int:
    """Run a statement and return the number of rows that it wrote."""
    if not isinstance(statement, Fixed):
        counting = {"preserve_rowcount": True}  # also of an insert, which SQLAlchemy does not count by itself
        with traced_query(statement):
            return connection.execute(statement, values or {}, execution_options=counting).rowcount
    with traced_query(statement), raw_of(connection).cursor() as cursor:
        return cursor.execute(statement.sql, statement.fill(values or {})).rowcount


def execute_together(connection: Connection, *batches: tuple[Fixed, Sequence[Values]]) -> int:
    """Run fixed statements, each for one or more rows, in one message; return the number of rows of the first."""
    raw = raw_of(connection)
    cursors = [raw.cursor() for _ in batches]
    with traced_query(*(statement for statement, _ in batches)), raw.pipeline():
        for cursor, (statement, rows) in zip(cursors, batches, strict=True):
            if len(rows) > 1:
                cursor.executemany(statement.sql, [statement.fill(row) for row in rows])
            else:
                cursor.execute(statement.sql, statement.fill(rows[0]))
    return cursors[0].rowcount


def raw_of(connection: Connection) -> RawConnection:
    """Return psycopg's connection beneath SQLAlchemy's."""
    raw: RawConnection = connection.connection.dbapi_connection  # type: ignore[assignment] # psycopg's
    return raw
