"""The embedded servers of a data directory: the first process that needs them starts them, the last one stops them."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.postgres import APP_ROLE, OWNER_ROLE, EmbeddedPostgres
from shared.adapters.embedded.state import (
    Holder,
    ServersState,
    build_current_holder,
    find_state,
    locked,
    remove_state,
    write_state,
)
from shared.adapters.embedded.valkey import EmbeddedValkey
from shared.core.errors import ConflictError, PermanentError, ServiceUnavailableError

#: Called under the lock with the addresses and the pids of the other processes that hold the servers.
Prepare = Callable[[Endpoints, tuple[int, ...]], None]


@contextmanager
def running_servers(
    data_dir: Path, *, durable: bool = True, prepare: Prepare = lambda _endpoints, _pids: None
) -> Iterator[Endpoints]:
    """Run PostgreSQL and Valkey in this directory for the duration of a `with` block.

    Args:
        data_dir: created if missing; several processes may name the same one and share its servers.
        durable: False is faster, for tests, and not safe after a power cut.
        prepare: called before this use begins; its exceptions end the use.

    Raises:
        PermanentError: the directory cannot be used; the message says which and why.
        ConflictError: other processes run these servers without durability, and it was requested.
        ServiceUnavailableError: a server did not start; the end of its log is in the message.
    """
    directory = data_dir.expanduser().resolve()
    with _with_advice(directory):
        holder, endpoints = _join(directory, durable=durable, prepare=prepare)
    try:
        yield endpoints
    finally:
        # A forked child that inherited this block has not joined, so it must not leave.
        if os.getpid() == holder.pid:
            _leave(directory, holder)


def find_running(data_dir: Path) -> Endpoints | None:
    """Return the servers of this directory if both answer, without starting or holding them."""
    directory = data_dir.expanduser().resolve()
    with _with_advice(directory):
        state = find_state(directory)
        if state is None:
            return None
        both = EmbeddedPostgres(directory).answers() and EmbeddedValkey(directory).answers()
        return state.endpoints if both else None


def _join(directory: Path, *, durable: bool, prepare: Prepare) -> tuple[Holder, Endpoints]:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(directory):
        state = find_state(directory)
        others = _find_alive(state)
        if others and state and durable and not state.durable:
            pids = ", ".join(str(holder.pid) for holder in others)
            raise ConflictError(
                f"The servers in {directory} run without durability for process {pids}. "
                "Wait until it ends, or use another data directory."
            )
        if state is None or (durable and not state.durable):
            # No process holds them, and their durability is unknown: restart them.
            _stop(directory)
            state = None
        strength = state.durable if state else durable
        holder = build_current_holder()
        try:
            endpoints = _start(directory, durable=strength)
            prepare(endpoints, tuple(sorted({other.pid for other in others} - {os.getpid()})))
            write_state(directory, ServersState(durable=strength, endpoints=endpoints, holders=(*others, holder)))
        except BaseException:  # Ctrl-C while they start must not leave one of them behind either
            if not others:
                _stop(directory)
            raise
        return holder, endpoints


def _leave(directory: Path, holder: Holder) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # the servers must stop even if their files were removed
    with locked(directory):
        state = find_state(directory)
        others = tuple(other for other in _find_alive(state) if other != holder)
        if state and others:
            write_state(directory, ServersState(durable=state.durable, endpoints=state.endpoints, holders=others))
        else:
            _stop(directory)


def _start(directory: Path, *, durable: bool) -> Endpoints:
    postgres = EmbeddedPostgres(directory)
    postgres.start(durable=durable)
    return Endpoints(
        owner_database_url=postgres.build_url(OWNER_ROLE),
        database_url=postgres.build_url(APP_ROLE),
        redis_url=EmbeddedValkey(directory).start(durable=durable),
    )


def _stop(directory: Path) -> None:
    EmbeddedValkey(directory).stop()
    EmbeddedPostgres(directory).stop()
    remove_state(directory)


def _find_alive(state: ServersState | None) -> tuple[Holder, ...]:
    return tuple(holder for holder in state.holders if holder.is_alive()) if state else ()


@contextmanager
def _with_advice(directory: Path) -> Iterator[None]:
    try:
        yield
    except PermissionError as error:
        raise PermanentError(
            f"{error.filename or directory} belongs to another user or is write-protected. "
            "Run slowwave as the user who created the data directory, or choose another data directory."
        ) from error
    except OSError as error:  # it is a file, or a place where nothing can be created
        raise PermanentError(
            f"The data directory {directory} cannot be used ({error.strerror}: {error.filename or directory}). "
            "Choose another one: SLOWWAVE_DATA_DIR."
        ) from error
    except psycopg.OperationalError as error:  # it was killed between its start and the first query
        said = str(error).strip().splitlines()[0]
        raise ServiceUnavailableError(f"PostgreSQL in {directory} stopped during its start: {said}") from error
