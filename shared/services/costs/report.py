"""Report what a tenant's model calls cost: sums with forecasts, each day, and what was saved."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta

from shared.core.budgets.savings import Savings, sum_savings
from shared.core.tenants.forecast import Forecast
from shared.model_endpoint import find_tenant_prices
from shared.ports.database import Database
from shared.ports.tenants import Cost, CostBy, CostFilter, Day
from shared.services.tenants.forecast import CostLine, find_cost_lines
from shared.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class CostReport:
    """The cost of the last days.

    Attributes:
        lines: the sums, the most expensive first, with the forecast of the month.
        total: of all of them together.
        forecast: the month's, of all together.
        days: each day of the period, those without a call, too.
        savings: what was not paid.
    """

    lines: list[CostLine]
    total: Cost
    forecast: Forecast | None
    days: list[Day]
    savings: Savings


def get_cost_report(
    db: Database,
    tenant_id: str,
    *,
    days: int,
    by: CostBy,
    wanted: CostFilter,
    settings: Settings,
) -> CostReport:
    """Return the costs of a tenant's last days, at most 92. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        prices = find_tenant_prices(settings, uow.stores.get_tenant())
        today = uow.now().astimezone(UTC).date()

        def find(number: int, what: CostBy) -> list[Cost]:
            return uow.statistics.find_costs(number, what, wanted)

        lines = find_cost_lines(find, days, by, today)
        whole = find_cost_lines(find, days, CostBy.TENANT, today)
        by_day = {one.name: one for one in find(days, CostBy.DAY)}
        savings = sum_savings(*uow.statistics.find_saved(days, wanted), prices)
    return CostReport(
        lines=lines,
        total=whole[0].cost if whole else Cost(name=tenant_id, model_calls=0, tokens=0, cost_usd=0.0),
        forecast=whole[0].forecast if whole else None,
        days=[_day(today - timedelta(days=back), by_day) for back in reversed(range(days))],
        savings=savings,
    )


def _day(day: date, by_day: Mapping[str, Cost]) -> Day:
    cost = by_day.get(str(day))
    if cost is None:
        return Day(day=day)
    return Day(day=day, tokens=cost.tokens, cost_usd=cost.cost_usd, model_calls=cost.model_calls)
