"""The alerts that the console decides are those that Prometheus is shipped with."""

import pytest

from shared.core.alerts import ONLY_PROMETHEUS, RULES, decide_alerts
from shared.core.metrics import METRICS
from tests.unit.deploy.test_alerts import RULES as SHIPPED

NOW = 1_800_000_000.0
#: An installation in which nothing is wrong.
HEALTHY = {("slowwave_last_sweep_timestamp_seconds", ""): NOW - 5, ("slowwave_workers", ""): 2.0}
#: What makes each rule hold, just beyond its limit, beside what is just within it.
CASES = {
    "SlowwaveSweepStale": ({("slowwave_last_sweep_timestamp_seconds", ""): NOW - 61}, {}),
    "SlowwaveNoWorker": ({("slowwave_workers", ""): 0.0}, {("slowwave_workers", ""): 1.0}),
    "SlowwaveBacklogOld": (
        {("slowwave_oldest_due_age_seconds", ""): 3601.0},
        {("slowwave_oldest_due_age_seconds", ""): 3600.0},
    ),
    "SlowwaveRateLimited": (
        {("recent_calls", "ok"): 8.0, ("recent_calls", "rate_limited"): 1.0},
        {("recent_calls", "ok"): 9.0, ("recent_calls", "rate_limited"): 1.0},
    ),
    "SlowwaveDreamStuck": (
        {("slowwave_oldest_queued_dream_age_seconds", ""): 1801.0},
        {("slowwave_oldest_running_dream_age_seconds", ""): 1800.0},
    ),
    "SlowwavePartialRateHigh": (
        {("recent_dreams", "completed"): 8.0, ("recent_dreams", "error"): 3.0},
        {("recent_dreams", "error"): 10.0},  # too few to tell
    ),
    "SlowwaveStoresQuarantined": ({("slowwave_quarantined_stores", ""): 1.0}, {}),
    "SlowwavePendingMergesOld": ({("slowwave_oldest_pending_merge_age_seconds", ""): 8 * 86_400.0}, {}),
    "SlowwaveCostRunaway": ({("recent_cost_usd", ""): 20.5}, {("recent_cost_usd", ""): 20.0}),
    "SlowwaveBudgetNearlySpent": (
        {("slowwave_budget_share_used", ""): 0.81},
        {("slowwave_budget_share_used", ""): 0.8},
    ),
}


def test_every_shipped_alert_is_decided_here_or_said_to_be_prometheus_own() -> None:
    assert {rule.name for rule in RULES} | ONLY_PROMETHEUS == set(SHIPPED)
    assert not {rule.name for rule in RULES} & ONLY_PROMETHEUS
    assert set(CASES) == {rule.name for rule in RULES}


@pytest.mark.parametrize("name", CASES)
def test_a_rule_says_what_the_shipped_one_says_and_goes_by_its_limit(name: str) -> None:
    [mine] = [alert for alert in decide_alerts(HEALTHY, NOW) if alert.name == name]
    [rule] = [rule for rule in RULES if rule.name == name]
    shipped = SHIPPED[name]
    assert (mine.summary, mine.runbook) == (shipped["annotations"]["summary"], shipped["annotations"]["runbook"])
    assert mine.severity == shipped["labels"]["severity"]
    assert f"{rule.limit:g}" in shipped["expr"] or f"{rule.limit / 86_400:g} * 86400" in shipped["expr"]


@pytest.mark.parametrize("name", CASES)
def test_a_rule_holds_beyond_its_limit_and_not_at_it(name: str) -> None:
    beyond, within = CASES[name]
    holding = [alert.name for alert in decide_alerts(HEALTHY | beyond, NOW) if alert.holds]
    assert holding == [name]
    assert not [alert for alert in decide_alerts(HEALTHY | within, NOW) if alert.holds]


def test_the_gauges_of_the_rules_are_those_that_a_scrape_reads() -> None:
    known = {metric.name for metric in METRICS}
    asked = {name for beyond, _ in CASES.values() for name, _ in beyond if name.startswith("slowwave_")}
    assert asked <= known
