"""One transaction on PostgreSQL, with slowwave's own error if the server is absent.

psycopg does not begin transactions, because this module does: `BEGIN` and the tenant are sent as one message, without a
check that the connection is alive. As this is the first statement, a connection that was lost meanwhile (the server was
restarted) is dropped and replaced there, at no cost for live connections. A single query can be sent together with the
tenant: then the whole transaction is one message and one wait.

`BEGIN` also sets time limits. The server ends the transaction of a process that hangs (stopped, or on a lost machine),
so that its row locks do not block others. A statement may run, and wait for a lock, only as long as its kind of work
allows, so that no tenant keeps the others waiting. For a server that stands still itself, this process waits a little
longer than that, and then gives the connection up.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import QueuePool

from shared.adapters.postgres.sql.connecting import (
    NoAnswerError,
    bound_waits,
    connect_options,
    disable_prepared_statements_behind_pooler,
)
from shared.adapters.postgres.sql.refusals import find_refusal, said_by
from shared.adapters.postgres.sql.statements import POSTGRESQL, Fixed, RawConnection, Values, raw_of, traced_query
from shared.core.errors import NotFoundError, ServiceUnavailableError, StatementCutError
from shared.counting import count
from shared.tracing import traced_transaction
from shared.working import Work, current_work

T = TypeVar("T")
#: The transaction of a process that is silent for longer is rolled back.
IDLE_SECONDS = 60.0
_BEGIN = sql.SQL(
    "BEGIN; SELECT now(), set_config('idle_in_transaction_session_timeout', {idle}, true),"
    " set_config('statement_timeout', {statement}, true), set_config('lock_timeout', {lock}, true)"
)
_AS: LiteralString = "SELECT set_config('slowwave.tenant_id', %s, true), set_config('statement_timeout', %s, true)"
_AND_AS = b"%s, set_config('slowwave.tenant_id', %s, true)"
_WITH_SHADOWS = b"%s, set_config('slowwave.shadows', 'on', true)"
_WITH_LEAST_RANK = b"%s, set_config('slowwave.least_rank', '%d', true)"
#: SQLSTATEs, or their classes, of errors that may pass by themselves, with the message for each.
_PASSING = {
    "40": "Another transaction wrote the same rows at the same moment, so that nothing of this was written; try again",
    "55P03": "Another transaction holds what this would write; try again",
    "53400": "The statement needs more than the database's settings allow",
    "25P03": "The transaction stood still for so long that the database has ended it; nothing of it was written",
}
#: How much later than the server this process ends a statement, for one that stands still.
_GRACE_SECONDS = 5.0
_STATEMENT_CUT, _LOCK_CUT = "57014", "55P03"
#: A row refers to a deleted one. If a deletion causes this, it has missed a table, and its error is passed on
#: unchanged.
_PARENT_GONE = "23503"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimits:
    """The limits of a statement's time and of its wait for a lock, by kind of work; and the usual kind of work of the process."""

    usual: Work
    statement_seconds: Mapping[Work, float]
    lock_seconds: Mapping[Work, float]


_LIMITS = "slowwave_limits"
GENEROUS = TimeLimits(usual=Work.TASK, statement_seconds=dict.fromkeys(Work, 600.0), lock_seconds={})


def make_engine(url: str, *, pool_size: int, limits: TimeLimits = GENEROUS) -> Engine:
    """Return an engine for `open_transaction` alone; it connects on first use."""
    engine = create_engine(
        url,
        execution_options={_LIMITS: limits},
        pool_size=pool_size,
        max_overflow=0,  # a connection beyond the pool would be opened and closed for one transaction
        pool_use_lifo=True,
        pool_recycle=1800,
        hide_parameters=True,
        connect_args={"autocommit": True} | connect_options(url),
    )
    bound_waits(engine, lambda: limits.statement_seconds[current_work(limits.usual)] + _GRACE_SECONDS)
    disable_prepared_statements_behind_pooler(engine)
    return engine


