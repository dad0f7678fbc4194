"""Define the JSON shapes of evaluations."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.shapes.evaluation_report import SENTENCE, EvaluationReportOut
from gateway.evaluation.formats import evaluation_json
from shared.core.evaluation.model import (
    MAX_DREAMS,
    MAX_KEPT_PROBES,
    MAX_MODEL_CHARS,
    MAX_REPEATS,
    MAX_USD,
    Evaluation,
    EvaluationState,
)
from shared.core.evaluation.verdict import Word

_MAX_PHASES = 50
#: Less than the command line takes: a body is bounded before it is parsed.
_MAX_QUOTES, _MAX_CHARS, _MAX_GROUP_CHARS = 5, 1_000, 200
Quote = Annotated[str, Field(min_length=1, max_length=_MAX_CHARS)]


class ProbeIn(BaseModel):
    """A question of your own."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {"question": "How long is a refund possible?", "evidence": "refunds within 30 days"}
        },
    )

    question: str = Field(min_length=1, max_length=_MAX_CHARS, description="What an agent would ask.")
    evidence: Quote | Annotated[list[Quote], Field(max_length=_MAX_QUOTES)] = Field(
        description="A quote of what answers it, or several, each a question of its own."
    )
    group: str | None = Field(
        None, min_length=1, max_length=_MAX_GROUP_CHARS, description="Questions that hang together have one group."
    )


class ProbesIn(BaseModel):
    """All questions of its own that a store is to keep."""

    model_config = ConfigDict(extra="forbid")

    probes: list[ProbeIn] = Field(max_length=MAX_KEPT_PROBES, description="An empty list deletes those that it keeps.")


class ProbeOut(BaseModel):
    """A question of its own that a store keeps."""

    question: str = Field(description="What an agent would ask.", examples=["How long is a refund possible?"])
    evidence: list[str] = Field(description="The quotes of what answers it.", examples=[["refunds within 30 days"]])
    group: str | None = Field(None, description="Questions that hang together have one group.")


class ProbesOut(BaseModel):
    """The questions of its own that a store keeps, in their order."""

    probes: list[ProbeOut] = Field(description="At most 200 questions.")


class EvaluationIn(BaseModel):
    """The dreams to try on copies of the store."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"ablate": True, "max_usd": 1.0}})

    profile: str | None = Field(
        None, max_length=100, description="The profile to dream with; null for the store's own."
    )
    model: str | None = Field(
        None,
        max_length=MAX_MODEL_CHARS,
        description="The model to dream with, or `offline` for the rules without one; null for the store's own.",
    )
    without: list[Annotated[str, Field(max_length=100)]] = Field(
        [], max_length=_MAX_PHASES, description="Phases to leave out.", examples=[[]]
    )
    ablate: bool = Field(False, description="Also dream once without each optional phase.")
    dreams: int = Field(1, ge=1, le=MAX_DREAMS, description="So many dreams in a row.")
    repeats: int | None = Field(
        None, ge=1, le=MAX_REPEATS, description="So many copies dream alike; null: 3 with a model, 1 without."
    )
    max_usd: float = Field(1.0, ge=0, le=MAX_USD, description="All its dreams together cost at most so many dollars.")
    probes: list[ProbeIn] = Field(
        [], max_length=MAX_KEPT_PROBES, description="Questions of your own; without any, those that the store keeps."
    )


class EvaluationOut(BaseModel):
    """One evaluation: what dreams would do to a store, tried on copies of it."""

    id: str = Field(examples=["eval_01JD0000000000000000000000"])
    store: str
    state: EvaluationState
    verdict: Word | None = Field(description="The effect of dreaming in a word; null without a report.")
    sentence: str | None = Field(description="The verdict as a sentence; null without a report.", examples=[SENTENCE])
    progress: str = Field(description="What it is doing.", examples=["dreams over copy 1 of 1"])
    reason: str = Field(description="Why it failed; empty otherwise.", examples=[""])
    profile: str | None = Field(description="The profile it was ordered with; null for the store's own.")
    model: str | None = Field(description="The model it was ordered with; null for the store's own.")
    without: list[str] = Field(description="Phases that were left out.", examples=[[]])
    ablate: bool = Field(description="Whether it also dreams once without each optional phase.")
    dreams: int = Field(description="Number of dreams in a row.")
    max_usd: float = Field(description="What all its dreams together cost at most.")
    own_probes: int = Field(description="Number of your own questions: sent with it, or kept by the store.")
    terms: str = Field(
        description="The hash of what decides the verdict, stored before anything was measured; empty until then.",
        examples=["0123456789abcdef"],
    )
    cost_usd: float = Field(description="What its dreams have cost.")
    created_at: datetime
    finished_at: datetime | None = Field(description="When it ended; null until then.")


class EvaluationDetail(EvaluationOut):
    """One evaluation with its report."""

    report: EvaluationReportOut | None = Field(
        description="Everything that it found: docs/evaluate.md. Null until it is done."
    )


class LastEvaluation(BaseModel):
    """The last evaluation of a store."""

    evaluation: EvaluationOut | None = Field(description="Null: the store has not been evaluated.")


def evaluation_out(evaluation: Evaluation) -> EvaluationOut:
    """Return an evaluation as JSON, without its report."""
    return EvaluationOut.model_validate(evaluation_json(evaluation))


def evaluation_detail(evaluation: Evaluation) -> EvaluationDetail:
    """Return an evaluation as JSON, with its report."""
    return EvaluationDetail.model_validate(evaluation_json(evaluation))


def own_probes(probes: list[ProbeIn]) -> tuple[Mapping[str, object], ...]:
    """Return the questions as an order has them."""
    return tuple(one.model_dump(exclude_none=True) for one in probes)
