"""Spans through OpenTelemetry's SDK to a collector. The SDK is an extra of the installation: requirements-otel.lock."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach, get_current
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.id_generator import IdGenerator, RandomIdGenerator
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from shared.tracing import Attributes, P, Span, T, root_span_id_of, trace_id_of

_NANO = 1_000_000_000
_FLUSH_MS = 5_000
#: The dream whose own span is being created; the span's ids are derived from the dream's.
_rooted: ContextVar[str | None] = ContextVar("rooted_dream", default=None)


class DreamIds(IdGenerator):
    """Random ids, except for the span of a whole dream."""

    def __init__(self) -> None:
        self._random = RandomIdGenerator()

    def generate_span_id(self) -> int:
        """Return the id of a new span."""
        dream_id = _rooted.get()
        return self._random.generate_span_id() if dream_id is None else int(root_span_id_of(dream_id), 16)

    def generate_trace_id(self) -> int:
        """Return the id of a new trace."""
        dream_id = _rooted.get()
        return self._random.generate_trace_id() if dream_id is None else int(trace_id_of(dream_id), 16)


class OtelTracing:
    """Implements `Tracing`."""

    def __init__(self, program: str, processor: SpanProcessor) -> None:
        """Name the program, and send its spans to this processor."""
        resource = Resource.create({"service.name": f"slowwave-{program}", "service.namespace": "slowwave"})
        self._provider = TracerProvider(resource=resource, id_generator=DreamIds())
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("slowwave")

    @property
    def provider(self) -> TracerProvider:
        """Return the provider for FastAPI's request traces."""
        return self._provider

    @contextmanager
    def span(
        self, name: str, attributes: Attributes, dream_id: str | None, begun: datetime | None = None
    ) -> Iterator[Span]:
        """Return a span. An error is recorded by its type: its message may contain memory text."""
        context = None if dream_id is None or _is_within(dream_id) else _context_of(dream_id)
        own = {"slowwave.dream.id": dream_id} if dream_id is not None else {}
        kind = SpanKind.CLIENT if "gen_ai.operation.name" in attributes or "db.system.name" in attributes else None
        with self._tracer.start_as_current_span(
            name,
            context=context,
            kind=kind or SpanKind.INTERNAL,
            attributes={**own, **attributes},
            start_time=None if begun is None else int(begun.timestamp() * _NANO),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(Status(StatusCode.ERROR))
                raise

    def end_dream(self, dream_id: str, begun: datetime, attributes: Attributes) -> None:
        """Send the span of the whole dream."""
        token = _rooted.set(dream_id)
        try:
            span = self._tracer.start_span(
                "dream",
                context=Context(),
                attributes={"slowwave.dream.id": dream_id, **attributes},
                start_time=int(begun.timestamp() * _NANO),
            )
        finally:
            _rooted.reset(token)
        span.end()

    def link_dream(self, dream_id: str) -> None:
        """Link the current span to the trace of a dream."""
        span = trace.get_current_span()
        span.add_link(_root_of(dream_id))
        span.set_attribute("slowwave.dream.id", dream_id)

    def bind(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return a function that runs in the current context."""
        here = get_current()

        def bound(*args: P.args, **kwargs: P.kwargs) -> T:
            token = attach(here)
            try:
                return function(*args, **kwargs)
            finally:
                detach(token)

        return bound

    def find_trace_id(self) -> str | None:
        """Return the id of the current trace."""
        context = trace.get_current_span().get_span_context()
        return f"{context.trace_id:032x}" if context.is_valid else None

    def flush(self) -> None:
        """Send the waiting spans."""
        self._provider.force_flush(_FLUSH_MS)


def make_tracing(program: str, endpoint: str) -> OtelTracing:
    """Return tracing to a collector's OTLP address over HTTP, such as `http://127.0.0.1:4318/v1/traces`."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - tests need no exporter
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - the same

    return OtelTracing(program, BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))


def _root_of(dream_id: str) -> SpanContext:
    return SpanContext(
        trace_id=int(trace_id_of(dream_id), 16),
        span_id=int(root_span_id_of(dream_id), 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )


def _context_of(dream_id: str) -> Context:
    return trace.set_span_in_context(NonRecordingSpan(_root_of(dream_id)), Context())


def _is_within(dream_id: str) -> bool:
    """Tell whether the code is already in a span of this dream, so that the next one is its child."""
    return trace.get_current_span().get_span_context().trace_id == int(trace_id_of(dream_id), 16)
