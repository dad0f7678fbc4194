"""One transaction on PostgreSQL, with the server's absence told in slowwave's words."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shared.core.errors import ServiceUnavailableError


@contextmanager
def open_transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that commits at the end of the block. Raises ServiceUnavailableError."""
    try:
        with engine.begin() as connection:
            yield connection
    except (OperationalError, PoolTimeoutError) as error:
        msg = f"The database does not answer: {_first_line(error)}"
        raise ServiceUnavailableError(msg) from error


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).strip().splitlines()[0]
