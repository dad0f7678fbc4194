"""Feedback and workflow runs of a store: what dreams learn from beside transcripts."""

from fastapi import APIRouter, Response

from gateway.api.auth import Reader, Writer
from gateway.api.cursors import Cursor, Limit, Page, page_of, place_of, read_place
from gateway.api.idempotency import Idempotent
from gateway.api.one_thread import OneThreadRoute
from gateway.api.parameters import StoreName
from gateway.api.problems import answers
from gateway.api.shapes.feedback import (
    FeedbackBatch,
    FeedbackOut,
    RecordedOut,
    RunBatch,
    RunOut,
    feedback_out,
    new_feedback,
    new_run,
    run_out,
)
from gateway.masking import find_mask
from shared.services.find_feedback import find_feedback, find_workflow_runs
from shared.services.record_feedback import record_feedback, record_workflow_runs

router = APIRouter(prefix="/api/stores/{store}", tags=["feedback"], route_class=OneThreadRoute)


@router.get("/feedback", responses=answers(), summary="List feedback")
def list_feedback(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[FeedbackOut]:
    """List feedback, newest first, and which of it a dream has used."""
    behind = read_place(cursor)
    found = find_feedback(caller.ports.db, caller.tenant_id, store, limit=limit + 1, behind=behind)
    shown, following = page_of(found, limit, lambda one: place_of(one.occurred_at, one.id))
    return Page(data=[feedback_out(one) for one in shown], next_cursor=following)


@router.post(
    "/feedback", status_code=201, response_model=RecordedOut, responses=answers(409), summary="Record feedback"
)
def add_feedback(store: StoreName, body: FeedbackBatch, caller: Writer, once: Idempotent) -> Response:
    """Record what people and tools said, all of it or nothing."""

    def produce() -> RecordedOut:
        given = [new_feedback(one) for one in body.feedback]
        mask = find_mask(caller.ports.settings)
        added = record_feedback(caller.ports.db, caller.tenant_id, store, given, mask=mask, actor=caller.actor)
        return RecordedOut(added=added, known=len(given) - added)

    return once.answer(caller, 201, produce)


@router.get("/workflow-runs", responses=answers(), summary="List workflow runs")
def list_runs(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[RunOut]:
    """List workflow runs, newest first, and which of them a dream has learnt from."""
    behind = read_place(cursor)
    found = find_workflow_runs(caller.ports.db, caller.tenant_id, store, limit=limit + 1, behind=behind)
    shown, following = page_of(found, limit, lambda one: place_of(one.occurred_at, one.id))
    return Page(data=[run_out(one) for one in shown], next_cursor=following)


@router.post(
    "/workflow-runs", status_code=201, response_model=RecordedOut, responses=answers(409), summary="Record runs"
)
def add_runs(store: StoreName, body: RunBatch, caller: Writer, once: Idempotent) -> Response:
    """Record what workflows came to, all of it or nothing."""

    def produce() -> RecordedOut:
        given = [new_run(one) for one in body.runs]
        mask = find_mask(caller.ports.settings)
        added = record_workflow_runs(caller.ports.db, caller.tenant_id, store, given, mask=mask, actor=caller.actor)
        return RecordedOut(added=added, known=len(given) - added)

    return once.answer(caller, 201, produce)
