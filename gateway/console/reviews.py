"""Show the review queue and single operations, and take verdicts."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import OperationId, StoreFilter
from gateway.console.pages import go, page
from gateway.console.views.operation_views import operation_view
from gateway.console.visitor import Reader, Reviewer, Visitor
from shared.core.errors import ConflictError
from shared.services.operations.preview_undo import preview_rejection
from shared.services.operations.review import (
    approve_operation,
    count_reviews,
    find_reviews,
    get_operation,
    reject_operation,
    reopen_operation,
)

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ON_A_PAGE = 20
#: The page of a verdict: the queue, whose entry is replaced, or the operation's own page.
From = Annotated[str, Form(alias="from", pattern="^(|queue)$")]


@router.get("/reviews")
def queue(request: Request, visitor: Reader, store: StoreFilter = None, cursor: Cursor = None) -> Response:
    """Show the operations that wait for a review, oldest first."""
    after = decode_cursor(cursor)
    found = find_reviews(visitor.ports.db, visitor.tenant_id, store=store, after=after, limit=_ON_A_PAGE + 1)
    shown, following = page_of(found, _ON_A_PAGE, lambda one: one.id)
    views = [operation_view(one) for one in shown]
    waiting = count_reviews(visitor.ports.db, visitor.tenant_id, store=store)
    return page(request, visitor, "reviews.html", operations=views, following=following, store=store, waiting=waiting)


@router.get("/operations/{operation_id}")
def show(request: Request, visitor: Reader, operation_id: OperationId) -> Response:
    """Show one operation with its diffs, and the conflicts of undoing it."""
    view = operation_view(get_operation(visitor.ports.db, visitor.tenant_id, operation_id))
    step = preview_rejection(visitor.ports.db, visitor.tenant_id, operation_id) if view.can_reject else None
    return page(request, visitor, "operation.html", operation=view, step=step)


@router.post("/operations/{operation_id}/approve")
def approve(request: Request, visitor: Reviewer, operation_id: OperationId, came_from: From = "") -> Response:
    """Keep an applied operation, or apply a proposed one."""
    ports = visitor.ports
    try:
        approve_operation(ports.db, ports.ids, visitor.tenant_id, operation_id, actor=visitor.actor)
    except ConflictError as error:
        return _answer(request, visitor, operation_id, came_from, f"Not approved: {error}", "refused")
    return _answer(request, visitor, operation_id, came_from, "Approved", "done")


@router.post("/operations/{operation_id}/reject")
def reject(
    request: Request,
    visitor: Reviewer,
    operation_id: OperationId,
    came_from: From = "",
    force: Annotated[str, Form(pattern="^(|yes)$")] = "",
) -> Response:
    """Restore what an applied operation changed, or drop a proposed one."""
    db = visitor.ports.db
    try:
        reject_operation(db, visitor.tenant_id, operation_id, actor=visitor.actor, force=force == "yes")
    except ConflictError as error:
        said = str(error).replace("with --force ", "over it ")
        return _answer(request, visitor, operation_id, came_from, said, "refused")
    return _answer(request, visitor, operation_id, came_from, "Rejected: its memories are restored", "done")


@router.post("/operations/{operation_id}/reopen")
def reopen(
    request: Request,
    visitor: Reviewer,
    operation_id: OperationId,
    came_from: From = "",
    force: Annotated[str, Form(pattern="^(|yes)$")] = "",
) -> Response:
    """Take a verdict back; in the queue, the operation stands in its place again."""
    db = visitor.ports.db
    try:
        again = reopen_operation(db, visitor.tenant_id, operation_id, actor=visitor.actor, force=force == "yes")
    except ConflictError as error:
        said = str(error).replace("With --force", "Forced on its page")
        return _answer(request, visitor, operation_id, came_from, said, "refused")
    if came_from == "queue" and request.headers.get("hx-request"):
        return page(request, visitor, "review_card.html", one=operation_view(again))
    return _answer(request, visitor, operation_id, came_from, "Taken back: it waits for a review again", "done")


def _answer(request: Request, visitor: Visitor, operation_id: str, came_from: str, said: str, kind: str) -> Response:
    base = f"/console/t/{visitor.tenant_id}"
    if came_from == "queue" and request.headers.get("hx-request"):
        view = operation_view(get_operation(visitor.ports.db, visitor.tenant_id, operation_id), with_diffs=False)
        return page(request, visitor, "review_verdict.html", operation=view, said=said, kind=kind)
    where = f"{base}/reviews" if came_from == "queue" else f"{base}/operations/{operation_id}"
    return go(visitor, where, said, kind)
