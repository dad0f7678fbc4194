"""Read who spends: tokens and dollars of the last days, by tenant, store, model or day."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from gateway.api.http.auth import Administrator, Operator
from gateway.api.http.paging import Page
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from shared.ports.tenants import Cost, CostBy

router = APIRouter(prefix="/api/costs", tags=["costs"], route_class=OneThreadRoute)
Days = Annotated[int, Query(ge=1, le=92, description="So many days (UTC), today the last one.")]
By = Annotated[CostBy, Query(description="What is summed up.")]


class CostOut(BaseModel):
    """What the model calls of one tenant, store, model or day came to."""

    name: str = Field(description="The tenant, `tenant/store`, the model, or the day.")
    model_calls: int
    tokens: int
    cost_usd: float = Field(description="0 for models without a known price.")


@router.get("", responses=answers(), summary="Get your costs")
def mine(caller: Administrator, by: By = CostBy.STORE, days: Days = 30) -> Page[CostOut]:
    """List what your model calls came to, the dearest first, at most 1,000."""
    with caller.ports.db.transaction(caller.tenant_id) as uow:
        return _page(uow.statistics.find_costs(days, by))


@router.get("/all", responses=answers(), summary="Get the costs of all tenants")
def of_all(caller: Operator, by: By = CostBy.TENANT, days: Days = 30) -> Page[CostOut]:
    """List what the model calls of all tenants came to, the dearest first, at most 1,000."""
    return _page(caller.ports.db.installation.find_costs(days, by))


def _page(found: list[Cost]) -> Page[CostOut]:
    shown = [
        CostOut(name=one.name, model_calls=one.model_calls, tokens=one.tokens, cost_usd=one.cost_usd) for one in found
    ]
    return Page(data=shown, next_cursor=None)
