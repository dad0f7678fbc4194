"""Estimate the cost of a dream before it starts, with each model."""

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
Force = Annotated[bool, Query(description="Estimate a forced dream, which also repeats unchanged questions.")]


class PhaseEstimateOut(BaseModel):
    """The questions that a phase would ask."""

    phase: str
    model: str
    better_model: str | None = Field(description="The model that is asked again if an answer is uncertain.")
    questions: int
    spared: int = Field(description="Questions that are skipped because they have not changed.")
    prompt_tokens: int = Field(
        description="Counted as for budgets; includes the repairs to expect from earlier dreams."
    )
    output_tokens: int = Field(description="Extrapolated from the store's last answers, or from the usual ratio.")
    has_history: bool = Field(description="Whether the store has answers to extrapolate from.")


class ModelCostOut(BaseModel):
    """The cost of a dream with one choice of models; null if a price is unknown."""

    model: str
    cost_usd: float | None
    batch_usd: float | None = Field(description="The cost in Message Batches.")


class EstimateOut(BaseModel):
    """The questions that a dream over a store would ask now, and their cost."""

    phases: list[PhaseEstimateOut]
    idle: dict[str, str] = Field(description="Why each other phase would ask no questions.")
    configured: ModelCostOut = Field(description="With the configured models, including the better one.")
    models: list[ModelCostOut] = Field(description="With one model for all phases, for each model of known price.")


@router.get("/{store}/estimate", responses=answers(), summary="Estimate what a dream would cost")
def estimate(store: StoreName, caller: Administrator, *, force: Force = False) -> EstimateOut:
    """Return the questions and the cost of a dream over the store now. Nothing is written, and no model is asked."""
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
