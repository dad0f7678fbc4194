"""Write docs/metrics.md from the list of metrics: `python -m deploy.pages.metrics > docs/metrics.md`."""

import sys

from shared.core.metrics import METRICS, Metric

_HEAD = """# Metrics

`slowwave metrics` prints the metrics once; `slowwave serve-metrics --port 9464` serves them at `/metrics`, and so does
`slowwave up` if SLOWWAVE_METRICS_PORT is set. One such process is enough for an installation. Gauges are read from PostgreSQL
and Redis at each scrape, through one database function that uses indexes for any number of tenants. Counters are summed over
all workers, beats and commands in one Redis hash (`slowwave:counters`). To Prometheus a flush of Redis looks like a counter reset, which
`rate()` handles. Events during an outage of Redis are not counted, and nothing blocks on it.

`deploy/prometheus` has a configuration for Prometheus and the alerts, each with its [runbook](../deploy/runbooks/README.md), and
`deploy/systemd/slowwave-serve-metrics.service` is a unit. Name the Prometheus job `slowwave`: two alerts depend on that name. They fire
when the metrics cannot be read, because no other alert can fire then. `slowwave probe metrics` checks the process itself,
without a scrape. Tests provoke every alert in Debian's Prometheus: it fires while the fault lasts, and clears afterwards.

No metric in the list has a tenant label. `metrics --by-tenant` and `serve-metrics --by-tenant` add gauges with one, for the
thousand tenants that cost most today: `slowwave_tenant_cost_usd`, `slowwave_tenant_model_calls` and `slowwave_tenant_tokens`, and
`slowwave_tenant_budget_share_used` for the thousand most used budgets in dollars. They are off by default, because they expose your
customers' names to Prometheus. The list is in `shared/core/metrics.py`; `python -m deploy.pages.metrics` generates this page from it, and a
test compares the two.

| name | kind | labels | meaning |
|---|---|---|---|
"""


def render_page() -> str:
    """Return the page."""
    return _HEAD + "".join(map(_row, METRICS))


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{label}`" for label in metric.labels)
    return f"| `{metric.name}` | {metric.kind} | {labels} | {metric.help} |\n"


if __name__ == "__main__":
    sys.stdout.write(render_page())
