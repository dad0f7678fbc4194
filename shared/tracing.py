"""Trace what a request or a dream does: tasks, phases, model calls, transactions, statements. Free while tracing is off.

A dream's trace id is derived from the dream's id: spans of all workers belong to it, even if messages are lost and sent again,
and no message has to carry it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Attributes = Mapping[str, str | int | float | bool | Sequence[str]]
NOTHING: Attributes = {}


class Span(Protocol):
    """One piece of work of a trace."""

    def set_attributes(self, attributes: Attributes) -> None:
        """Add attributes to the current span. Never pass memory text."""


class Tracing(Protocol):
    """A destination for spans. No method raises while the collector is away."""

    @property
    def provider(self) -> object:
        """Return OpenTelemetry's tracer provider, for libraries that trace by themselves."""

    def span(
        self, name: str, attributes: Attributes, dream_id: str | None, begun: datetime | None = None
    ) -> AbstractContextManager[Span]:
        """Return a span, of a dream's trace or of what the code is in; an exception that passes through is noted by type."""

    def end_dream(self, dream_id: str, begun: datetime, attributes: Attributes) -> None:
        """Send the span of the whole dream, which the others of its trace hang on."""

    def link_dream(self, dream_id: str) -> None:
        """Link the current span to the trace of a dream that it started."""

    def bind(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return a function whose spans lie in what the code is in now, on whichever thread it runs."""

    def find_trace_id(self) -> str | None:
        """Return the id of the trace that the code is in."""

    def flush(self) -> None:
        """Send the spans that wait."""


class _NoSpan:
    def set_attributes(self, attributes: Attributes) -> None:
        """Do nothing."""


@dataclass(slots=True)
class _Statements:
    """The number of statements that a transaction has sent."""

    number: int = 0


#: Statements of one transaction that get spans; a page of a large store would fill a collector.
MAX_STATEMENTS = 100
_tracing: list[Tracing] = []
_tells_statements: list[bool] = []
_statements: ContextVar[_Statements | None] = ContextVar("statements_of_the_transaction", default=None)
_OFF: AbstractContextManager[Span] = nullcontext(_NoSpan())


def start_tracing(tracing: Tracing, *, statements: bool = False) -> None:
    """Send the process's spans to this destination instead of the previous one, optionally with spans of single statements."""
    _tracing[:] = [tracing]
    _tells_statements[:] = [True] if statements else []


def stop_tracing() -> None:
    """Send buffered spans and stop tracing."""
    flush_traces()
    _tracing.clear()
    _tells_statements.clear()


def flush_traces() -> None:
    """Send buffered spans before the process ends."""
    for tracing in _tracing:
        tracing.flush()


def find_tracer_provider() -> Any | None:  # noqa: ANN401 - OpenTelemetry's, which is not imported here
    """Return the tracer provider for libraries, or None while tracing is off."""
    return _tracing[0].provider if _tracing else None


def traced(
    name: str, attributes: Attributes = NOTHING, *, dream_id: str | None = None, begun: datetime | None = None
) -> AbstractContextManager[Span]:
    """Return a span for a block of code; with a dream's id, in that dream's trace. It may have started before the block."""
    return _tracing[0].span(name, attributes, dream_id, begun) if _tracing else _OFF


def traced_transaction(attributes: Attributes) -> AbstractContextManager[Span]:
    """Return a span for a transaction; its first statements get their own spans if that is switched on."""
    if not _tracing or not _tells_statements:
        return traced("transaction", attributes)
    return _transaction_with_statements(attributes)


def traced_statement(describe: Callable[[T], tuple[str, Attributes]], statement: T) -> AbstractContextManager[Span]:
    """Return a span for a statement of a traced transaction; a no-op if statements are not traced, or there were too many.

    The statement is described, by name and attributes, only if it gets a span.
    """
    if not _tells_statements or (told := _statements.get()) is None:
        return _OFF
    told.number += 1
    return _OFF if told.number > MAX_STATEMENTS else traced(*describe(statement))


@contextmanager
def _transaction_with_statements(attributes: Attributes) -> Iterator[Span]:
    told = _Statements()
    token = _statements.set(told)
    try:
        with traced("transaction", attributes) as span:
            try:
                yield span
            finally:
                span.set_attributes({"slowwave.statements": told.number})
    finally:
        _statements.reset(token)


def end_dream_trace(dream_id: str, begun: datetime, attributes: Attributes) -> None:
    """Send the span of a dream that has just ended."""
    for tracing in _tracing:
        tracing.end_dream(dream_id, begun, attributes)


def link_dream_trace(dream_id: str) -> None:
    """Link the current request or task to the trace of a dream that it started."""
    for tracing in _tracing:
        tracing.link_dream(dream_id)


def keep_trace(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function for other threads, so that its spans are children of the current span."""
    return _tracing[0].bind(function) if _tracing else function


def find_trace_id() -> str | None:
    """Return the current trace id, in the form used in logs."""
    return _tracing[0].find_trace_id() if _tracing else None


def trace_id_of(dream_id: str) -> str:
    """Return the id of a dream's trace: 32 hexadecimal digits."""
    return sha256(dream_id.encode()).hexdigest()[:32]


def root_span_id_of(dream_id: str) -> str:
    """Return the id of the span of the whole dream: 16 hexadecimal digits."""
    return sha256(dream_id.encode()).hexdigest()[32:48]
