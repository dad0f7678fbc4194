"""Adapters that are built on first use: a command that never asks the model need not import its SDK."""

from collections.abc import Callable
from functools import cached_property
from threading import Lock
from typing import TypeVar, cast

T = TypeVar("T")


def deferred(build: Callable[[], T]) -> T:
    """Return an object that builds another one when one of its attributes is first asked for, and stands in for it."""
    return cast("T", _Deferred(build))


class _Deferred:
    def __init__(self, build: Callable[[], object]) -> None:
        self._build = build
        self._lock = Lock()

    @cached_property
    def _built(self) -> object:
        return self._build()

    def __getattr__(self, name: str) -> object:
        with self._lock:
            built = self._built
        return getattr(built, name)