@contextmanager
def open_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that commits at the end of the block. Raises ServiceUnavailableError."""
    limits = (_ms(IDLE_SECONDS), *_limits_now(engine))
    with _open(engine, lambda raw: _send_begin(raw, None, limits)) as (connection, _):
        yield connection


@contextmanager
def open_tenants_transaction(
    engine: Engine,
    tenant_id: str,
    idle_seconds: float = IDLE_SECONDS,
    *,
    shadows: bool = False,
    least_rank: int = 0,
) -> Iterator[tuple[Connection, datetime]]:
    """Open a transaction of one tenant, with its time, which costs nothing here. Raises ServiceUnavailableError.

    The server ends it when it receives nothing for `idle_seconds`. With `shadows` it sees the copies that evaluations dream over.
    What is below `least_rank` is hidden.
    """
    limits = (_ms(idle_seconds), *_limits_now(engine))
    with _open(
        engine, lambda raw: _send_begin(raw, tenant_id, limits, shadows=shadows, least_rank=least_rank)
    ) as opened:
        yield opened


def ask_as(engine: Engine, tenant_id: str, query: Fixed, values: Values) -> tuple[Any, ...] | None:
    """Return the first row of a tenant's query, in its own transaction. Raises ServiceUnavailableError.

    Both statements are sent in one pipeline, which PostgreSQL treats as one transaction; the tenant is only set within
    it. Only for reads: if the connection turns out to be dead, the query is sent again on another one.
    """
    limit, _ = _limits_now(engine)
    with traced_transaction(POSTGRESQL), _answering(engine), traced_query(query):
        connection, row = _first(engine, lambda raw: _ask_in_one(raw, (tenant_id, limit), query, values))
        connection.close()
        return row


@contextmanager
def _open(engine: Engine, begin: Callable[[RawConnection], T]) -> Iterator[tuple[Connection, T]]:
    with traced_transaction(POSTGRESQL), _answering(engine):
        connection, answer = _first(engine, begin)
        with connection, connection.begin():
            yield connection, answer


@contextmanager
def _answering(engine: Engine) -> Iterator[None]:
    try:
        yield
    except (DBAPIError, PoolTimeoutError, psycopg.Error) as error:
        original = getattr(error, "orig", error)
        state = getattr(original, "sqlstate", None) or ""
        if state in {_STATEMENT_CUT, _LOCK_CUT}:
            _count_cut(engine, "lock" if state == _LOCK_CUT else "statement")
        if state == _STATEMENT_CUT:
            raise StatementCutError from error
        if state == _PARENT_GONE and _work_now(engine) is not Work.PURGE:
            raise NotFoundError("The target of this write has been deleted in the meantime") from error
        refusal = find_refusal(error)
        if refusal is not None:
            count("slowwave_database_refusals_total", why=refusal.why)
            raise refusal from error
        said = _PASSING.get(state) or _PASSING.get(state[:2])
        if said is None and not isinstance(original, psycopg.OperationalError):
            raise
        raise ServiceUnavailableError(f"{said or 'The database failed'}: {said_by(original)}") from error


def _first(engine: Engine, send: Callable[[RawConnection], T]) -> tuple[Connection, T]:
    """Return a connection and its first answer. Dead connections of the pool are replaced."""
    dead = 0
    while True:
        connection = _connect(engine)
        try:
            return connection, send(raw_of(connection))
        except psycopg.OperationalError as error:
            if isinstance(error, NoAnswerError):
                connection.close()
                raise  # another connection would be as silent
            connection.invalidate(error)
            connection.close()
            dead += 1
            if dead > _pool_of(engine).size():
                raise
        except BaseException:
            connection.close()
            raise


def _connect(engine: Engine) -> Connection:
    """Take a connection from the pool, and count each wait for a free one."""
    in_use, size = find_pool_use(engine)
    if in_use < size:
        return engine.connect()
    work, begun = _work_now(engine), time.perf_counter()
    count("slowwave_pool_waits_total", work=work)
    try:
        return engine.connect()
    finally:
        count("slowwave_pool_wait_seconds_total", time.perf_counter() - begun, work=work)


def find_pool_use(engine: Engine) -> tuple[int, int]:
    """Return the number of pooled connections in use, and the limit."""
    pool = _pool_of(engine)
    return pool.checkedout(), pool.size()


def _pool_of(engine: Engine) -> QueuePool:
    pool = engine.pool
    assert isinstance(pool, QueuePool)  # as make_engine asks
    return pool


def _work_now(engine: Engine) -> Work:
    limits: TimeLimits = engine.get_execution_options()[_LIMITS]
    return current_work(limits.usual)


def _limits_now(engine: Engine) -> tuple[str, str]:
    """Return how long a statement may run, and wait for a lock, for the current kind of work."""
    limits: TimeLimits = engine.get_execution_options()[_LIMITS]
    work = current_work(limits.usual)
    return _ms(limits.statement_seconds[work]), _ms(limits.lock_seconds.get(work, 0))


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"


def _count_cut(engine: Engine, limit: str) -> None:
    count("slowwave_statements_cut_total", work=_work_now(engine), limit=limit)


def _send_begin(
    raw: RawConnection,
    tenant_id: str | None,
    limits: tuple[str, str, str],
    *,
    shadows: bool = False,
    least_rank: int = 0,
) -> datetime:
    query = _write_begin(limits)
    if tenant_id is not None:
        query = _AND_AS % (query, sql.Literal(tenant_id).as_bytes(raw))
    if shadows:
        query = _WITH_SHADOWS % query
    if least_rank:
        query = _WITH_LEAST_RANK % (query, least_rank)
    cursor = raw.execute(query, prepare=False)
    cursor.nextset()
    row = cursor.fetchone()
    assert row is not None
    now: datetime = row[0]
    return now


@lru_cache(maxsize=64)
def _write_begin(limits: tuple[str, str, str]) -> bytes:
    """Return the statement that begins a transaction with these limits, cached for each kind of work."""
    idle, statement, lock = map(sql.Literal, limits)
    return _BEGIN.format(idle=idle, statement=statement, lock=lock).as_bytes()


def _ask_in_one(
    raw: RawConnection, tenant_and_limit: tuple[str, str], query: Fixed, values: Values
) -> tuple[Any, ...] | None:
    with raw.pipeline():
        raw.execute(_AS, tenant_and_limit)
        return raw.execute(query.sql, query.fill(values)).fetchone()
