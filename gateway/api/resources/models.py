"""Show which of the models that a tenant's dreams ask have passed their exam."""

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field

from gateway.api.http.auth import Administrator
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.phases import find_exam_standings
from shared.core.exam.model import ExamResult, ExamStanding

router = APIRouter(prefix="/api/models", tags=["costs"], route_class=OneThreadRoute)


class ExamOut(BaseModel):
    """The result of an exam, or what a person set in its place."""

    passed: bool
    reason: str = Field(description="Why the model has not passed, or a person's reason.")
    duplicates_found: int
    duplicates_asked: int
    joined: int = Field(description="Pairs that must stay apart and were joined.")
    orders_followed: int
    taken_at: datetime
    expires_at: datetime | None = Field(description="Null: a person has set it, and it holds until there is another.")
    set_by_hand: bool
    tokens: int
    cost_usd: float


class ModelOut(BaseModel):
    """A model that dreams ask for merges."""

    model: str
    server: str = Field(description="The adapter and its address or region.", examples=["anthropic"])
    is_own: bool = Field(description="Whether the endpoint is the tenant's; otherwise tenants share it and its exam.")
    stores: list[str] = Field(description="The stores whose dreams ask it.")
    has_passed: bool = Field(description="Whether what it decides may be applied; otherwise it waits for a person.")
    standing: str = Field(description="The same in words, with the reason.", examples=["passed"])
    exam: ExamOut | None = Field(description="The result that holds; null: the next dream examines the model.")


class ModelsOut(BaseModel):
    """The models that a tenant's dreams ask for merges; none with the rules without a model."""

    data: list[ModelOut]


@router.get("", responses=answers(), summary="List models and their exams")
def list_models(caller: Administrator) -> ModelsOut:
    """Return the models that dreams over the tenant's stores ask, and whether each has passed its exam."""
    found = find_exam_standings(caller.ports.settings, caller.ports.db, caller.tenant_id)
    return ModelsOut(data=[_model_out(one) for one in found])


def _model_out(one: ExamStanding) -> ModelOut:
    return ModelOut(
        model=one.examined.model,
        server=one.examined.server,
        is_own=one.examined.is_own,
        stores=list(one.stores),
        has_passed=one.has_passed,
        standing=one.say(),
        exam=None if one.holding is None else _exam_out(one.holding),
    )


def _exam_out(result: ExamResult) -> ExamOut:
    return ExamOut(
        passed=result.passed,
        reason=result.reason,
        duplicates_found=result.grade.duplicates_found,
        duplicates_asked=result.grade.duplicates_asked,
        joined=result.grade.apart_joined,
        orders_followed=result.grade.orders_followed,
        taken_at=result.taken_at,
        expires_at=result.expires_at,
        set_by_hand=bool(result.set_by),
        tokens=result.tokens,
        cost_usd=result.cost_usd,
    )
