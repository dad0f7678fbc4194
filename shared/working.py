"""Name the kind of work that a piece of code does, so that the database ends statements that run longer than that may."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum


class Work(StrEnum):
    """Kinds of work, by how long one statement of theirs may run."""

    REQUEST = "request"  # of the API, the console and MCP: a client waits, and a thread with it
    TASK = "task"  # a phase of a dream, a webhook's delivery, a command
    SWEEP = "sweep"  # a pass over all tenants
    PURGE = "purge"  # retention, and the deletion of a tenant


_now: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def doing(work: Work) -> Iterator[None]:
    """Count what this thread does inside as that kind of work, whatever its process does otherwise."""
    token = _now.set(work)
    try:
        yield
    finally:
        _now.reset(token)


def current_work(usual: Work) -> Work:
    """Return the kind of work that is being done; `usual` is that of the process."""
    return _now.get() or usual
