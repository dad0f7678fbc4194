"""The lists of the API that the client walks through, page after page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import quote

from slowwave_client.calls import Model, Steps, get
from slowwave_client.models import (
    ArmPage,
    DreamPage,
    EvaluationPage,
    MemoryLine,
    MemoryLinePage,
    OperationPage,
    SessionPage,
)
from slowwave_client.steps import stores


def dreams(store: str | None, state: str | None, since: datetime | None) -> Callable[[str | None], Steps[DreamPage]]:
    """Return what reads the pages of dreams, newest first."""
    return _pages(DreamPage, "/api/dreams", store=store, state=state, since=since and since.isoformat())


def operations_of(dream_id: str) -> Callable[[str | None], Steps[OperationPage]]:
    """Return what reads the pages of a dream's operations."""
    return _pages(OperationPage, f"/api/dreams/{quote(dream_id, safe='')}/operations")


def evaluations(store: str) -> Callable[[str | None], Steps[EvaluationPage]]:
    """Return what reads the pages of a store's evaluations, newest first."""
    return _pages(EvaluationPage, f"{stores(store)}/evaluations")


def memories(store: str, prefix: str) -> Callable[[str | None], Steps[MemoryLinePage]]:
    """Return what reads the pages of live memories, by path."""
    return _pages(MemoryLinePage, f"{stores(store)}/memories", prefix=prefix)


def sessions(store: str) -> Callable[[str | None], Steps[SessionPage]]:
    """Return what reads the pages of sessions, newest first."""
    return _pages(SessionPage, f"{stores(store)}/sessions")


def reviews(**chosen: str | None) -> Callable[[str | None], Steps[OperationPage]]:
    """Return what reads the pages of operations that wait for a review."""
    return _pages(OperationPage, "/api/reviews", **chosen)


def all_of(pages: Callable[[str | None], Steps[MemoryLinePage]]) -> Steps[list[MemoryLine]]:
    """Return all memories of a list, for steps that need them together."""
    found: list[MemoryLine] = []
    cursor: str | None = None
    while True:
        page = yield from pages(cursor)
        found += page.data
        cursor = page.next_cursor
        if cursor is None:
            return found


def _pages(kind: type[Model], path: str, /, **params: Any) -> Callable[[str | None], Steps[Model]]:  # noqa: ANN401 - of any list
    def read_page(cursor: str | None) -> Steps[Model]:
        return get(kind, path, **params, cursor=cursor)

    return read_page


def arms() -> Callable[[str | None], Steps[ArmPage]]:
    """Return what reads the arms of the tenant's stores, by name."""
    return _pages(ArmPage, "/api/arms")
