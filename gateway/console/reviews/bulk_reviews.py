"""Take one verdict on all operations that a page of the queue has shown, and take it back as a whole."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from gateway.api.http.parameters import ID
from gateway.console.pages import go, page
from gateway.console.reviews.reviews import Words
from gateway.console.visitor import Reviewer, Visitor
from shared.core.errors import ConflictError, NotFoundError
from shared.ports.dreams import RecordedOperation
from shared.services.operations.review import approve_operation, reject_operation, reopen_operation

router = APIRouter(prefix="/console/t/{tenant}/reviews", include_in_schema=False)
#: The operations of one page, by their ids: what a person has not seen gets no verdict.
Chosen = Annotated[list[Annotated[str, Form(pattern=ID)]], Form(alias="op", default_factory=list, max_length=100)]
Decide = Callable[[str], RecordedOperation]


@router.post("/approve")
def approve_all(request: Request, visitor: Reviewer, chosen: Chosen) -> Response:
    """Approve operations one after another; a refused one does not stop the others."""
    ports = visitor.ports

    def decide(operation_id: str) -> RecordedOperation:
        return approve_operation(ports.db, ports.ids, visitor.tenant_id, operation_id, actor=visitor.actor)

    return _judge(request, visitor, chosen, decide, "Approved")


@router.post("/reject")
def reject_all(request: Request, visitor: Reviewer, why: Words, chosen: Chosen) -> Response:
    """Reject operations one after another, for one reason."""

    def decide(operation_id: str) -> RecordedOperation:
        return reject_operation(visitor.ports.db, visitor.tenant_id, operation_id, actor=visitor.actor, why=why)

    return _judge(request, visitor, chosen, decide, "Rejected")


@router.post("/reopen")
def reopen_all(request: Request, visitor: Reviewer, chosen: Chosen) -> Response:
    """Take the verdicts of one page back, the last one first."""

    def decide(operation_id: str) -> RecordedOperation:
        return reopen_operation(visitor.ports.db, visitor.tenant_id, operation_id, actor=visitor.actor)

    return _judge(request, visitor, chosen[::-1], decide, "Taken back")


def _judge(request: Request, visitor: Visitor, chosen: list[str], decide: Decide, verb: str) -> Response:
    if not chosen:
        return go(visitor, f"/console/t/{visitor.tenant_id}/reviews", "No operation was chosen", "refused")
    done: list[RecordedOperation] = []
    refused: list[tuple[str, str]] = []
    for operation_id in dict.fromkeys(chosen):
        try:
            done.append(decide(operation_id))
        except (ConflictError, NotFoundError) as error:
            refused.append((operation_id, str(error).partition(". Reject with --force")[0]))
    can_take_back = bool(done) and verb != "Taken back"
    return page(
        request, visitor, "reviews/review_bulk.html", verb=verb, done=done, refused=refused, can_take_back=can_take_back
    )
