"""Hold one set of ports per process, made on first use."""

import atexit
import os
from functools import cache

from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.settings import load_settings


def get_ports() -> Ports:
    """Return this process's ports. A forked child makes its own and does not touch its parent's connections."""
    return _ports_of(os.getpid())


def close_ports() -> None:
    """Send the counts of this process and close its connections. Does nothing if it has no ports."""
    for pid, ports in _MADE:
        if pid == os.getpid():
            ports.close()
    _MADE.clear()


_MADE: list[tuple[int, Ports]] = []


@cache
def _ports_of(pid: int) -> Ports:
    ports = make_ports(load_settings(), counts_wait=True)
    _MADE.append((pid, ports))
    atexit.register(close_ports)
    return ports
