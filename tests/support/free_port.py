"""A port without a listener: for servers that must be told one."""

import random
import socket


def find_free_port() -> int:
    """Return a port of this machine that was free just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def find_quiet_port() -> int:
    """Return a free port that no connection is given by itself, so that a server can leave it and come back.

    Linux gives connections and servers without a wish ports from 32,768 on. A process that connects to such a port of this machine
    while its server is away may even be given that port itself, and then holds it.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
