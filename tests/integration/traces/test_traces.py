"""With a collector, a dream is one trace: tasks, phases, model calls and transactions; and no memory text leaves with it."""

import json
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("opentelemetry.sdk", reason="an extra: requirements-otel.lock")

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from gateway.api.app import create_app
from shared import telemetry, tracing
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.otel.tracing import OtelTracing
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import BadInputError
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.process_ports import trace_process
from shared.settings import Settings
from shared.tracing import root_span_id_of, trace_id_of
from tests.integration.api.api_support import a_client, a_token, bearer
from tests.integration.batches.batch_support import finish_in_rounds, go, with_batches, write_notes
from tests.support.builders import a_store, run_dream, write
from tests.support.model.batch_server import a_batch_server

_SECRET = "plumbus"
_NOTES = {
    "api/limits.md": f"# Limits\n\nThe {_SECRET} API allows 600 calls a minute per key.\n",
    "ops/limits.md": f"# Limits of the API\n\nThe {_SECRET} API allows 600 calls a minute per key, and answers 429.\n",
}


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Every span of the process, in memory, until the test ends."""
    exporter = InMemorySpanExporter()
    tracing.start_tracing(OtelTracing("test", SimpleSpanProcessor(exporter)))
    yield exporter
    tracing.stop_tracing()


def id_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.span_id:016x}"


def trace_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}"


class Trace:
    """The spans of one trace, by name and by what they lie in."""

    def __init__(self, exporter: InMemorySpanExporter, trace_id: str) -> None:
        self.spans = [span for span in exporter.get_finished_spans() if trace_of(span) == trace_id]
        self._by_id = {id_of(span): span for span in self.spans}

    def path(self, span: ReadableSpan) -> list[str]:
        names = [span.name]
        while span.parent is not None:
            span = self._by_id[f"{span.parent.span_id:016x}"]
            names.append(span.name)
        return names[::-1]

    def find(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]


def test_a_dream_is_one_trace_from_its_tasks_to_its_transactions(
    ports: Ports, tenant: str, spans: InMemorySpanExporter
) -> None:
    write(ports, tenant, _NOTES)
    dream = run_dream(ports, tenant, ScriptedLlm())
    trace = Trace(spans, trace_id_of(dream.id))
    [root] = trace.find("dream")
    assert (root.parent, id_of(root)) == (None, root_span_id_of(dream.id))
    assert dict(root.attributes or {}) == {
        "slowwave.dream.id": dream.id,
        "slowwave.tenant": tenant,
        "slowwave.store": "default",
        "slowwave.dream.state": DreamState.COMPLETED,
    }
    paths = {tuple(trace.path(span)) for span in trace.spans}
    assert ("dream", "task dream", "transaction") in paths
    assert ("dream", "task consolidate", "phase", "chat scripted") in paths
    assert ("dream", "task consolidate", "phase", "transaction") in paths
    assert ("dream", "task finish", "transaction") in paths
    assert {span.attributes["slowwave.phase"] for span in trace.find("phase") if span.attributes} >= {"orient", "index"}


def test_a_model_call_tells_model_and_tokens_in_the_words_of_the_conventions(
    ports: Ports, tenant: str, spans: InMemorySpanExporter
) -> None:
    write(ports, tenant, _NOTES)
    usage = LlmUsage(input_tokens=100, cached_tokens=20, cache_write_tokens=3, output_tokens=7, cost_usd=0.5)
    reply = LlmReply(outcome=LlmOutcome.REFUSED, model="scripted", usage=usage)
    dream = run_dream(ports, tenant, ScriptedLlm(lambda _: reply))
    calls = Trace(spans, trace_id_of(dream.id)).find("chat scripted")
    told = [dict(call.attributes or {}) for call in calls]
    (found,) = [one for one in told if one.pop("slowwave.phase") == "consolidate"]
    assert found.pop("gen_ai.request.max_tokens")
    assert found == {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.type": "json",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "scripted",
        "gen_ai.system": "anthropic",
        "gen_ai.usage.cache_read.input_tokens": 20,
        "gen_ai.usage.cache_write.input_tokens": 3,
        "gen_ai.usage.input_tokens": 123,
        "gen_ai.usage.output_tokens": 7,
        "slowwave.model.cost_usd": 0.5,
        "slowwave.model.outcome": "refused",
    }


def test_a_call_through_a_cloud_names_the_cloud(ports: Ports, tenant: str, spans: InMemorySpanExporter) -> None:
    write(ports, tenant, _NOTES)
    a_store(ports, tenant, llm={"adapter": "bedrock", "model": "anthropic.claude-haiku-4-5-20251001-v1:0"})
    dream = run_dream(ports, tenant, ScriptedLlm())
    call = dict(Trace(spans, trace_id_of(dream.id)).find("chat scripted")[0].attributes or {})
    assert call["gen_ai.provider.name"] == call["gen_ai.system"] == "aws.bedrock"


def test_a_statement_has_a_span_with_its_text_and_without_its_values_where_that_is_wanted(
    ports: Ports, tenant: str, spans: InMemorySpanExporter
) -> None:
    tracing.start_tracing(OtelTracing("test", SimpleSpanProcessor(spans)), statements=True)
    write(ports, tenant, _NOTES)
    dream = run_dream(ports, tenant, ScriptedLlm())
    trace = Trace(spans, trace_id_of(dream.id))
    told = {
        span.name: dict(span.attributes or {}) for span in trace.spans if "db.query.text" in (span.attributes or {})
    }
    assert ["dream", "task consolidate", "phase", "transaction", "phases.fence"] in map(trace.path, trace.spans)
    assert any(name.startswith("SELECT ") for name in told), "also one that is built for its call"
    assert str(told["dreams.fence"]["db.query.text"]).startswith("UPDATE dreams SET ")
    assert tenant not in str(told)
    assert _SECRET not in str([span.to_json() for span in spans.get_finished_spans()])
    counts = [(span.attributes or {})["slowwave.statements"] for span in trace.find("transaction")]
    assert all(isinstance(number, int) and number <= tracing.MAX_STATEMENTS for number in counts)


def test_a_transaction_of_very_many_statements_tells_the_first_and_counts_the_rest(
    ports: Ports, tenant: str, spans: InMemorySpanExporter
) -> None:
    tracing.start_tracing(OtelTracing("test", SimpleSpanProcessor(spans)), statements=True)
    write(ports, tenant, _NOTES)
    spans.clear()
    with ports.db.transaction(tenant) as uow:
        for _ in range(tracing.MAX_STATEMENTS + 5):
            uow.stores.get("default")
    found = spans.get_finished_spans()
    [transaction] = [span for span in found if span.name == "transaction"]
    assert (transaction.attributes or {})["slowwave.statements"] == tracing.MAX_STATEMENTS + 5
    assert len(found) == tracing.MAX_STATEMENTS + 1


@pytest.mark.thorough
def test_a_question_of_a_batch_is_a_model_call_from_its_asking_to_its_answer(
    fresh_ports: Ports, spans: InMemorySpanExporter
) -> None:
    with a_batch_server() as server:
        batching = with_batches(fresh_ports, server)
        write_notes(batching, "acme")
        asleep = go(batching, "acme")
        assert asleep is not None
        assert not Trace(spans, trace_id_of(asleep.id)).find("chat claude-haiku-4-5"), "it has no answer yet"
        finish_in_rounds(batching, server, "acme", asleep)
        asked = server.asked()
    trace = Trace(spans, trace_id_of(asleep.id))
    calls = trace.find("chat claude-haiku-4-5")
    assert len(calls) == len(asked)
    for call in calls:
        assert trace.path(call)[-2:] == ["phase", "chat claude-haiku-4-5"]
        found = dict(call.attributes or {})
        assert (found["slowwave.model.batched"], found["gen_ai.usage.input_tokens"]) == (True, 1_000)
    assert asleep.snoozed_at is not None
    first = min(call.start_time or 0 for call in calls)
    assert first <= asleep.snoozed_at.timestamp() * 1_000_000_000, "it began as it was asked, before the dream slept"


def test_no_span_holds_a_word_of_a_memory(ports: Ports, tenant: str, spans: InMemorySpanExporter) -> None:
    write(ports, tenant, _NOTES)

    def fail(_: object) -> object:
        raise ValueError(_SECRET)

    run_dream(ports, tenant, ScriptedLlm(fail))  # type: ignore[arg-type]
    sent = [span.to_json() for span in spans.get_finished_spans()]
    failed = [json.loads(one) for one in sent if "error.type" in one]
    assert {one["attributes"]["error.type"] for one in failed} == {"ValueError"}
    assert not [one for one in sent if _SECRET in one]


def test_a_request_that_starts_a_dream_points_at_its_trace(
    ports: Ports, tenant: str, spans: InMemorySpanExporter
) -> None:
    write(ports, tenant, _NOTES)
    client = a_client(create_app(ports))
    answer = client.post("/api/dreams", json={"force": True}, headers=bearer(a_token(ports, tenant))).json()
    assert answer["trace_id"] == trace_id_of(answer["id"])
    request = next(span for span in spans.get_finished_spans() if span.links)
    assert (request.attributes or {})["http.route"] == "/api/dreams"
    assert f"{request.links[0].context.trace_id:032x}" == answer["trace_id"]
    inside = Trace(spans, trace_of(request))
    assert [request.name, "transaction"] in [inside.path(span) for span in inside.spans]


def test_a_log_line_names_the_trace_that_it_lies_in(spans: InMemorySpanExporter) -> None:
    assert spans.get_finished_spans() == ()
    with tracing.traced("task gather", dream_id="drm_1"):
        assert telemetry._add_trace_id(None, "info", {"event": "a"}) == {"event": "a", "trace_id": trace_id_of("drm_1")}
    assert telemetry._add_trace_id(None, "info", {"event": "a"}) == {"event": "a"}


def test_without_a_collector_nothing_is_traced_and_nothing_is_made() -> None:
    assert tracing.traced("a") is tracing.traced("b", dream_id="drm_1")
    assert tracing.keep_trace(id_of) is id_of
    trace_process(Settings(), "worker")
    assert tracing.find_tracer_provider() is None


def test_a_collector_without_the_extra_packages_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shared.adapters.otel.tracing", None)
    with pytest.raises(BadInputError, match=r"pip install --require-hashes -r requirements-otel\.lock"):
        trace_process(Settings(traces_endpoint="http://127.0.0.1:4318/v1/traces"), "worker")
