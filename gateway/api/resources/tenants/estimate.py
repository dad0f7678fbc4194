"""Say before a dream what it would cost, with each model."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from gateway.api.http.auth import Administrator
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.phases import estimate_dream
from shared.core.questions.estimate import DreamEstimate, ModelCost, PhaseEstimate

router = APIRouter(prefix="/api/stores", tags=["costs"], route_class=OneThreadRoute)
Force = Annotated[bool, Query(description="Of a forced dream, which asks again what has not changed.")]


class PhaseEstimateOut(BaseModel):
    """The questions that a phase would ask."""

    phase: str
    model: str
    better_model: str | None = Field(description="Is asked again where an answer is in doubt.")
    questions: int
    spared: int = Field(description="Questions that read as they did last time, and are not asked.")
    prompt_tokens: int = Field(
        description="Counted as budgets do, with the repairs that earlier dreams lead to expect."
    )
    output_tokens: int = Field(description="Expected by the store's last answers, or by the usual share.")
    has_history: bool = Field(description="Whether the store has such answers.")


class ModelCostOut(BaseModel):
    """The cost of a dream with one choice of models; null where a price is not known."""

    model: str
    cost_usd: float | None
    batch_usd: float | None = Field(description="In Message Batches.")


class EstimateOut(BaseModel):
    """The questions that a dream over a store would ask now, and their cost."""

    phases: list[PhaseEstimateOut]
    idle: dict[str, str] = Field(description="Why the other phases would ask no questions.")
    configured: ModelCostOut = Field(description="With the models that are set, the better one included.")
    models: list[ModelCostOut] = Field(description="With one model for all phases, each whose price is known.")


@router.get("/{store}/estimate", responses=answers(), summary="Estimate what a dream would cost")
def estimate(store: StoreName, caller: Administrator, *, force: Force = False) -> EstimateOut:
    """Return what a dream over the store would ask and cost now. Nothing is written, and no model is asked."""
    return estimate_out(estimate_dream(caller.ports, caller.tenant_id, store, force=force))


def estimate_out(found: DreamEstimate) -> EstimateOut:
    """Return an estimate as JSON."""
    return EstimateOut(
        phases=[_phase_out(one) for one in found.phases],
        idle=dict(found.idle),
        configured=_cost_out(found.configured),
        models=[_cost_out(one) for one in found.models],
    )


def _phase_out(one: PhaseEstimate) -> PhaseEstimateOut:
    return PhaseEstimateOut(
        phase=one.phase,
        model=one.model,
        better_model=one.better_model or None,
        questions=len(one.prompts),
        spared=one.spared,
        prompt_tokens=one.prompt_tokens,
        output_tokens=one.answer_tokens,
        has_history=one.has_history,
    )


def _cost_out(one: ModelCost) -> ModelCostOut:
    return ModelCostOut.model_validate(one, from_attributes=True)
