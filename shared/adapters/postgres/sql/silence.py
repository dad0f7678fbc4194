"""Notice that a server has fallen silent under work that may take any time, such as a dump, a restore or a migration.

A deadline would cut a long COPY, and TCP sees nothing: the kernel of a server that stands still confirms every byte. So a second
connection asks now and then, as anyone new would. A server that answers it, be it with a refusal, is at work.
"""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psycopg

from shared.adapters.postgres.sql.connecting import BoundedConnection, NoAnswerError, connect_options
from shared.core.errors import ServiceUnavailableError

_ASK_EVERY_SECONDS = 5.0
_PATIENCE_SECONDS = 10
_MOST_SILENCES = 2


@contextmanager
def noticing_silence(url: str, give_up: Callable[[], None]) -> Iterator[None]:
    """Call `give_up` when the server has twice not answered a new connection within 10 s; it makes the block fail.

    Raises:
        ServiceUnavailableError: the block has failed because of that.
    """
    ended, is_silent = threading.Event(), threading.Event()

    def watch() -> None:
        silences = 0
        while silences < _MOST_SILENCES:
            if ended.wait(_ASK_EVERY_SECONDS):
                return
            silences = 0 if _answers(url) else silences + 1
        is_silent.set()
        if not ended.is_set():
            give_up()

    threading.Thread(target=watch, name="silence", daemon=True).start()
    try:
        yield
    except Exception:
        if not is_silent.is_set():
            raise
        seconds = _MOST_SILENCES * _PATIENCE_SECONDS
        raise ServiceUnavailableError(
            f"The database takes connections and has not answered for {seconds} s, so the work was given up; "
            "deploy/runbooks/database-lost.md"
        ) from None
    finally:
        ended.set()


@contextmanager
def cut_by_silence(url: str, raw: psycopg.Connection) -> Iterator[None]:
    """Cut a connection when its server has fallen silent, so that whatever waits for it fails. Raises as `noticing_silence`."""
    with noticing_silence(url, lambda: _cut(raw)):
        yield


def _cut(raw: psycopg.Connection) -> None:
    """Shut the socket of a connection that another thread waits for; closing it here would not wake that thread."""
    with suppress(psycopg.OperationalError, OSError), socket.socket(fileno=os.dup(raw.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def _answers(url: str) -> bool:
    plain = url.replace("postgresql+psycopg://", "postgresql://", 1)
    try:
        with BoundedConnection.connect(plain, **connect_options(url) | {"connect_timeout": _PATIENCE_SECONDS}) as asked:
            asked.execute("SELECT 1")
    except (psycopg.errors.ConnectionTimeout, NoAnswerError):
        return False
    except psycopg.Error:
        return True  # it refuses in words; or it is gone, which the connection at work sees itself
    return True
