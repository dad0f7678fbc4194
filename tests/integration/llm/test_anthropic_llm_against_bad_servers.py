"""The real SDK against servers that do what llmock cannot: they drip, drop, leave things out or send something else."""

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import FrameType

import pytest
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

from shared.adapters.llm.anthropic.client import AnthropicLlm
from shared.core.questions.question import Document, Question
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from tests.support.model.provider import provider_at
from workers.phases.prune.answer import PruneAnswer, PruneDecision

KEY = "sk-ant-very-secret"
MODEL = "claude-haiku-4-5"
ARCHIVE = PruneAnswer(decisions=(PruneDecision(file="a.md", decision="ARCHIVE"),))
WRITTEN = ARCHIVE.model_dump_json(by_alias=True)


@dataclass
class Stub:
    """Answers every request with `behave`; `gone` is set when the test is over."""

    url: str = ""
    behave: Callable[[BaseHTTPRequestHandler], None] = lambda _handler: None
    headers: list[dict[str, str]] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)

    def say(self, body: str, content_type: str = "application/json") -> None:
        def behave(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("content-type", content_type)
            handler.end_headers()
            handler.wfile.write(body.encode())

        self.behave = behave

    def drip(self, head: str, piece: str) -> None:
        def behave(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(head.encode())
            while not self.gone.wait(0.05):
                handler.wfile.write(piece.encode())

        self.behave = behave


@pytest.fixture
def stub() -> Iterator[Stub]:
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            try:
                stub.behave(self)
            except ConnectionError:
                self.close_connection = True  # the client has left

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        stub.url = f"http://127.0.0.1:{server.server_port}"
        yield stub
        stub.gone.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def stub_llm(stub: Stub) -> AnthropicLlm:
    return AnthropicLlm(model=MODEL, provider=provider_at(stub.url, KEY))


def ask(llm: AnthropicLlm, timeout_seconds: float = 5.0) -> LlmReply:
    document = Document(path="a.md", text="old", role="candidate")
    question = Question(phase="prune", key="one", documents=(document,), answer_type=PruneAnswer)
    request = LlmRequest(
        question=question, prefix="p", instructions="i", max_output_tokens=1000, timeout_seconds=timeout_seconds
    )
    return llm.decide(request)


def test_the_given_key_is_the_only_one_that_is_sent(
    stub: Stub, stub_llm: AnthropicLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another-key")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-token")
    stub.say("{}")
    ask(stub_llm)
    [headers] = stub.headers
    assert KEY in headers.get("x-api-key", "") + headers.get("authorization", "")
    assert "another" not in str(headers)


def test_the_ids_of_our_traces_are_not_the_servers_business(stub: Stub, stub_llm: AnthropicLlm) -> None:
    stub.say("{}")
    here = SpanContext(trace_id=1, span_id=2, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    with use_span(NonRecordingSpan(here)):
        ask(stub_llm)
    [headers] = stub.headers
    assert "traceparent" not in headers


def test_cached_tokens_are_counted_apart_and_priced_apart(stub: Stub, stub_llm: AnthropicLlm) -> None:
    usage = {
        "input_tokens": 100,
        "output_tokens": 10,
        "cache_read_input_tokens": 2000,
        "cache_creation_input_tokens": 400,
    }
    thinking = {"type": "thinking", "thinking": '{"decisions": "no"}', "signature": "s"}
    stub.say(json.dumps({"content": [thinking, {"type": "text", "text": WRITTEN}], "usage": usage}))
    reply = ask(stub_llm)
    assert reply.answer == ARCHIVE
    counts = LlmUsage(input_tokens=100, output_tokens=10, cached_tokens=2000, cache_write_tokens=400)
    assert replace(reply.usage, cost_usd=0.0) == counts
    assert reply.usage.cost_usd == pytest.approx((100 * 1.0 + 10 * 5.0 + 2000 * 0.10 + 400 * 1.25) / 1_000_000)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome</html>", "text/html"),
        ('{"content": [', "application/json"),
        ('{"content": "text"}', "application/json"),
        ("[]", "application/json"),
        ("null", "application/json"),
        ("", "application/json"),
    ],
)
def test_a_body_that_is_no_message_is_a_failure(
    stub: Stub, stub_llm: AnthropicLlm, body: str, content_type: str
) -> None:
    stub.say(body, content_type)
    reply = ask(stub_llm)
    assert reply.outcome is LlmOutcome.FAILED
    assert "server's answer" in reply.detail


def test_a_message_with_missing_counts_and_unknown_parts_is_read(stub: Stub, stub_llm: AnthropicLlm) -> None:
    blocks = [{"type": "brand_new"}, {"type": "text", "text": WRITTEN}]
    stub.say(json.dumps({"content": blocks, "stop_reason": "brand_new", "usage": {"input_tokens": 3}}))
    reply = ask(stub_llm)
    assert (reply.answer, reply.usage.input_tokens, reply.usage.output_tokens) == (ARCHIVE, 3, 0)


def test_a_connection_that_drops_is_unreachable_and_is_not_retried(stub: Stub, stub_llm: AnthropicLlm) -> None:
    stub.behave = lambda handler: handler.connection.close()
    assert ask(stub_llm).outcome is LlmOutcome.UNREACHABLE
    assert len(stub.headers) == 1


def test_a_port_without_a_listener_is_unreachable() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        port = closed.server_port
    reply = ask(AnthropicLlm(model=MODEL, provider=provider_at(f"http://127.0.0.1:{port}", KEY)))
    assert reply.outcome is LlmOutcome.UNREACHABLE
    assert reply.detail


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("HTTP/1.1 200 OK\r\n", "x-wait: 1\r\n"),
        ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n", " "),
    ],
)
def test_a_server_that_drips_cannot_stretch_the_time_limit(
    stub: Stub, stub_llm: AnthropicLlm, head: str, piece: str
) -> None:
    stub.drip(head, piece)
    # Each byte comes well within the limit, and they never end: without a limit on the whole, this never returns.
    assert ask(stub_llm, timeout_seconds=0.3).outcome is LlmOutcome.TIMED_OUT


class SoftLimitError(Exception):
    """Stands for the worker's own time limit, which a signal handler raises."""


def test_a_workers_time_limit_interrupts_a_waiting_call_and_is_not_taken_for_a_lost_connection(
    stub: Stub, stub_llm: AnthropicLlm
) -> None:
    interrupted, quiet = threading.Event(), threading.Event()

    def raise_once_while_waiting(_signal: int, frame: FrameType | None) -> None:
        if not interrupted.is_set() and frame is not None and frame.f_code.co_name == "select":
            interrupted.set()
            raise SoftLimitError

    def signal_until_interrupted(_handler: BaseHTTPRequestHandler) -> None:
        while not (interrupted.wait(0.02) or stub.gone.is_set()):
            os.kill(os.getpid(), signal.SIGUSR1)
        quiet.set()
        stub.gone.wait()

    stub.behave = signal_until_interrupted
    before = signal.signal(signal.SIGUSR1, raise_once_while_waiting)
    try:
        with pytest.raises(SoftLimitError):
            ask(stub_llm, timeout_seconds=60)
    finally:
        interrupted.set()
        quiet.wait(10)  # a late signal would meet the default handler, which ends the process
        signal.signal(signal.SIGUSR1, before)
