"""Read costs: tokens and dollars of the last days, by tenant, store, model or day."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from gateway.api.http.auth import Administrator, Operator
from gateway.api.http.paging import Page
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from shared.ports.tenants import CostBy
from shared.services.budgets.use import find_month_budgets, find_month_budgets_of_all
from shared.services.tenants.forecast import CostLine, find_cost_lines

router = APIRouter(prefix="/api/costs", tags=["costs"], route_class=OneThreadRoute)
Days = Annotated[int, Query(ge=1, le=92, description="The number of days (UTC) up to today.")]
By = Annotated[CostBy, Query(description="How to group the sums.")]


class CostOut(BaseModel):
    """The model calls of one tenant, store, model or day, summed up."""

    name: str = Field(description="The tenant, `tenant/store`, the model, or the day.")
    model_calls: int
    tokens: int
    cost_usd: float = Field(description="0 for models without a known price.")
    month_usd: float | None = Field(
        None, description="Cost of this calendar month (UTC) so far; null for a day, or if a price is unknown."
    )
    month_end_usd: float | None = Field(
        None,
        description="Forecast of the month: cost so far, plus the mean of the last 7 full days for each day after today.",
    )
    month_budget_usd: float | None = Field(
        None, description="The monthly budget of the tenant or store, in dollars; null: no limit."
    )


@router.get("", responses=answers(), summary="Get your costs")
def mine(caller: Administrator, by: By = CostBy.STORE, days: Days = 30) -> Page[CostOut]:
    """List the costs of your model calls, the most expensive first, at most 1,000."""
    with caller.ports.db.transaction(caller.tenant_id) as uow:
        budgets, today = find_month_budgets(uow), uow.now().astimezone(UTC).date()
        return _page(find_cost_lines(uow.statistics.find_costs, days, by, today, budgets))


@router.get("/all", responses=answers(), summary="Get the costs of all tenants")
def of_all(caller: Operator, by: By = CostBy.TENANT, days: Days = 30) -> Page[CostOut]:
    """List the costs of all tenants' model calls, the most expensive first, at most 1,000."""
    db, today = caller.ports.db, datetime.now(UTC).date()
    return _page(find_cost_lines(db.installation.find_costs, days, by, today, find_month_budgets_of_all(db)))


def _page(found: list[CostLine]) -> Page[CostOut]:
    return Page(data=[_out(line) for line in found], next_cursor=None)


def _out(line: CostLine) -> CostOut:
    cost, forecast = line.cost, line.forecast
    return CostOut(
        name=cost.name,
        model_calls=cost.model_calls,
        tokens=cost.tokens,
        cost_usd=cost.cost_usd,
        month_usd=None if forecast is None else forecast.month_usd,
        month_end_usd=None if forecast is None else forecast.month_end_usd,
        month_budget_usd=line.month_budget_usd,
    )
