"""The list of metrics: what alerts and dashboards may rely on, and what a count may not carry."""

import re

import pytest

from deploy.pages.metrics import render_page
from shared.core.metrics import METRICS, MetricKind, get_metric
from shared.counting import count, observe, send_counts_to, stop_counting
from tests.architecture.sources import ROOT, name_of, tracked


class Sink:
    """Adds up in memory."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}

    def add(self, series: dict[tuple[str, tuple[tuple[str, str], ...]], float]) -> None:
        for key, amount in series.items():
            self.sums[key] = self.sums.get(key, 0) + amount


def test_no_metric_tells_tenants_apart() -> None:
    assert not {label for metric in METRICS for label in metric.labels} & {"tenant", "tenant_id", "store", "dream"}


def test_names_are_slowwaves_own_and_counters_end_in_total() -> None:
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    for metric in METRICS:
        assert re.fullmatch(r"slowwave_[a-z_]+", metric.name)
        assert (metric.kind is MetricKind.COUNTER) == metric.name.endswith("_total")
        assert (metric.kind is MetricKind.HISTOGRAM) == bool(metric.buckets)


def test_the_page_of_metrics_is_the_list() -> None:
    assert (ROOT / "docs" / "metrics.md").read_text() == render_page()


def test_every_metric_that_the_code_counts_is_in_the_list_and_every_counter_is_counted() -> None:
    code = "\n".join(
        path.read_text()
        for path in tracked(".py")
        if name_of(path).startswith(("shared/", "workers/", "scheduler/", "gateway/"))
    )
    counted = set(re.findall(r'(?:count|observe)\(\s*"(slowwave_[a-z_]+)"', code))
    assert counted == {metric.name for metric in METRICS if metric.kind is not MetricKind.GAUGE}


def test_a_label_that_the_list_does_not_have_is_refused_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="tenant"):
        count("slowwave_refusals_total", gate="time", tenant="acme")
    with pytest.raises(ValueError, match="slowwave_unheard_of"):
        get_metric("slowwave_unheard_of", {})


def test_a_value_falls_into_every_bucket_that_is_wide_enough() -> None:
    sink = Sink()
    send_counts_to(sink)
    try:
        observe("slowwave_dream_duration_seconds", 20.0, state="completed")
    finally:
        stop_counting(sink)
    bounds = {dict(labels)["le"] for name, labels in sink.sums if name.endswith("_bucket")}
    assert bounds == {"30", "60", "120", "300", "600", "+Inf"}
    assert sink.sums["slowwave_dream_duration_seconds_sum", (("state", "completed"),)] == 20.0


def test_without_a_sink_counting_does_nothing() -> None:
    sink = Sink()
    send_counts_to(sink)
    stop_counting(sink)
    count("slowwave_rescues_total")
    assert sink.sums == {}
