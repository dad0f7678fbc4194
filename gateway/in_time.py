"""Run what may hang on a thread of its own, so that a caller with a deadline can go on without it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


def start(action: Callable[[], T]) -> Future[T]:
    """Run an action on a daemon thread, which does not keep the process from ending; return its future result."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(action())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            future.set_exception(error)

    threading.Thread(target=run, name="in-time", daemon=True).start()
    return future


class Shared(Generic[T]):
    """An action that runs once at a time: who asks while it runs waits for the same result.

    However often and however many ask, a server that hangs holds one thread.
    """

    def __init__(self, action: Callable[[], T]) -> None:
        self._action = action
        self._lock = threading.Lock()
        self._running: Future[T] | None = None

    def ask(self) -> Future[T]:
        """Return the result of the run in progress, or of a new one."""
        with self._lock:
            if self._running is None or self._running.done():
                self._running = start(self._action)
            return self._running
