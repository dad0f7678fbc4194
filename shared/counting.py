"""Count events from anywhere in the code into the process's sink, without delaying work."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, runtime_checkable

from shared.core.metrics import get_metric

#: A name as Prometheus shows it, and sorted labels.
Series = tuple[str, tuple[tuple[str, str], ...]]


class CountSink(Protocol):
    """Adds up numbers over all processes. No method raises during an outage of the server."""

    def add(self, series: dict[Series, float]) -> None:
        """Add amounts to series."""


@runtime_checkable
class HoldingSink(Protocol):
    """A sink that holds counts back for a moment, to send them together."""

    def flush(self) -> None:
        """Send what is held back."""


_sinks: list[CountSink] = []
_together: ContextVar[dict[Series, float] | None] = ContextVar("counted_together", default=None)


def send_counts_to(sink: CountSink) -> None:
    """Set the process's sink, replacing the former one."""
    _sinks[:] = [sink]


def stop_counting(sink: CountSink) -> None:
    """Remove a sink if it is still the process's sink."""
    if sink in _sinks:
        _sinks.remove(sink)


def send_held_counts() -> None:
    """Send what the process's sink holds back, before the process ends."""
    for sink in _sinks:
        if isinstance(sink, HoldingSink):
            sink.flush()


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter of shared/core/metrics.py. Does nothing without a sink."""
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
    """Collect the counts of this thread, and send them in one round trip when the context closes, also after an exception."""
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
