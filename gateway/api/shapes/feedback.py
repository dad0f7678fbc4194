"""Feedback and workflow runs as JSON."""

from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from shared.core.feedback import (
    MAX_NAME_CHARS,
    MAX_STEPS,
    MAX_TEXT_CHARS,
    Feedback,
    FeedbackKind,
    NewFeedback,
    NewRun,
    Rating,
    RunOutcome,
    WorkflowRun,
)

MAX_BATCH = 100
ShortText = Annotated[str, Field(max_length=MAX_NAME_CHARS, pattern=r"^[^\x00]*$")]
LongText = Annotated[str, Field(max_length=MAX_TEXT_CHARS, pattern=r"^[^\x00]*$")]
_FEEDBACK: JsonDict = {
    "feedback": [{"kind": "correction", "text": "No, the token lives an hour.", "external_id": "msg-17"}]
}
_RUNS: JsonDict = {
    "runs": [
        {
            "description": "Deploy the page",
            "outcome": "failure",
            "classification": "timeout",
            "steps": ["build", "push"],
        }
    ]
}


class FeedbackIn(BaseModel):
    """What was said. An `external_id` that the store has already makes it the same feedback."""

    model_config = ConfigDict(extra="forbid")

    kind: FeedbackKind
    text: LongText = ""
    rating: Rating = Field(Rating.NONE, description="Of a session_summary, which needs one.")
    about: ShortText = Field("", description="A domain, or a tool's name.")
    skill: ShortText = Field("", description="The skill that it is about.")
    session: ShortText = Field("", description="The host's id of the session.")
    external_id: ShortText = Field("", description="The host's id of it: the same id is recorded once.")
    at: AwareDatetime | None = Field(None, description="When; now if left out.")


class FeedbackBatch(BaseModel):
    """Feedback that is recorded together, all of it or nothing."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _FEEDBACK})

    feedback: list[FeedbackIn] = Field(min_length=1, max_length=MAX_BATCH)


class RunIn(BaseModel):
    """What a workflow came to."""

    model_config = ConfigDict(extra="forbid")

    description: LongText = Field(min_length=1, description="What was to be done.")
    outcome: RunOutcome
    steps: list[ShortText] = Field(default_factory=list, max_length=MAX_STEPS)
    classification: ShortText = Field("", description="The kind of failure, such as `timeout`.")
    error: LongText = ""
    skills: list[ShortText] = Field(default_factory=list, max_length=MAX_STEPS)
    session: ShortText = Field("", description="The host's id of the session.")
    external_id: ShortText = Field("", description="The host's id of it: the same id is recorded once.")
    at: AwareDatetime | None = Field(None, description="When; now if left out.")


class RunBatch(BaseModel):
    """Runs that are recorded together, all of them or none."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _RUNS})

    runs: list[RunIn] = Field(min_length=1, max_length=MAX_BATCH)


class RecordedOut(BaseModel):
    """What became of a batch."""

    added: int
    known: int = Field(description="How many were there already, by their `external_id`.")


class FeedbackOut(BaseModel):
    """Feedback as it is stored."""

    id: str
    external_id: str
    kind: FeedbackKind
    text: str
    rating: Rating
    about: str
    skill: str
    session: str
    at: datetime
    used_by: str | None = Field(description="The dream that has made use of it.")


class RunOut(BaseModel):
    """A workflow run as it is stored."""

    id: str
    external_id: str
    description: str
    outcome: RunOutcome
    steps: list[str]
    classification: str
    error: str
    skills: list[str]
    session: str
    at: datetime
    used_by: str | None = Field(description="The dream that has learnt from it.")


def new_feedback(body: FeedbackIn) -> NewFeedback:
    """Return feedback to be recorded."""
    return NewFeedback(
        kind=body.kind,
        text=body.text,
        rating=body.rating,
        subject=body.about,
        skill=body.skill,
        session=body.session,
        external_id=body.external_id,
        occurred_at=body.at,
    )


def new_run(body: RunIn) -> NewRun:
    """Return a run to be recorded."""
    return NewRun(
        description=body.description,
        steps=tuple(body.steps),
        outcome=body.outcome,
        classification=body.classification,
        error=body.error,
        skills=tuple(body.skills),
        session=body.session,
        external_id=body.external_id,
        occurred_at=body.at,
    )


def feedback_out(one: Feedback) -> FeedbackOut:
    """Return feedback as JSON."""
    names = ("id", "external_id", "kind", "text", "rating", "skill", "session")
    plain = {name: getattr(one, name) for name in names}
    return FeedbackOut(**plain, about=one.subject, at=one.occurred_at, used_by=one.consumed_by)


def run_out(one: WorkflowRun) -> RunOut:
    """Return a workflow run as JSON."""
    names = ("id", "external_id", "description", "outcome", "classification", "error", "session")
    plain = {name: getattr(one, name) for name in names}
    return RunOut(**plain, steps=list(one.steps), skills=list(one.skills), at=one.occurred_at, used_by=one.consumed_by)
