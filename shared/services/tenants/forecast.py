"""Sum up the cost of model calls, each line with the forecast of its calendar month."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from shared.core.tenants.forecast import LOOK_BACK_DAYS, Forecast, forecast_month
from shared.ports.tenants import Cost, CostBy

#: Returns the costs of the last days, today the last one.
FindCosts = Callable[[int, CostBy], list[Cost]]
#: What can have a budget; a model may have the name of a tenant.
_BOUNDED = frozenset({CostBy.TENANT, CostBy.STORE})
_NO_BUDGETS: Mapping[str, float] = {}
_UNKNOWN = Forecast(month_usd=None, month_end_usd=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """A cost, the forecast of its month (except for a day), and the month's budget in dollars, if there is one."""

    cost: Cost
    forecast: Forecast | None
    month_budget_usd: float | None = None


def find_cost_lines(
    find: FindCosts, days: int, by: CostBy, today: date, budgets: Mapping[str, float] = _NO_BUDGETS
) -> list[CostLine]:
    """Return the costs of the last days, the most expensive first, with forecasts by tenant, store or model.

    `budgets` are those of a month by tenant and `tenant/store`.
    """
    found = find(days, by)
    if by is CostBy.DAY or not found:
        return [CostLine(cost=one, forecast=None) for one in found]
    of_month, since, of_today = (
        {one.name: one for one in find(number, by)} for number in (today.day, LOOK_BACK_DAYS + 1, 1)
    )
    return [
        CostLine(
            cost=one,
            forecast=_forecast(of_month.get(one.name), since.get(one.name), of_today.get(one.name), today),
            month_budget_usd=budgets.get(one.name) if by in _BOUNDED else None,
        )
        for one in found
    ]


def _forecast(of_month: Cost | None, since: Cost | None, of_today: Cost | None, today: date) -> Forecast:
    """Return the forecast of one name; None stands for no call in that time."""
    if any(one is not None and one.tokens and not one.cost_usd for one in (of_month, since)):
        return _UNKNOWN
    last_days = _usd(since) - _usd(of_today)
    return forecast_month(_usd(of_month), max(0.0, last_days), today)


def _usd(cost: Cost | None) -> float:
    return 0.0 if cost is None else cost.cost_usd
