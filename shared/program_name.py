"""The name that this process shows to its servers, such as in `pg_stat_activity`: which program it is, on which host."""

import socket

#: PostgreSQL cuts a longer name off.
_LONGEST_BYTES = 63
_NAME = ["library"]


def name_program(name: str) -> None:
    """Say which program this process is; connections that it makes from now on carry the name."""
    _NAME[:] = [name]


def connection_name() -> str:
    """Return the name for a connection: `slowwave-worker@host`."""
    return f"slowwave-{_NAME[0]}@{socket.gethostname()}".encode("ascii", "replace")[:_LONGEST_BYTES].decode()
