"""One transaction on PostgreSQL, with the server's absence told in slowwave's words.

psycopg is told not to begin transactions, because they are begun here: `BEGIN` and the tenant go out as one message, and
no question is asked before it whether the connection is alive. It is the first statement, so that a connection that was
lost meanwhile (the server was restarted) is thrown away there and another one taken, at no cost to those that live.
A single question can go out together with the tenant: then the whole transaction is one message and one wait.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shared.adapters.postgres.plain import RawConnection, raw_of
from shared.core.errors import ServiceUnavailableError

T = TypeVar("T")
_BEGIN = "BEGIN; SELECT now()"
_AS: LiteralString = "SELECT set_config('slowwave.tenant_id', %s, true)"
_BEGIN_AS = sql.SQL("BEGIN; SELECT now(), set_config('slowwave.tenant_id', {}, true)")


def make_engine(url: str, *, pool_size: int) -> Engine:
    """Return an engine for `open_transaction` alone; it connects on first use."""
    return create_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,  # a connection beyond the pool would be made and closed for one transaction
        pool_use_lifo=True,
        pool_recycle=1800,
        hide_parameters=True,
        connect_args={"autocommit": True},
    )


@contextmanager
def open_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that commits at the end of the block. Raises ServiceUnavailableError."""
    with _open(engine, None) as (connection, _):
        yield connection


@contextmanager
def open_tenants_transaction(engine: Engine, tenant_id: str) -> Iterator[tuple[Connection, datetime]]:
    """Open a transaction of one tenant, with its time, which costs nothing here. Raises ServiceUnavailableError."""
    with _open(engine, tenant_id) as opened:
        yield opened


def ask_as(
    engine: Engine, tenant_id: str, query: LiteralString, values: Mapping[str, object]
) -> tuple[Any, ...] | None:
    """Return the first row of a question of a tenant, as a transaction of its own. Raises ServiceUnavailableError.

    Both statements travel in one pipeline, which PostgreSQL takes for one transaction; the tenant ends with it. Only for
    questions: a connection that turns out to be dead is replaced and asked again.
    """
    with _answering():
        connection, row = _first(engine, lambda raw: _ask_in_one(raw, tenant_id, query, values))
        connection.close()
        return row


@contextmanager
def _open(engine: Engine, tenant_id: str | None) -> Iterator[tuple[Connection, datetime]]:
    with _answering():
        connection, now = _first(engine, lambda raw: _send_begin(raw, tenant_id))
        with connection, connection.begin():
            yield connection, now


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except (OperationalError, PoolTimeoutError, psycopg.OperationalError) as error:
        msg = f"The database does not answer: {_first_line(error)}"
        raise ServiceUnavailableError(msg) from error


def _first(engine: Engine, send: Callable[[RawConnection], T]) -> tuple[Connection, T]:
    """Return a connection and what it answered first. Pooled connections that turn out to be dead are replaced."""
    dead = 0
    while True:
        connection = engine.connect()
        try:
            return connection, send(raw_of(connection))
        except psycopg.OperationalError as error:
            connection.invalidate(error)
            connection.close()
            dead += 1
            if dead > engine.pool.size():  # type: ignore[attr-defined] # of the QueuePool that make_engine asks for
                raise
        except BaseException:
            connection.close()
            raise


def _send_begin(raw: RawConnection, tenant_id: str | None) -> datetime:
    query = _BEGIN if tenant_id is None else _BEGIN_AS.format(sql.Literal(tenant_id)).as_string(raw)
    cursor = raw.execute(query.encode(), prepare=False)
    cursor.nextset()
    row = cursor.fetchone()
    assert row is not None
    now: datetime = row[0]
    return now


def _ask_in_one(
    raw: RawConnection, tenant_id: str, query: LiteralString, values: Mapping[str, object]
) -> tuple[Any, ...] | None:
    with raw.pipeline():
        raw.execute(_AS, (tenant_id,))
        return raw.execute(query, values).fetchone()


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).strip().splitlines()[0]
