"""Servers that accept connections and never answer, as a stopped process or a pooler before one does."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import psutil


@contextmanager
def a_silent_port() -> Iterator[int]:
    """A port on this machine: the kernel accepts every connection and takes every byte, and no program reads them."""
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listening:
        yield listening.getsockname()[1]


@contextmanager
def standing_still(pid: int) -> Iterator[None]:
    """Stop a process and all its children for the duration of the block."""
    found = psutil.Process(pid)
    stopped = [found, *found.children(recursive=True)]
    for process in stopped:
        os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            os.kill(process.pid, signal.SIGCONT)
