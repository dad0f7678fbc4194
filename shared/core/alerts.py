"""Alerts as the console shows them: the rules of deploy/prometheus/alerts.yaml, evaluated on current numbers.

A test compares names, sentences, severities, runbooks and limits with that file. Here an alert is active at once; Prometheus
first waits for as long as the rule says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

#: A gauge by its name and state: those of shared/core/metrics.py, and what is counted over a short time (`recent_…`).
Readings = Mapping[tuple[str, str], float]
#: These compare counters over time, or tell that nothing can be read; only Prometheus decides them.
ONLY_PROMETHEUS = frozenset(
    {
        "SlowwaveMetricsDown",
        "SlowwaveMetricsMissing",
        "SlowwaveQueueNotTaken",
        "SlowwaveRedisDown",
        "SlowwaveDatabaseDown",
        "SlowwaveArmSentBack",
        "SlowwaveDatabaseRefuses",
        "SlowwaveLostLeases",
        "SlowwaveRecallFell",
        "SlowwaveRescuesSpent",
        "SlowwaveWebhooksNotDelivered",
    }
)
_INCOMPLETE = ("partial", "error")
_FEW_DREAMS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A rule, whether it is active now, and the number that decides it; `unit` is seconds, share, dollars, or empty."""

    name: str
    summary: str
    severity: str
    runbook: str
    holds: bool
    value: float
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    name: str
    summary: str
    severity: str
    runbook: str
    limit: float
    read: Callable[[Readings, float], float]
    unit: str


def decide_alerts(readings: Readings, now: float) -> list[Alert]:
    """Return every rule that can be evaluated, active ones first. `now` is Unix time."""
    return sorted((_decide(rule, readings, now) for rule in RULES), key=lambda alert: not alert.holds)


def _decide(rule: _Rule, readings: Readings, now: float) -> Alert:
    value = rule.read(readings, now)
    return Alert(
        name=rule.name,
        summary=rule.summary,
        severity=rule.severity,
        runbook=f"deploy/runbooks/{rule.runbook}.md",
        holds=value > rule.limit,
        value=value,
        unit=rule.unit,
    )


def _gauge(name: str) -> Callable[[Readings, float], float]:
    return lambda readings, _: readings.get((f"slowwave_{name}", ""), 0.0)


def _seconds_without_sweep(readings: Readings, now: float) -> float:
    return now - readings.get(("slowwave_last_sweep_timestamp_seconds", ""), 0.0)


def _has_no_worker(readings: Readings, now: float) -> float:
    del now
    return float(readings.get(("slowwave_workers", ""), 0.0) == 0)


def _share(readings: Readings, name: str, states: tuple[str, ...], least: float) -> float:
    """Return the share of these states among all; 0 while there are not more than `least`."""
    total = sum(value for (of, _), value in readings.items() if of == name)
    return sum(readings.get((name, state), 0.0) for state in states) / total if total > least else 0.0


RULES: tuple[_Rule, ...] = (
    _Rule(
        name="SlowwaveSweepStale",
        summary="No sweep has run for a minute",
        severity="page",
        runbook="sweep-stale",
        limit=60,
        read=_seconds_without_sweep,
        unit="seconds",
    ),
    _Rule(
        name="SlowwaveNoWorker",
        summary="No worker sends heartbeats",
        severity="page",
        runbook="worker-dead",
        limit=0,
        read=_has_no_worker,
        unit="",
    ),
    _Rule(
        name="SlowwaveBacklogOld",
        summary="A store has waited more than an hour for its check",
        severity="ticket",
        runbook="backlog-age-high",
        limit=3600,
        read=_gauge("oldest_due_age_seconds"),
        unit="seconds",
    ),
    _Rule(
        name="SlowwaveRateLimited",
        summary="More than a tenth of the model calls are answered with 429",
        severity="ticket",
        runbook="backlog-age-high",
        limit=0.1,
        read=lambda readings, _: _share(readings, "recent_calls", ("rate_limited",), 0),
        unit="share",
    ),
    _Rule(
        name="SlowwaveDreamStuck",
        summary="A dream has been queued or running for half an hour",
        severity="ticket",
        runbook="dream-stuck",
        limit=1800,
        read=lambda readings, now: max(
            _gauge(f"oldest_{state}_dream_age_seconds")(readings, now) for state in ("running", "queued")
        ),
        unit="seconds",
    ),
    _Rule(
        name="SlowwavePartialRateHigh",
        summary="More than a fifth of the dreams do not complete",
        severity="ticket",
        runbook="partial-rate-high",
        limit=0.2,
        read=lambda readings, _: _share(readings, "recent_dreams", _INCOMPLETE, _FEW_DREAMS),
        unit="share",
    ),
    _Rule(
        name="SlowwaveStoresQuarantined",
        summary="A store is in quarantine: too many of its dreams failed in a row, so no dream starts there",
        severity="ticket",
        runbook="store-quarantined",
        limit=0,
        read=_gauge("quarantined_stores"),
        unit="",
    ),
    _Rule(
        name="SlowwavePendingMergesOld",
        summary="A suggested merge has waited for a week",
        severity="ticket",
        runbook="pending-merges-growing",
        limit=7 * 86400,
        read=_gauge("oldest_pending_merge_age_seconds"),
        unit="seconds",
    ),
    _Rule(
        name="SlowwaveCostRunaway",
        summary="Model calls cost more than 20 dollars in an hour; set the limit to your budget",
        severity="page",
        runbook="cost-runaway",
        limit=20,
        read=lambda readings, _: readings.get(("recent_cost_usd", ""), 0.0),
        unit="dollars",
    ),
    _Rule(
        name="SlowwaveBudgetNearlySpent",
        summary="More than 80 % of a dollar budget is spent; once it is used up, dreams stop until the next day or month",
        severity="ticket",
        runbook="budget-nearly-spent",
        limit=0.8,
        read=_gauge("budget_share_used"),
        unit="share",
    ),
)
