"""Every metric of slowwave: name, kind, labels, and what it says. Alerts, runbooks and docs/metrics.md are checked by it.

No metric has a tenant label: a million tenants would be a million series, and names of customers are nobody's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

#: Upper bounds in seconds. A dream may take 300 s by default, a model call 120 s.
DREAM_BUCKETS = (1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0)
CALL_BUCKETS = (0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class MetricKind(StrEnum):
    """What Prometheus calls the kinds."""

    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric. Gauges are read at the scrape; counters and histograms are added to by the processes.

    Attributes:
        name: as Prometheus shows it; a histogram's series end in `_bucket`, `_sum` and `_count`.
        kind: gauge, counter or histogram.
        help: one sentence.
        labels: names of the labels; their values are words of the code, never a tenant's.
        buckets: upper bounds of a histogram.
    """

    name: str
    kind: MetricKind
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


def _gauge(name: str, text: str, *labels: str) -> Metric:
    return Metric(name=f"slowwave_{name}", kind=MetricKind.GAUGE, help=text, labels=labels)


def _counter(name: str, text: str, *labels: str) -> Metric:
    return Metric(name=f"slowwave_{name}_total", kind=MetricKind.COUNTER, help=text, labels=labels)


def _histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Metric:
    return Metric(name=f"slowwave_{name}", kind=MetricKind.HISTOGRAM, help=text, labels=labels, buckets=buckets)


METRICS: tuple[Metric, ...] = (
    _gauge("source_up", "1 when what the scrape reads from answered, by source: database, redis.", "source"),
    _gauge("due_stores", "Stores that wait for a check now; counted up to 100,000."),
    _gauge("oldest_due_age_seconds", "How long the store has waited that has waited longest for its check."),
    _gauge("active_dreams", "Dreams that have not ended, by state: queued, running.", "state"),
    _gauge("oldest_queued_dream_age_seconds", "How long the oldest queued dream that does not sleep has waited."),
    _gauge("oldest_running_dream_age_seconds", "How long the longest running dream has been awake."),
    _gauge("lapsed_leases", "Running dreams whose worker has not been heard of in time, right now."),
    _gauge("pending_merges", "Merges suggested for a next dream; counted up to 100,000."),
    _gauge("oldest_pending_merge_age_seconds", "How long the oldest suggested merge has waited."),
    _gauge("pending_reviews", "Operations that wait for a person; counted up to 100,000."),
    _gauge("quarantined_stores", "Stores whose dreams failed so often that they wait for a person."),
    _gauge("last_sweep_timestamp_seconds", "When a sweep ran last, as Unix time; 0 before the first."),
    _gauge("paused", "1 while the operator's kill switch is on."),
    _gauge("defer_percent", "The share of due stores that an operator has wait."),
    _gauge("queue_messages", "Messages that wait in the broker, by queue.", "queue"),
    _gauge("workers", "Workers that gave a sign of life within the last 45 s."),
    _counter("dreams_queued", "Dreams queued, by what asked: sweep, delay, cli, api, digest, compaction.", "trigger"),
    _counter("dreams_ended", "Dreams ended, by state: completed, partial, error, canceled, undone.", "state"),
    _histogram("dream_duration_seconds", "From a dream's first claim to its end.", DREAM_BUCKETS, "state"),
    _counter("phases_ended", "Phases ended, by phase and state: done, skipped, partial, failed.", "phase", "state"),
    _counter("recalls", "Reads of memories, by outcome: counted, or lost because nobody took them in time.", "outcome"),
    _counter("refusals", "Dreams refused, by the gate that was shut.", "gate"),
    _counter("api_refusals", "Requests refused, by surface (api, v1, console, other) and status.", "surface", "status"),
    _counter("redactions", "Versions of memories whose text was removed for good on request."),
    _counter("lost_leases", "Times a worker found its dream or phase taken over, by where it noticed.", "where"),
    _counter("rescues", "Dreams taken over from a worker that fell silent."),
    _counter("rescues_spent", "Dreams ended because they were taken over too often."),
    _counter("snoozes", "Dreams put to sleep, by why: rate_limited, agent_busy.", "why"),
    _counter("tasks_failed", "Celery tasks that ended with an unexpected error, by task.", "task"),
    _counter("duplicate_deliveries", "Messages that found their work taken or done, by task.", "task"),
    _counter("model_calls", "Model calls, by outcome; `rate_limited` are the 429s.", "outcome"),
    _counter("model_calls_spared", "Questions that read as they did last time, so that no model was asked.", "phase"),
    _counter("model_tokens", "Tokens billed, by kind: input, output, cached, cache_write.", "kind"),
    _counter("model_cost_usd", "What model calls cost, in US dollars."),
    _histogram("model_call_seconds", "How long a model call took.", CALL_BUCKETS),
    _counter(
        "sweep_rows", "Rows that sweeps looked at, by sweep and outcome: acted, idle, failed.", "sweep", "outcome"
    ),
    _counter("purged_rows", "Rows purged by retention, by rule.", "rule"),
    _counter(
        "webhook_deliveries",
        "Attempts to deliver a webhook, by outcome: delivered, retried, failed, disabled.",
        "outcome",
    ),
    _counter("tenants_erased", "Tenants deleted with everything of theirs."),
)

_BY_NAME = {metric.name: metric for metric in METRICS}


def get_metric(name: str, labels: Mapping[str, str]) -> Metric:
    """Return a metric. Raises ValueError for a name or labels that the list does not have: a mistake in the code."""
    metric = _BY_NAME.get(name)
    if metric is None or set(metric.labels) != set(labels):
        msg = f"shared/core/metrics.py has no metric {name} with the labels {sorted(labels)}"
        raise ValueError(msg)
    return metric
