"""The doctor asks the model's endpoint whether it knows the key: by listing models, which costs nothing."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from shared.adapters.llm.health import examine_anthropic
from shared.core.health import Health

KEY = "sk-invented"


class Endpoint(ThreadingHTTPServer):
    """Answers every question with one status, and remembers what was asked."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Endpoint)
        self.server.asked.append(f"{self.command} {self.path.split('?')[0]}")
        self.send_response(self.server.status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        error = {"type": "error", "error": {"type": "authentication_error", "message": f"bad key {KEY}"}}
        models = {"data": [], "has_more": False, "first_id": None, "last_id": None}
        self.wfile.write(json.dumps(models if self.server.status == 200 else error).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def an_endpoint(status: int) -> Iterator[Endpoint]:
    with Endpoint(status) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "health", "found"),
    [
        (200, Health.OK, "accepted"),
        (401, Health.FAIL, "refused (401)"),
        (403, Health.FAIL, "refused (403)"),
        (500, Health.WARN, "answered 500"),
    ],
)
def test_a_key_is_tried_with_a_question_that_costs_nothing(status: int, health: Health, found: str) -> None:
    with an_endpoint(status) as endpoint:
        finding = examine_anthropic(KEY, endpoint.url)
        assert endpoint.asked == ["GET /v1/models"]
    assert (finding.health, finding.found) == (health, found)
    assert bool(finding.advice) == (health is not Health.OK)
    assert KEY not in repr(finding)
