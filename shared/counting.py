"""Counting what happens, as logging does: from anywhere, into one sink of the process, never in the way of work."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from shared.core.metrics import get_metric

#: A name as Prometheus shows it, and sorted labels.
Series = tuple[str, tuple[tuple[str, str], ...]]


class CountSink(Protocol):
    """Adds numbers up over all processes. No method raises for a server that is away."""

    def add(self, series: dict[Series, float]) -> None:
        """Add amounts to series."""


_sinks: list[CountSink] = []
_together: ContextVar[dict[Series, float] | None] = ContextVar("counted_together", default=None)


def send_counts_to(sink: CountSink) -> None:
    """Make this the process's sink, in place of the last one."""
    _sinks[:] = [sink]


def stop_counting(sink: CountSink) -> None:
    """Let go of a sink, if it is still the process's."""
    if sink in _sinks:
        _sinks.remove(sink)


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter of shared/core/metrics.py. Without a sink nothing happens."""
    get_metric(name, labels)
    _add({(name, tuple(sorted(labels.items()))): amount})


def observe(name: str, value: float, **labels: str) -> None:
    """Add one value to a histogram of shared/core/metrics.py."""
    metric = get_metric(name, labels)
    within = [f"{bound:g}" for bound in metric.buckets if value <= bound]
    same = sorted(labels.items())
    series = {(f"{name}_bucket", tuple(sorted([*same, ("le", bound)]))): 1.0 for bound in [*within, "+Inf"]}
    series[f"{name}_sum", tuple(same)] = value
    _add(series)


@contextmanager
def counting_together() -> Iterator[None]:
    """Send what this thread counts within the block at its end, in one round trip, also when it raises."""
    together: dict[Series, float] = {}
    token = _together.set(together)
    try:
        yield
    finally:
        _together.reset(token)
        if together:
            _add(together)


def _add(series: dict[Series, float]) -> None:
    together = _together.get()
    if together is not None:
        for one, amount in series.items():
            together[one] = together.get(one, 0.0) + amount
        return
    for sink in _sinks:
        sink.add(series)
