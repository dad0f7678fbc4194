"""A port without a listener: for servers that must be told one."""

import socket


def find_free_port() -> int:
    """Return a port of this machine that was free just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
