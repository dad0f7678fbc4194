"""A real worker sends a dream's trace to a collector over OTLP."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="an extra: requirements-otel.lock")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from shared.all_ports import Ports
from shared.settings import Settings
from shared.tracing import trace_id_of
from tests.e2e.workers.worker_support import ROOT, a_worker, eventually
from tests.support.builders import write
from tests.support.servers import environment_for

#: The quick tier has the same dream with spans in memory: tests/integration/traces/test_traces.py.
pytestmark = pytest.mark.thorough


class Collector:
    """An OTLP endpoint that keeps the spans it gets."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        kept = self.spans

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                request = ExportTraceServiceRequest.FromString(body)
                kept.extend(
                    (resource.resource, span)
                    for resource in request.resource_spans
                    for scope in resource.scope_spans
                    for span in scope.spans
                )
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}/v1/traces"

    def find(self, name: str) -> list[Any]:
        return [span for _, span in list(self.spans) if span.name == name]


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()
    thread = threading.Thread(target=found.server.serve_forever)
    thread.start()
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


def test_a_dream_of_a_real_worker_arrives_as_one_trace(
    fresh_settings: Settings, fresh_ports: Ports, collector: Collector, tmp_path: Path, tenant: str
) -> None:
    write(fresh_ports, tenant, {"api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key.\n"})
    traced = {"SLOWWAVE_TRACES_ENDPOINT": collector.endpoint, "OTEL_BSP_SCHEDULE_DELAY": "100"}
    with a_worker(fresh_settings, tmp_path / "worker.log", traced):
        send = f"from workers import dream; dream.delay({tenant!r}, force=True)"
        environment = os.environ | environment_for(fresh_settings)
        subprocess.run([sys.executable, "-c", send], cwd=ROOT, env=environment, check=True)
        [root] = eventually(lambda: collector.find("dream"), "the dream's own span arrives")
    attributes = {one.key: one.value.string_value for one in root.attributes}
    dream_id = attributes["slowwave.dream.id"]
    assert attributes["slowwave.dream.state"] == "completed"
    assert root.trace_id.hex() == trace_id_of(dream_id)
    assert {span.trace_id for span in collector.find("phase")} == {root.trace_id}
    assert dream_id in (tmp_path / "worker.log").read_text()
    assert f'"trace_id": "{trace_id_of(dream_id)}"' in (tmp_path / "worker.log").read_text()
