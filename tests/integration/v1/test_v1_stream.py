"""`events.stream` over `/v1`: what is sent from now on, until the session is archived or deleted."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from fastapi import FastAPI

from gateway.api.app import create_app
from gateway.api.v1 import session_stream
from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token
from tests.support.sdk import an_sdk

_LONG_SECONDS = 60


class Scene:
    """A session with one event, and a stream of it that has begun."""

    def __init__(self, app: FastAPI, key: str) -> None:
        self.app, self.sdk = app, an_sdk(a_client(app), key)
        self.session = self.sdk.beta.sessions.create(agent="a", environment_id="e").id
        self.say("before")
        self.seen: list[str] = []
        self.thread = threading.Thread(target=self._watch, args=(key,), daemon=True)
        self.thread.start()

    def say(self, text: str) -> None:
        said: Any = {"type": "user.message", "content": [{"type": "text", "text": text}]}
        self.sdk.beta.sessions.events.send(self.session, events=[said])

    def is_over(self) -> bool:
        self.thread.join(_LONG_SECONDS)
        is_over = not self.thread.is_alive()
        self.app.state.stopping.set()  # so that nothing is left behind when it is not
        self.thread.join(_LONG_SECONDS)
        return is_over

    def _watch(self, key: str) -> None:
        with an_sdk(a_client(self.app), key).beta.sessions.events.stream(self.session) as stream:
            for event in stream:
                told: Any = event.to_dict()
                self.seen.append(told["content"][0]["text"] if "content" in told else event.type)


@pytest.fixture
def scene(ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    begun, wait = threading.Event(), session_stream._wait

    async def noting(stopping: asyncio.Event) -> None:
        begun.set()  # the stream has looked where the session stands
        await wait(stopping)

    monkeypatch.setattr(session_stream, "_wait", noting)
    monkeypatch.setattr(session_stream, "_POLL_SECONDS", 0.05)
    found = Scene(create_app(ports), a_token(ports, tenant, rate_per_minute=10_000))
    assert begun.wait(_LONG_SECONDS)
    yield found
    found.app.state.stopping.set()


def test_a_stream_has_what_is_sent_and_ends_with_its_session(scene: Scene) -> None:
    scene.say("one")
    scene.say("two")
    scene.sdk.beta.sessions.archive(scene.session)
    assert scene.is_over()
    assert scene.seen == ["one", "two", "session.status_terminated"]


def test_a_stream_of_a_deleted_session_says_so(scene: Scene) -> None:
    scene.sdk.beta.sessions.delete(scene.session)
    assert scene.is_over()
    assert scene.seen == ["session.deleted"]


def test_a_session_that_is_not_there_has_no_stream(scene: Scene) -> None:
    with pytest.raises(anthropic.NotFoundError):
        scene.sdk.beta.sessions.events.stream("sesn_0")
