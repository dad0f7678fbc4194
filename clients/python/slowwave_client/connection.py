"""The two ways to carry out steps: with a thread that waits, and with `await`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Generic, Protocol, TypeVar

import httpx

from slowwave_client.calls import Call, Pause, Steps
from slowwave_client.errors import SlowwaveError
from slowwave_client.retries import Retries, settle

T = TypeVar("T")
Item = TypeVar("Item")
#: Steps that read the page of a list that a cursor names.
Pages = Callable[[str | None], Steps["PageOf[Item]"]]


class PageOf(Protocol[Item]):
    """A page of a list, as the API answers."""

    data: list[Item]
    next_cursor: str | None


def headers_for(key: str, tenant: str | None) -> dict[str, str]:
    """Return the headers of every request of a key; an operator's key may act for a tenant."""
    return {"Authorization": f"Bearer {key}"} | ({"Slowwave-Tenant": tenant} if tenant else {})


class Connection:
    """Carries out steps in the calling thread. Several threads may share it."""

    def __init__(self, http: httpx.Client, retries: Retries) -> None:
        self._http = http
        self._retries = retries

    def run(self, steps: Steps[T]) -> T:
        """Return the result of steps. Raises SlowwaveError."""
        step: Call | Pause | Done[T] = next_of(steps, None)
        while not isinstance(step, Done):
            try:
                found = self._carry_out(step)
            except SlowwaveError as error:
                step = next_of(steps, error)
            else:
                step = next_of(steps, found)
        return step.result

    def walk(self, pages: Pages[Item]) -> Iterator[Item]:
        """Yield the items of a list, page after page."""
        cursor: str | None = None
        while True:
            page = self.run(pages(cursor))
            yield from page.data
            cursor = page.next_cursor
            if cursor is None:
                return

    def _carry_out(self, step: Call | Pause) -> httpx.Response | None:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        sent = 0
        while True:
            sent += 1
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self._http.request(**step.arguments())
            except httpx.TransportError as error:
                outcome = error
            pause = self._retries.find_pause(step, outcome, sent)
            if pause is None:
                return settle(outcome)
            time.sleep(pause)


class AsyncConnection:
    """Carries out steps with `await`. Several tasks may share it."""

    def __init__(self, http: httpx.AsyncClient, retries: Retries) -> None:
        self._http = http
        self._retries = retries

    async def run(self, steps: Steps[T]) -> T:
        """Return the result of steps. Raises SlowwaveError."""
        step: Call | Pause | Done[T] = next_of(steps, None)
        while not isinstance(step, Done):
            try:
                found = await self._carry_out(step)
            except SlowwaveError as error:
                step = next_of(steps, error)
            else:
                step = next_of(steps, found)
        return step.result

    async def walk(self, pages: Pages[Item]) -> AsyncIterator[Item]:
        """Yield the items of a list, page after page."""
        cursor: str | None = None
        while True:
            page = await self.run(pages(cursor))
            for item in page.data:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def _carry_out(self, step: Call | Pause) -> httpx.Response | None:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        sent = 0
        while True:
            sent += 1
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await self._http.request(**step.arguments())
            except httpx.TransportError as error:
                outcome = error
            pause = self._retries.find_pause(step, outcome, sent)
            if pause is None:
                return settle(outcome)
            await asyncio.sleep(pause)


class Done(Generic[T]):
    """The end of steps, with their result."""

    def __init__(self, result: T) -> None:
        self.result = result


def next_of(steps: Steps[T], found: httpx.Response | SlowwaveError | None) -> Call | Pause | Done[T]:
    """Return what steps want next, given the answer or the error of what they wanted last."""
    try:
        return steps.throw(found) if isinstance(found, SlowwaveError) else steps.send(found)
    except StopIteration as end:
        return Done(end.value)
