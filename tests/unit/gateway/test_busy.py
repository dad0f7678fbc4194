"""Requests beyond the bound are refused at once, and health is told nevertheless."""

import asyncio
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from gateway.api.http.busy import BusyBound
from gateway.api.http.problems import as_problem


class _Busy:
    """An application whose requests end when they are told to, behind a bound of two."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.bound = BusyBound(
            self._serve, most=2, most_streams=1, answer=lambda _request, failure: as_problem(failure, "req_1")
        )

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        if scope["path"] != "/healthz":
            await self.may_end.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, path: str = "/api/dreams", *parts: bytes, whole: bool = True) -> Message:
        """Return the start of an answer; an unfinished body ends when the others do."""
        headers = [(b"transfer-encoding", b"chunked")] if parts else []
        unread = list(parts or (b"",))
        sent: list[Message] = []

        async def receive() -> Message:
            if not unread:
                await self.may_end.wait()
                return {"type": "http.request", "body": b"", "more_body": False}
            body = unread.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(unread) or not whole}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.bound({"type": "http", "method": "GET", "path": path, "headers": headers}, receive, send)
        return sent[0]


async def _begun(*requests: Any) -> list[asyncio.Task[Message]]:
    tasks = [asyncio.create_task(one) for one in requests]
    for _ in range(10):
        await asyncio.sleep(0)
    return tasks


async def _refused_while_full() -> None:
    busy = _Busy()
    first = await _begun(busy.ask(), busy.ask("/v1/dreams", b"a", b"b"))
    refused = await busy.ask()
    assert refused["status"] == 503
    assert (b"retry-after", b"1") in refused["headers"]
    assert (await busy.ask("/healthz"))["status"] == 200
    stream = await _begun(busy.ask("/api/dreams/drm_0/events"))
    for path in ("/api/dreams/drm_1/events", "/v1/sessions/sesn_1/events/stream"):
        assert (await busy.ask(path))["status"] == 503  # streams have a bound of their own
    busy.may_end.set()
    assert [(await one)["status"] for one in [*first, *stream]] == [200, 200, 200]
    assert (await busy.ask())["status"] == 200


async def _slow_uploads_keep_others_out() -> bool:
    busy = _Busy()
    slow = await _begun(*(busy.ask("/api/dreams", b"{", whole=False) for _ in range(5)))
    other = await _begun(busy.ask())
    busy.may_end.set()
    answers = [(await one)["status"] for one in [*slow, *other]]
    return bool(answers[-1] != 200)


def test_a_request_beyond_the_bound_is_told_to_come_back_and_health_is_answered() -> None:
    asyncio.run(_refused_while_full())


def test_slow_uploads_take_no_place_from_others() -> None:
    assert not asyncio.run(_slow_uploads_keep_others_out())
