"""Counting what happens, as logging does: from anywhere, into one sink of the process, never in the way of work."""

from typing import Protocol

from shared.core.metrics import get_metric


class CountSink(Protocol):
    """Adds numbers up over all processes. No method raises for a server that is away."""

    def add(self, series: dict[tuple[str, tuple[tuple[str, str], ...]], float]) -> None:
        """Add amounts to series; a series is a name as Prometheus shows it, and sorted labels."""


_sinks: list[CountSink] = []


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
    for sink in _sinks:
        sink.add({(name, tuple(sorted(labels.items()))): amount})


def observe(name: str, value: float, **labels: str) -> None:
    """Add one value to a histogram of shared/core/metrics.py."""
    metric = get_metric(name, labels)
    within = [f"{bound:g}" for bound in metric.buckets if value <= bound]
    same = sorted(labels.items())
    series = {(f"{name}_bucket", tuple(sorted([*same, ("le", bound)]))): 1.0 for bound in [*within, "+Inf"]}
    series[f"{name}_sum", tuple(same)] = value
    for sink in _sinks:
        sink.add(series)
