"""The embeddings API over a real connection: what is sent, and what becomes of answers that are none."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from shared.adapters.embeddings import http_api
from shared.adapters.embeddings.http_api import MAX_DIMENSIONS, HttpEmbedder
from shared.core.errors import BadInputError
from shared.core.search.vectors import unpack_vector
from shared.ports.embedder import EmbedderError

_KEY = "sk-a-long-secret-key-of-the-operator"
Answer = tuple[int, dict[str, str], bytes]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    answer: Callable[[dict[str, Any]], Answer]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, str | None, dict[str, Any]]] = []
        self.is_over = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.seen.append((self.path, self.headers["authorization"], body))
        status, headers, content = self.server.answer(body)
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def running() -> Iterator[_Server]:
    server = _Server()
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield server
    server.is_over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def server(running: _Server) -> _Server:
    """An endpoint that answers in the wrong order, as the API allows, until a test says otherwise."""
    running.seen.clear()
    running.answer = _vectors
    return running


def _vectors(body: dict[str, Any]) -> Answer:
    data = [{"index": n, "embedding": [3.0 * (n + 1), 4.0 * (n + 1)]} for n in range(len(body["input"]))]
    return 200, {}, json.dumps({"data": data[::-1]}).encode()


def always(status: int, content: bytes = b"", **headers: str) -> Callable[[dict[str, Any]], Answer]:
    return lambda _: (status, headers, content)


def embedder(server: _Server, **values: Any) -> HttpEmbedder:
    return HttpEmbedder(url=server.url, model="a-model", api_key=_KEY, **values)


def refuse(server: _Server, texts: list[str] | None = None, seconds: float = 600) -> EmbedderError:
    with pytest.raises(EmbedderError) as caught:
        embedder(server).embed(texts or ["a"], seconds=seconds)
    assert _KEY not in str(caught.value)
    return caught.value


def test_texts_are_sent_with_model_and_key_and_each_gets_its_own_vector(server: _Server) -> None:
    found = embedder(server).embed(["first", "second\0"], seconds=600)
    assert [list(unpack_vector(one)) for one in found] == [pytest.approx([0.6, 0.8])] * 2
    assert server.seen == [
        (
            "/v1/embeddings",
            f"Bearer {_KEY}",
            {"model": "a-model", "input": ["first", "second "], "encoding_format": "float"},
        )
    ]


def test_a_shorter_vector_is_asked_for_and_kept_apart(server: _Server) -> None:
    asking = embedder(server, dimensions=256)
    asking.embed(["first"], seconds=600)
    assert server.seen[0][2]["dimensions"] == 256
    assert asking.model != embedder(server).model


def test_an_endpoint_without_a_key_is_sent_none(server: _Server) -> None:
    HttpEmbedder(url=f"{server.url}/embeddings", model="m").embed(["a"], seconds=600)
    assert [(path, key) for path, key, _ in server.seen] == [("/v1/embeddings", None)]


def test_a_key_that_no_header_can_carry_is_refused_before_it_is_sent() -> None:
    with pytest.raises(BadInputError):
        HttpEmbedder(url="http://127.0.0.1:1", model="m", api_key="two\nlines")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": ["a"]}]}',
        b'{"data": [{"index": 5, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999]}]}',
        b"[" * 100_000,
    ],
)
def test_an_answer_that_holds_no_vectors_is_a_failure(server: _Server, content: bytes) -> None:
    server.answer = always(200, content)
    assert "one vector for each text" in str(refuse(server))


def test_vectors_and_answers_have_a_largest_size(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    long = [1.0] * (MAX_DIMENSIONS + 1)
    server.answer = always(200, json.dumps({"data": [{"index": 0, "embedding": long}]}).encode())
    assert "more than 4,096 numbers" in str(refuse(server))
    monkeypatch.setattr(http_api, "_MAX_BYTES", 100)
    assert "more than 100 bytes" in str(refuse(server))


def test_a_redirect_is_not_followed(server: _Server) -> None:
    server.answer = always(307, location=f"{server.url}/elsewhere")
    assert "answered 307" in str(refuse(server))
    assert len(server.seen) == 1


@pytest.mark.parametrize(("status", "is_refused"), [(400, True), (422, True), (401, False), (429, False), (500, False)])
def test_a_refused_text_is_told_from_a_broken_endpoint(server: _Server, status: int, is_refused: bool) -> None:
    server.answer = always(status, f"no: {_KEY}".encode())
    assert refuse(server).is_refused is is_refused


def test_an_endpoint_that_never_answers_is_left_in_time(server: _Server) -> None:
    def wait(_: dict[str, Any]) -> Answer:
        server.is_over.wait()
        return 200, {}, b""

    server.answer = wait
    assert "no answer within" in str(refuse(server, seconds=0.1))


def test_an_endpoint_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(EmbedderError, match="cannot be reached"):
        HttpEmbedder(url="http://127.0.0.1:1/v1", model="m").embed(["a"], seconds=600)
