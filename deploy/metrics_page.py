"""Write docs/metrics.md from the list of metrics: `python -m deploy.metrics_page > docs/metrics.md`."""

import sys

from shared.core.metrics import METRICS, Metric

_HEAD = """# Metrics

`slowwave metrics` prints them once; `slowwave serve-metrics --port 9464` serves them at `/metrics`, and `slowwave up`
does so, too, when SLOWWAVE_METRICS_PORT is set. One such process is enough for an installation: gauges are read from
PostgreSQL and Redis at the scrape, through one function that goes by indexes whatever the number of tenants; counters
are summed over all workers, beats and commands in one hash of Redis (`slowwave:counters`). A counter that begins anew
after a flush is a restart to Prometheus, which `rate()` takes into account. What happens while Redis is away is not
counted; nothing waits for it.

No metric has a tenant label. The list is `shared/core/metrics.py`; this page is made from it by
`python -m deploy.metrics_page`, and a test compares the two.

| name | kind | labels | what it says |
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
