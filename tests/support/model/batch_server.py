"""A server of Message Batches as the API's reference describes them: strict about what it takes, results in any order."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PATH = re.compile(r"/v1/messages/batches(?:/(?P<id>[^/?]+)(?P<rest>/results|/cancel)?)?(?:\?.*)?")
#: Turns the parameters of an entry into its result.
Answer = Callable[[dict[str, Any]], dict[str, Any]]


def succeeded(params: dict[str, Any], text: str = "{}") -> dict[str, Any]:
    """A message of 1,000 tokens in and 100 out."""
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": params["model"], "stop_reason": "end_turn",
        "stop_sequence": None, "content": [{"type": "text", "text": text}],
        "usage": {"input_tokens": 1_000, "output_tokens": 100},
    }  # fmt: skip
    return {"type": "succeeded", "message": message}


def errored(_: dict[str, Any]) -> dict[str, Any]:
    """An entry that the model could not answer."""
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long"}}
    return {"type": "errored", "error": error}


def expired(_: dict[str, Any]) -> dict[str, Any]:
    """An entry that no model answered within 24 hours."""
    return {"type": "expired"}


@dataclass
class BatchServer:
    """The state of the server. Batches stay in progress until a test ends them."""

    url: str = ""
    key: str = "sk-batch"
    answer: Answer = succeeded
    #: Raised status of the next answers to a creation: before it is created, or after it (the answer is lost).
    refuse: list[int] = field(default_factory=list)
    lose: int = 0
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    created: dict[str, datetime] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    asked_at_once: list[dict[str, Any]] = field(default_factory=list)

    def end_all(self) -> None:
        """End every batch that is in progress."""
        self.ended |= self.batches.keys()

    def asked(self) -> list[str]:
        """The ids of all entries of all batches, in their order."""
        return [entry["custom_id"] for entries in self.batches.values() for entry in entries]

    def create(self, body: dict[str, Any]) -> str:
        """Take a batch; each rule of the reference that it breaks is an error of the test."""
        entries = body["requests"]
        ids = [entry["custom_id"] for entry in entries]
        assert 0 < len(ids) <= 100_000
        assert len(ids) == len(set(ids)), "custom ids repeat within the batch"
        assert all(_ID.fullmatch(one) for one in ids), ids
        assert all({"model", "max_tokens", "messages"} <= entry["params"].keys() for entry in entries)
        assert not any(entry["params"].get("stream") for entry in entries)
        batch_id = f"msgbatch_{len(self.batches) + 1}"
        self.batches[batch_id] = entries
        self.created[batch_id] = datetime.now(UTC)
        return batch_id

    def show(self, batch_id: str) -> dict[str, Any]:
        """A batch as the API shows it."""
        is_ended, created = batch_id in self.ended, self.created[batch_id]
        number = len(self.batches[batch_id])
        return {
            "id": batch_id, "type": "message_batch", "processing_status": "ended" if is_ended else "in_progress",
            "request_counts": {
                "processing": 0 if is_ended else number, "succeeded": number if is_ended else 0, "errored": 0,
                "canceled": 0, "expired": 0,
            },
            "created_at": created.isoformat(), "expires_at": (created + timedelta(hours=24)).isoformat(),
            "ended_at": created.isoformat() if is_ended else None, "archived_at": None, "cancel_initiated_at": None,
            "results_url": f"{self.url}/v1/messages/batches/{batch_id}/results" if is_ended else None,
        }  # fmt: skip

    def results(self, batch_id: str) -> str:
        """The results, line by line, the last entry first."""
        lines = [
            json.dumps({"custom_id": entry["custom_id"], "result": self.answer(entry["params"])})
            for entry in reversed(self.batches[batch_id])
        ]
        return "\n".join(lines) + "\n"


class _Handler(BaseHTTPRequestHandler):
    state: BatchServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self._is_allowed():
            return
        if self.path == "/v1/messages":
            self.state.asked_at_once.append(body)
            self._send(json.dumps(succeeded(body)["message"]))
            return
        if self.state.refuse:
            self._fail(self.state.refuse.pop(0), "try later")
            return
        batch_id = self.state.create(body)
        if self.state.lose:
            self.state.lose -= 1
            self._fail(502, "the answer was lost")
            return
        self._send(json.dumps(self.state.show(batch_id)))

    def do_GET(self) -> None:
        found = _PATH.fullmatch(self.path)
        if found is None or not self._is_allowed():
            return
        if found["id"] is None:
            data = [self.state.show(one) for one in reversed(self.state.batches)]
            self._send(json.dumps({"data": data, "has_more": False, "first_id": None, "last_id": None}))
        elif found["id"] not in self.state.batches:
            self._fail(404, "no such batch")
        elif found["rest"] == "/results":
            self._send(self.state.results(found["id"]), "application/x-jsonl")
        else:
            self._send(json.dumps(self.state.show(found["id"])))

    def _is_allowed(self) -> bool:
        key = self.headers["x-api-key"] or self.headers["authorization"].removeprefix("Bearer ")
        if key == self.state.key:
            return True
        self._fail(401, f"invalid key {key}")
        return False

    def _fail(self, status: int, message: str) -> None:
        self._send(json.dumps({"type": "error", "error": {"type": "error", "message": message}}), status=status)

    def _send(self, text: str, content_type: str = "application/json", status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def a_batch_server() -> Iterator[BatchServer]:
    """A server on a free port."""
    state = BatchServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    state.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
