"""Every metric: name, kind, labels and help text. Alerts, runbooks and docs/metrics.md are checked against it.

No metric has a tenant label: that would be unbounded cardinality, and it would expose customer names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

#: Upper bounds in seconds. A dream may take 300 s by default, a model call 120 s.
DREAM_BUCKETS = (1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0)
#: Shares of answers: what a dream lost is below 0. An evaluation calls a loss of 0.02 harm.
RECALL_BUCKETS = (-0.2, -0.1, -0.05, -0.02, -0.001, 0.0, 0.001, 0.02, 0.05, 0.1)
REQUEST_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CALL_BUCKETS = (0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class MetricKind(StrEnum):
    """Prometheus' names of the kinds."""

    GAUGE = "gauge"
    COUNTER = "counter"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric. Gauges are read at each scrape; processes add to counters and histograms.

    Attributes:
        name: the name in Prometheus; a histogram's series end in `_bucket`, `_sum` and `_count`.
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
    _gauge("source_up", "1 if the source answered the scrape, by source: database, redis.", "source"),
    _gauge("due_stores", "Stores whose check is due now; counted up to 100,000."),
    _gauge("oldest_due_age_seconds", "Age of the oldest overdue store check, in seconds."),
    _gauge("active_dreams", "Dreams that have not ended, by state: queued, running.", "state"),
    _gauge("oldest_queued_dream_age_seconds", "Age of the oldest queued dream that is not snoozed, in seconds."),
    _gauge(
        "oldest_running_dream_age_seconds", "Running time of the longest running dream without its snoozes, in seconds."
    ),
    _gauge("lapsed_leases", "Running dreams with an expired lease."),
    _gauge("pending_merges", "Merges suggested for the next dream; counted up to 100,000."),
    _gauge("oldest_pending_merge_age_seconds", "Age of the oldest suggested merge, in seconds."),
    _gauge("pending_reviews", "Operations that wait for a review; counted up to 100,000."),
    _gauge("quarantined_stores", "Stores in quarantine: their dreams failed too often in a row."),
    _gauge("budget_share_used", "Used share of the most used budget in dollars; 0 without any budget."),
    _gauge("last_sweep_timestamp_seconds", "Unix time of the last sweep; 0 before the first."),
    _gauge("paused", "1 while dreaming is paused for the whole installation."),
    _gauge("defer_percent", "Percentage of due stores that an operator defers."),
    _gauge("queue_messages", "Messages in the broker, by queue.", "queue"),
    _gauge("process_resident_bytes", "Memory of a process of slowwave, in bytes.", "process"),
    _gauge("process_cpu_seconds", "Processor time of a process of slowwave since its start, in seconds.", "process"),
    _gauge("process_threads", "Threads of a process of slowwave.", "process"),
    _gauge("process_open_files", "Open files and connections of a process of slowwave.", "process"),
    _gauge("pool_connections_in_use", "Database connections that a process is using now.", "process"),
    _gauge("pool_connections_max", "Maximum number of database connections of a process.", "process"),
    _gauge("workers", "Workers with a heartbeat within the last 45 s."),
    _counter("dreams_queued", "Dreams queued, by trigger: sweep, delay, cli, api, digest, compaction.", "trigger"),
    _counter("dreams_ended", "Dreams ended, by state: completed, partial, error, canceled, undone.", "state"),
    _histogram(
        "dream_duration_seconds", "Time from a dream's first claim to its end, in seconds.", DREAM_BUCKETS, "state"
    ),
    _histogram(
        "dream_recall_delta",
        "Share of answers that a dream gained; below 0 if it lost some. By kind of question: own (the store's own ones), said (what "
        "users asked in sessions), pair (facts of the memories), asked (what agents searched for).",
        RECALL_BUCKETS,
        "kind",
    ),
    _counter(
        "recall_unmeasured", "Dreams after which it failed to ask again what agents had searched for; the log says why."
    ),
    _counter(
        "recall_falls", "Dreams after which a search finds less, by reason: beyond_margin, three_in_a_row.", "reason"
    ),
    _counter("arms_sent_back", "Arms whose stores got their earlier settings back, because its dreams lost answers."),
    _counter("phases_ended", "Phases ended, by phase and state: done, skipped, partial, failed.", "phase", "state"),
    _counter(
        "recalls",
        "Reads of memories, by outcome: counted, or lost because the count could not be written in time.",
        "outcome",
    ),
    _counter(
        "searches_noted",
        "Searches, reads and outcomes noted for the log of searches, by outcome: written, unwanted (the store keeps no log, or is "
        "gone), or lost because the buffer was full or the database did not take them.",
        "outcome",
    ),
    _counter(
        "refusals", "Dreams refused, by the gate that was shut; `unknown`: there is no such tenant or store.", "gate"
    ),
    _counter(
        "requests",
        "Requests to API, console and MCP, by method, route (its template) and status class; without probes.",
        "method",
        "route",
        "status",
    ),
    _histogram(
        "request_seconds",
        "Time to the first byte of the answer to a request, in seconds, by method and route.",
        REQUEST_BUCKETS,
        "method",
        "route",
    ),
    _counter(
        "api_refusals", "Requests refused, by surface (api, v1, console, other) and HTTP status.", "surface", "status"
    ),
    _counter("reserved_paths", "Writes of agents refused because hosts load or run what lies at the path."),
    _counter(
        "paced_requests",
        "Requests that waited because their tenant's long requests had used up its share while other tenants had requests, too.",
    ),
    _counter(
        "statements_cut",
        "Statements canceled at a time limit, by work (request, task, sweep, purge) and limit (statement, lock).",
        "work",
        "limit",
    ),
    _counter(
        "database_refusals",
        "Transactions that PostgreSQL refused or did not answer, by why (read_only, disk_full, out_of_connections, silent, …).",
        "why",
    ),
    _counter(
        "pool_waits",
        "Waits for a database connection because all connections of the process were in use, by work.",
        "work",
    ),
    _counter("pool_wait_seconds", "Time spent waiting for a database connection, in seconds, by work.", "work"),
    _counter("redactions", "Memory versions whose text was redacted on request."),
    _counter("forgotten", "Requests to forget that were carried out, by what: text, memory, session, person.", "what"),
    _counter("forgotten_left_out", "Texts that came in again after they were forgotten, and were left out."),
    _counter("lost_leases", "Leases that were lost to another worker, by where this was detected.", "where"),
    _counter("rescues", "Dreams taken over from a worker that stopped its heartbeat."),
    _counter("rescues_spent", "Dreams ended because they reached the rescue limit."),
    _counter(
        "snoozes", "Dreams snoozed, by reason: rate_limited, agent_busy, lock_held, batched, database_refuses.", "why"
    ),
    _counter("batches", "Message Batches, by outcome: created, ended, refused, rate_limited, adopted.", "outcome"),
    _counter("tasks_failed", "Celery tasks that ended with an unexpected error, by task.", "task"),
    _counter(
        "duplicate_deliveries", "Messages that the broker delivered twice, by task: phase, finish, webhook.", "task"
    ),
    _counter(
        "spare_wakeups",
        "Messages for a dream that another message had already started. This is no fault: a duplicate is better than none.",
    ),
    _counter("model_calls", "Model calls, by outcome; `rate_limited` is HTTP 429.", "outcome"),
    _counter("model_answers_reused", "Answers that an evaluation had bought, and that a dream took for nothing."),
    _counter("model_calls_spared", "Model calls saved because a question was unchanged, by phase.", "phase"),
    _counter("questions_settled", "Questions to a person that a later change of a statement ended."),
    _counter("exams", "Exams of models, by result: passed, failed, not_taken.", "result"),
    _counter(
        "escalations",
        "Questions asked again of the better model, by phase and reason: unsure, no_answer.",
        "phase",
        "reason",
    ),
    _counter("model_tokens", "Tokens billed, by kind: input, output, cached, cache_write.", "kind"),
    _counter("model_cost_usd", "Cost of model calls, in US dollars."),
    _counter("vectors_made", "Embedding vectors of memories that were computed."),
    _counter("embedder_failures", "Failures of the embedder, by where: dream, search.", "where"),
    _counter("texts_not_embedded", "Texts that the embedder refused; only words find them."),
    _histogram("model_call_seconds", "Duration of model calls, in seconds.", CALL_BUCKETS),
    _counter("sweep_rows", "Rows found by sweeps, by sweep and outcome: acted, idle, failed.", "sweep", "outcome"),
    _counter(
        "secrets_masked",
        "Texts in which secrets were masked before they were stored, by where: memory, session, feedback, search, probes.",
        "where",
    ),
    _counter("secrets_refused", "Writes that a store refused because of a secret (secrets.action)."),
    _counter(
        "personal_data_masked",
        "Texts in which personal data was masked before they were stored, by where: memory, session, feedback, search, probes.",
        "where",
    ),
    _counter("personal_data_refused", "Writes that a store refused because of personal data (personal_data.action)."),
    _counter("purged_rows", "Rows purged by retention, by rule.", "rule"),
    _counter(
        "webhook_deliveries",
        "Attempts to deliver a webhook, by outcome: delivered, retried, failed, disabled.",
        "outcome",
    ),
    _counter("tenants_erased", "Tenants deleted with all their data."),
    _counter("stores_deleted", "Stores deleted with all their data."),
    _counter("sessions_deleted", "Sessions deleted by a person or a key; what retention deletes is counted apart."),
)

_BY_NAME = {metric.name: metric for metric in METRICS}


def get_metric(name: str, labels: Mapping[str, str]) -> Metric:
    """Return a metric. Raises ValueError for an unknown name or other labels, which is a mistake in the code."""
    metric = _BY_NAME.get(name)
    if metric is None or set(metric.labels) != set(labels):
        msg = f"shared/core/metrics.py has no metric {name} with the labels {sorted(labels)}"
        raise ValueError(msg)
    return metric
