"""The name of this process for its servers, such as in `pg_stat_activity`: program and host."""

import socket

#: PostgreSQL cuts a longer name off.
_LONGEST_BYTES = 63
_NAME = ["library"]


def name_program(name: str) -> None:
    """Set the name of this process's program; connections opened from now on use it."""
    _NAME[:] = [name]


def connection_name() -> str:
    """Return the name for a connection: `slowwave-worker@host`."""
    return f"slowwave-{_NAME[0]}@{socket.gethostname()}".encode("ascii", "replace")[:_LONGEST_BYTES].decode()
