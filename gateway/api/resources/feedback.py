"""Record and list a store's feedback and workflow runs, from which dreams learn beside transcripts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, TypeVar

from fastapi import APIRouter, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from gateway.api.http.auth import Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.noted import note_told
from gateway.api.http.paging import Cursor, Limit, Page, encode_cursor, find_within, place_of, read_place
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from shared.core.learning.feedback import (
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
from shared.ports.api_lists import Place
from shared.services.sessions.feedback import find_feedback, find_workflow_runs, record_feedback, record_workflow_runs

MAX_BATCH = 100
_FIRST = 50  # a run with every step takes at most 320 kB
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
    """One piece of feedback. Feedback with a repeated `external_id` is recorded once."""

    model_config = ConfigDict(extra="forbid")

    kind: FeedbackKind
    text: LongText = ""
    rating: Rating = Field(Rating.NONE, description="The rating; required for a `session_summary`.")
    about: ShortText = Field(
        "", description="The subject: the path or id of the wrong memory, a domain, or the name of a tool."
    )
    skill: ShortText = Field("", description="The skill in question.")
    session: ShortText = Field("", description="The host's id of the session.")
    external_id: ShortText = Field("", description="The host's own id; the same id is recorded once.")
    at: AwareDatetime | None = Field(None, description="When it happened; default: now.")


class FeedbackBatch(BaseModel):
    """Feedback recorded in one transaction."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _FEEDBACK})

    feedback: list[FeedbackIn] = Field(min_length=1, max_length=MAX_BATCH)


class RunIn(BaseModel):
    """One run of a workflow."""

    model_config = ConfigDict(extra="forbid")

    description: LongText = Field(min_length=1, description="The task.")
    outcome: RunOutcome
    steps: list[ShortText] = Field(default_factory=list, max_length=MAX_STEPS)
    classification: ShortText = Field("", description="The kind of failure, such as `timeout`.")
    error: LongText = ""
    skills: list[ShortText] = Field(default_factory=list, max_length=MAX_STEPS)
    session: ShortText = Field("", description="The host's id of the session.")
    external_id: ShortText = Field("", description="The host's own id; the same id is recorded once.")
    at: AwareDatetime | None = Field(None, description="When it happened; default: now.")


class RunBatch(BaseModel):
    """Workflow runs recorded in one transaction."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _RUNS})

    runs: list[RunIn] = Field(min_length=1, max_length=MAX_BATCH)


class RecordedOut(BaseModel):
    """The result of a batch."""

    added: int
    known: int = Field(description="Number of items whose `external_id` was already recorded.")
    masked: list[str] = Field(default=[], description="The kinds of what was masked in the texts of this request.")


class FeedbackOut(BaseModel):
    """Stored feedback."""

    id: str
    external_id: str
    kind: FeedbackKind
    text: str
    rating: Rating
    about: str
    skill: str
    session: str
    at: datetime
    used_by: str | None = Field(description="The dream that used it, or null.")


class RunOut(BaseModel):
    """A stored workflow run."""

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
    used_by: str | None = Field(description="The dream that learnt from it, or null.")


def new_feedback(body: FeedbackIn) -> NewFeedback:
    """Return the feedback to record."""
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
    """Return the workflow run to record."""
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


Kept = TypeVar("Kept", Feedback, WorkflowRun)


def _page(
    find: Callable[[Place | None, int], Sequence[Kept]],
    cursor: str | None,
    limit: int,
    *,
    size_of: Callable[[Kept], int],
) -> tuple[list[Kept], str | None]:
    """Return one page, which ends early if its texts are long, and the next cursor."""
    shown, is_more = find_within(
        find, read_place(cursor), limit, size_of=size_of, place=lambda one: (one.occurred_at, one.id), first=_FIRST
    )
    return shown, encode_cursor(place_of(shown[-1].occurred_at, shown[-1].id)) if is_more else None


router = APIRouter(prefix="/api/stores/{store}", tags=["feedback"], route_class=OneThreadRoute)


@router.get("/feedback", responses=answers(), summary="List feedback")
def list_feedback(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[FeedbackOut]:
    """List feedback, newest first, each with the dream that used it."""

    def find(start_after: Place | None, wanted: int) -> list[Feedback]:
        return find_feedback(caller.ports.db, caller.tenant_id, store, limit=wanted, start_after=start_after)

    shown, following = _page(find, cursor, limit, size_of=lambda one: json_size(one.text))
    return Page(data=[feedback_out(one) for one in shown], next_cursor=following)


@router.post(
    "/feedback", status_code=201, response_model=RecordedOut, responses=answers(409), summary="Record feedback"
)
def add_feedback(store: StoreName, body: FeedbackBatch, caller: Writer, once: Idempotent) -> Response:
    """Record feedback from people and tools in one transaction."""

    def produce() -> RecordedOut:
        given = [replace(new_feedback(one), rank=caller.rank) for one in body.feedback]
        done = record_feedback(caller.ports.db, caller.tenant_id, store, given, actor=caller.actor)
        for one in given:
            note_told(caller, store, one.kind, one.subject)
        return RecordedOut(added=done.added, known=len(given) - done.added, masked=list(done.masked))

    return once.answer(caller, 201, produce)


@router.get("/workflow-runs", responses=answers(), summary="List workflow runs")
def list_runs(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[RunOut]:
    """List workflow runs, newest first, each with the dream that learnt from it."""

    def find(start_after: Place | None, wanted: int) -> list[WorkflowRun]:
        return find_workflow_runs(caller.ports.db, caller.tenant_id, store, limit=wanted, start_after=start_after)

    def size_of(run: WorkflowRun) -> int:
        return json_size(run.description, run.error, run.steps, run.skills)

    shown, following = _page(find, cursor, limit, size_of=size_of)
    return Page(data=[run_out(one) for one in shown], next_cursor=following)


@router.post(
    "/workflow-runs", status_code=201, response_model=RecordedOut, responses=answers(409), summary="Record runs"
)
def add_runs(store: StoreName, body: RunBatch, caller: Writer, once: Idempotent) -> Response:
    """Record workflow runs in one transaction."""

    def produce() -> RecordedOut:
        given = [new_run(one) for one in body.runs]
        done = record_workflow_runs(caller.ports.db, caller.tenant_id, store, given, actor=caller.actor)
        return RecordedOut(added=done.added, known=len(given) - done.added, masked=list(done.masked))

    return once.answer(caller, 201, produce)
