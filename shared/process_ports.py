"""One set of ports per process, made on first use."""

import os
from functools import cache

from shared.bootstrap import make_ports
from shared.ports.all_ports import Ports
from shared.settings import load_settings


def get_ports() -> Ports:
    """Return this process's ports. A forked child makes its own and leaves its parent's connections alone."""
    return _ports_of(os.getpid())


@cache
def _ports_of(_pid: int) -> Ports:
    return make_ports(load_settings())
