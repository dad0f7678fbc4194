"""Set the kind of work that code does, which determines the database's time limit for its statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum


class Work(StrEnum):
    """Kinds of work, each with its own time limit for statements."""

    REQUEST = "request"  # of the API, the console and MCP: a client waits, and a thread with it
    TASK = "task"  # a phase of a dream, a webhook's delivery, a command
    SWEEP = "sweep"  # a pass over all tenants
    PURGE = "purge"  # retention, and the deletion of a tenant


_now: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def doing(work: Work) -> Iterator[None]:
    """Treat the block as this kind of work, whatever kind is usual for the process."""
    token = _now.set(work)
    try:
        yield
    finally:
        _now.reset(token)


def current_work(usual: Work) -> Work:
    """Return the current kind of work; `usual` is that of the process."""
    return _now.get() or usual
