"""A server that answers as Langfuse's API does, and keeps what it is sent by id, as Langfuse does."""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

_DAY = "2026-01-01T00:00:00.000Z"


@dataclass(kw_only=True)
class FakeLangfuse:
    """All that was pushed: datasets by name, the rest by id. A path in `refused` is answered with its status."""

    url: str = ""
    datasets: dict[str, Any] = field(default_factory=dict)
    items: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, Any] = field(default_factory=dict)
    spans: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def answer(self, path: str, body: bytes) -> Any:
        """Keep a request, and return what Langfuse would say."""
        match path.removeprefix("/api/public/"):
            case "v2/datasets":
                sent = json.loads(body)
                known = {"id": f"id of {sent['name']}", "projectId": "p", "createdAt": _DAY, "updatedAt": _DAY}
                return self.datasets.setdefault(sent["name"], sent | known)
            case "dataset-items":
                sent = json.loads(body)
                dataset = self.datasets[sent["datasetName"]]
                known = {"status": "ACTIVE", "datasetId": dataset["id"], "createdAt": _DAY, "updatedAt": _DAY}
                self.items[sent["id"]] = {"metadata": None, "mediaReferences": []} | sent | known
                return self.items[sent["id"]]
            case "projects":
                return {"data": [{"id": "p", "name": "p", "metadata": {}, "organization": {"id": "o", "name": "o"}}]}
            case "scores":
                batch = json.loads(body)
                self.scores |= {one["id"]: one for one in batch}
                return {"message": "Accepted"}
            case "otel/v1/traces":
                self._keep_spans(ExportTraceServiceRequest.FromString(body))
                return {}
        raise AssertionError(path)

    def scores_of(self, run: str, item_id: str) -> dict[str, float]:
        """Return the scores of an item in a run, by name: those of the span that has both."""
        mine = {
            span_id
            for span_id, one in self.spans.items()
            if (one.get("langfuse.experiment.name"), one.get("langfuse.experiment.item.id")) == (run, item_id)
        }
        return {one["name"]: one["value"] for one in self.scores.values() if one["observationId"] in mine}

    def _keep_spans(self, request: ExportTraceServiceRequest) -> None:
        for resource in request.resource_spans:
            for span in (one for scope in resource.scope_spans for one in scope.spans):
                values = {one.key: one.value.string_value for one in span.attributes}
                self.spans[span.span_id.hex()] = values | {"name": span.name}


@contextmanager
def a_langfuse() -> Iterator[FakeLangfuse]:
    """Return one at an address of this machine."""
    found = FakeLangfuse()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self._answer(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)

        def _answer(self, body: bytes) -> None:
            path = urlsplit(self.path).path
            found.asked.append(path)
            status = found.refused.get(path, 200)
            said = {"message": "No such key"} if path in found.refused else found.answer(path, body)
            text = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
