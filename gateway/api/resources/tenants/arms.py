"""Compare arms: stores that try other settings, and what their dreams did."""

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from gateway.api.http.auth import Administrator
from gateway.api.http.paging import Page
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from shared.services.evaluation.arms import compare_arms

router = APIRouter(prefix="/api/arms", tags=["evaluations"], route_class=OneThreadRoute)


class ArmOut(BaseModel):
    """An arm over all its stores, and their dreams since they were put into it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "arm": "trial", "stores": 4, "dreams": 31, "measured": 22, "fell": 3, "found_before": 0.91, "found_after": 0.9,
                "mean": -0.008, "low": -0.021, "high": 0.004, "cost_usd": 1.62, "rejected_share": 0.03, "harms": False,
            }
        }
    )  # fmt: skip

    arm: str = Field(description="Its name; empty for the stores without an arm.")
    stores: int = Field(description="Number of its stores.")
    dreams: int = Field(description="Number of dreams that ended, without dry runs and upkeep.")
    measured: int = Field(description="Number of those that asked questions about the store.")
    fell: int = Field(description="Number of measured dreams that lost more than 2 in 100 of their answers.")
    found_before: float | None = Field(
        description="The part of the answers, 0 to 1, that a search found before the dreams; null without a measured dream."
    )
    found_after: float | None = Field(description="The same after the dreams.")
    mean: float = Field(description="The difference that one dream makes to that part, -1 to 1.")
    low: float = Field(description="The lower end of its 95 % interval, by bootstrap over stores.")
    high: float = Field(description="The upper end.")
    cost_usd: float = Field(description="What the dreams cost.")
    rejected_share: float | None = Field(
        description="The part of all changes, 0 to 1, that people rejected; null without changes."
    )
    harms: bool = Field(description="Whether its dreams have shown that it harms; then its stores are sent back.")


@router.get("", responses=answers(), summary="Compare arms")
def list_all(caller: Administrator) -> Page[ArmOut]:
    """List the arms of your stores by name, the stores without an arm first: dreams, recall, cost, rejected changes."""
    found = compare_arms(caller.ports.db, caller.tenant_id)
    return Page(data=[ArmOut.model_validate(asdict(one)) for one in found], next_cursor=None)
