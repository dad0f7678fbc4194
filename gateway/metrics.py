"""Collect all metrics for Prometheus: gauges are read at the scrape, counters are summed over the processes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.core import (
    Metric as Family,
)
from prometheus_client.registry import Collector

from gateway.in_time import Shared
from shared.adapters.redis.counters import RedisCounters, Series
from shared.core.errors import ServiceUnavailableError
from shared.core.metrics import METRICS, Metric, MetricKind
from shared.ports.database import Database, Measured
from shared.ports.installation import BudgetShare
from shared.ports.tenants import Cost, CostBy
from shared.services.budgets.use import find_highest_share
from shared.working import Work, doing

#: Prometheus waits 10 s for a scrape.
_DATABASE_SECONDS = 6.0
_SOURCE = "slowwave_source_up"
_BUDGET_SHARE = "slowwave_budget_share_used"
#: What `--by-tenant` adds. Its query returns the 1,000 most expensive tenants, so that series are bounded.
_OF_TENANTS: tuple[tuple[str, str, Callable[[Cost], float]], ...] = (
    ("slowwave_tenant_cost_usd", "Cost of a tenant's model calls of today (UTC), in US dollars.", lambda c: c.cost_usd),
    ("slowwave_tenant_model_calls", "A tenant's model calls of today (UTC).", lambda c: c.model_calls),
    ("slowwave_tenant_tokens", "Tokens billed to a tenant today (UTC).", lambda c: c.tokens),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """The values that a scrape reads from the database."""

    measured: list[Measured]
    highest_share: float
    costs: list[Cost]
    budgets: list[BudgetShare]


class SlowwaveCollector(Collector):
    """Reads all metrics at each scrape. The metrics of a server that does not answer are missing, and `slowwave_source_up` is 0.

    A scrape waits a few seconds for a database that hangs, and is answered without it.
    """

    def __init__(self, db: Database, counters: RedisCounters, *, by_tenant: bool = False) -> None:
        self._db = db
        self._counters = counters
        self._by_tenant = by_tenant
        self._reading = Shared(self._read_stored)

    def describe(self) -> list[Family]:
        """Return no metrics in advance, so that registering needs no server."""
        return []

    def collect(self) -> Iterator[Family]:
        """Yield every metric of the list, in its order; those without a value yet have no series."""
        reading = self._reading.ask()
        values = self._read_counters()
        stored: _Stored | None
        try:
            stored = reading.result(timeout=_DATABASE_SECONDS)
        except (TimeoutError, ServiceUnavailableError):
            stored = None
        values |= _values_of(stored)
        self._counters.record_scrape()
        for metric in METRICS:
            if metric.kind is MetricKind.HISTOGRAM:
                yield _histogram(metric, values)
            else:
                yield _plain(metric, values)
        if self._by_tenant and stored is not None:
            yield from _tenants_of(stored)

    def _read_counters(self) -> dict[Series, float]:
        summed = self._counters.find_all()
        up: dict[Series, float] = {(_SOURCE, (("source", "redis"),)): float(summed is not None)}
        return up if summed is None else up | summed | self._counters.find_broker_gauges()

    def _read_stored(self) -> _Stored:
        with doing(Work.REQUEST):  # Prometheus waits
            return _Stored(
                measured=self._db.sweeps.measure(),
                highest_share=find_highest_share(self._db),
                costs=self._db.installation.find_costs(1, CostBy.TENANT) if self._by_tenant else [],
                budgets=self._db.operators.find_budgets() if self._by_tenant else [],
            )


def _values_of(stored: _Stored | None) -> dict[Series, float]:
    if stored is None:
        return {(_SOURCE, (("source", "database"),)): 0.0}
    states = {(one.name, (("state", one.state),) if one.state else ()): one.value for one in stored.measured}
    return {(_SOURCE, (("source", "database"),)): 1.0, (_BUDGET_SHARE, ()): stored.highest_share} | states


def _tenants_of(stored: _Stored) -> Iterator[Family]:
    for name, text, read in _OF_TENANTS:
        family = GaugeMetricFamily(name, text, labels=["tenant"])
        for cost in stored.costs:
            family.add_metric([cost.name], read(cost))
        yield family
    text = "Share that is spent of a budget in dollars; without a store: of a tenant's."
    family = GaugeMetricFamily("slowwave_tenant_budget_share_used", text, labels=["tenant", "store", "period"])
    for budget in stored.budgets:
        family.add_metric([budget.tenant_id, budget.store, budget.period], budget.share)
    yield family


def render_metrics(db: Database, counters: RedisCounters, *, by_tenant: bool = False) -> str:
    """Return the text of a scrape."""
    return generate_latest(make_registry(db, counters, by_tenant=by_tenant)).decode()


def make_registry(db: Database, counters: RedisCounters, *, by_tenant: bool = False) -> CollectorRegistry:
    """Return a registry with slowwave's metrics and nothing of this process's own."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(SlowwaveCollector(db, counters, by_tenant=by_tenant))
    return registry


def _plain(metric: Metric, values: dict[Series, float]) -> Family:
    kind = GaugeMetricFamily if metric.kind is MetricKind.GAUGE else CounterMetricFamily
    family = kind(metric.name, metric.help, labels=metric.labels)
    if not metric.labels and metric.kind is MetricKind.COUNTER:
        family.add_metric([], values.get((metric.name, ()), 0.0))
        return family
    for (name, labels), value in sorted(values.items()):
        if name == metric.name:
            family.add_metric([dict(labels)[label] for label in metric.labels], value)
    return family


def _histogram(metric: Metric, values: dict[Series, float]) -> Family:
    family = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
    bounds = [*(f"{bound:g}" for bound in metric.buckets), "+Inf"]
    for (name, labels), total in sorted(values.items()):
        if name == f"{metric.name}_sum":
            buckets = [(bound, _bucket(metric, labels, bound, values)) for bound in bounds]
            family.add_metric([dict(labels)[label] for label in metric.labels], buckets, total)
    return family


def _bucket(metric: Metric, labels: tuple[tuple[str, str], ...], bound: str, values: dict[Series, float]) -> float:
    return values.get((f"{metric.name}_bucket", tuple(sorted([*labels, ("le", bound)]))), 0.0)
