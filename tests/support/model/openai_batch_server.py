"""A server of batches of chat completions, as OpenAI's reference describes them: files in, files out."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.model.batch_server import Answer, BatchServer

_ENDPOINT = "/v1/chat/completions"


def answered(body: dict[str, Any], text: str = "{}") -> dict[str, Any]:
    """A completion of 1,000 tokens in and 100 out."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100}
    completion = {
        "id": "c1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice], "usage": usage,
    }  # fmt: skip
    return {"response": {"status_code": 200, "request_id": "r", "body": completion}, "error": None}


def unanswered(_: dict[str, Any]) -> dict[str, Any]:
    """A request that the model could not answer."""
    body = {"error": {"message": "prompt is too long", "type": "invalid_request_error"}}
    return {"response": {"status_code": 400, "request_id": "r", "body": body}, "error": None}


def too_late(_: dict[str, Any]) -> dict[str, Any]:
    """A request that no model answered within 24 hours."""
    return {"response": None, "error": {"code": "batch_expired", "message": "This request could not be executed."}}


@dataclass
class OpenAiBatchServer(BatchServer):
    """The state of the server. Batches stay in progress until a test ends them."""

    answer: Answer = answered
    #: The texts of files by id, and what the SDK said beside each.
    files: dict[str, str] = field(default_factory=dict)
    said: list[dict[str, str]] = field(default_factory=list)
    #: What is wrong with every file, if something is.
    broken: str = ""
    has_batches: bool = True

    def take_file(self, text: str, said: dict[str, str]) -> str:
        """Keep a file and return its id."""
        self.said.append(said)
        file_id = f"file-{len(self.said)}"
        self.files[file_id] = text
        return file_id

    def create_from(self, order: dict[str, Any]) -> str:
        """Take a batch; each rule of the reference that it breaks is an error of the test."""
        assert (order["endpoint"], order["completion_window"]) == (_ENDPOINT, "24h")
        lines = [json.loads(line) for line in self.files[order["input_file_id"]].splitlines()]
        assert all(line.keys() == {"custom_id", "method", "url", "body"} for line in lines)
        assert {(line["method"], line["url"]) for line in lines} == {("POST", _ENDPOINT)}
        assert len({line["custom_id"] for line in lines}) == len(lines), "custom ids repeat within the batch"
        batch_id = f"batch_{len(self.batches) + 1}"
        self.batches[batch_id] = [{"custom_id": line["custom_id"], "params": line["body"]} for line in lines]
        self.created[batch_id] = datetime.now(UTC)
        return batch_id

    def show(self, batch_id: str) -> dict[str, Any]:
        """A batch as the API shows it; its results are in two files, of what was answered and of what was not."""
        shown = {
            "id": batch_id, "object": "batch", "endpoint": _ENDPOINT, "completion_window": "24h", "input_file_id": "file-1",
            "status": "in_progress", "created_at": int(self.created[batch_id].timestamp()),
        }  # fmt: skip
        if batch_id not in self.ended:
            return shown
        if self.broken:
            return shown | {"status": "failed", "errors": {"object": "list", "data": [{"message": self.broken}]}}
        good: list[str] = []
        bad: list[str] = []
        for entry in reversed(self.batches[batch_id]):
            line = {"id": "x", "custom_id": entry["custom_id"], **self.answer(entry["params"])}
            is_good = bool(line["response"]) and line["response"]["status_code"] == 200
            (good if is_good else bad).append(json.dumps(line))
        self.files |= {f"out-{batch_id}": "\n".join(good), f"err-{batch_id}": "\n".join(bad)}
        names = {
            "output_file_id": f"out-{batch_id}" if good else None,
            "error_file_id": f"err-{batch_id}" if bad else None,
        }
        return shown | {"status": "completed"} | names


class _Handler(BaseHTTPRequestHandler):
    state: OpenAiBatchServer

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        if not self._is_allowed():
            return
        if self.path == "/v1/files":
            parts = message_from_bytes(b"content-type: " + self.headers["content-type"].encode() + b"\n\n" + content)
            found = {
                str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True)
                for part in parts.walk()
                if not part.is_multipart()
            }
            texts = {name: value.decode() for name, value in found.items() if isinstance(value, bytes)}
            file_id = self.state.take_file(texts.pop("file"), texts)
            file = {"id": file_id, "object": "file", "bytes": 1, "created_at": 0, "filename": "q", "purpose": "batch"}
            self._send(file | {"status": "processed"})
        elif self.state.refuse:
            self._fail(self.state.refuse.pop(0), "try later")
        else:
            batch_id = self.state.create_from(json.loads(content))
            if self.state.lose:
                self.state.lose -= 1
                self._fail(502, "the answer was lost")
            else:
                self._send(self.state.show(batch_id))

    def do_GET(self) -> None:
        if not self._is_allowed():
            return
        path, _, _ = self.path.partition("?")
        name = path.removesuffix("/content").rsplit("/", 1)[-1]
        if path == "/v1/batches":
            data = [self.state.show(one) for one in reversed(self.state.batches)]
            self._send({"object": "list", "data": data, "has_more": False})
        elif path.endswith("/content"):
            self._send(self.state.files[name])
        else:
            self._send(self.state.show(name))

    def do_DELETE(self) -> None:
        name = self.path.rsplit("/", 1)[-1]
        del self.state.files[name]
        self._send({"id": name, "object": "file", "deleted": True})

    def _is_allowed(self) -> bool:
        if self.headers["authorization"] != f"Bearer {self.state.key}":
            self._fail(401, f"invalid key {self.headers['authorization']}")
            return False
        if not self.state.has_batches:
            self._fail(404, "404 page not found")
        return self.state.has_batches

    def _fail(self, status: int, message: str) -> None:
        self._send({"error": {"message": message, "type": "error", "code": None}}, status)

    def _send(self, content: dict[str, Any] | str, status: int = 200) -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def an_openai_batch_server() -> Iterator[OpenAiBatchServer]:
    """A server on a free port."""
    state = OpenAiBatchServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
