"""Ask a person to decide an operation, comment on it, and show who decided what."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import OperationId
from gateway.console.pages import go, page
from gateway.console.views.operation_views import operation_view
from gateway.console.visitor import Reader, Reviewer, Visitor
from shared.core.errors import BadInputError, ConflictError
from shared.services.operations.review import MAX_COMMENT, assign_review, comment_review, find_decided, get_operation

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ON_A_PAGE = 30


@router.get("/reviews/decided")
def decided(
    request: Request, visitor: Reader, by: Annotated[str, Query(pattern="^(|me)$")] = "", cursor: Cursor = None
) -> Response:
    """List operations with a verdict, the newest first: by whom, when, through what and why."""
    mine = visitor.actor if by == "me" else None
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    found = find_decided(db, tenant_id, by=mine, after=decode_cursor(cursor), limit=_ON_A_PAGE + 1)
    shown, following = page_of(found, _ON_A_PAGE, lambda one: one.id)
    views = [operation_view(one, with_diffs=False) for one in shown]
    return page(request, visitor, "reviews/decided.html", operations=views, following=following, by=by)


@router.post("/operations/{operation_id}/assign")
def assign(visitor: Reviewer, operation_id: OperationId, to: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Ask a member of the tenant to decide an operation, or none in particular."""
    get_operation(visitor.ports.db, visitor.tenant_id, operation_id)
    try:
        assign_review(visitor.ports.db, visitor.tenant_id, operation_id, to, actor=visitor.actor)
    except (BadInputError, ConflictError) as error:
        return _back(visitor, operation_id, f"Not assigned: {error}", "refused")
    return _back(visitor, operation_id, "Assigned" if to else "Assigned to none in particular")


@router.post("/operations/{operation_id}/comment")
def comment(
    visitor: Reviewer, operation_id: OperationId, text: Annotated[str, Form(max_length=2 * MAX_COMMENT)] = ""
) -> Response:
    """Append a comment to an operation; it decides nothing."""
    get_operation(visitor.ports.db, visitor.tenant_id, operation_id)
    try:
        comment_review(visitor.ports.db, visitor.tenant_id, operation_id, text, actor=visitor.actor)
    except (BadInputError, ConflictError) as error:
        return _back(visitor, operation_id, f"Not noted: {error}", "refused")
    return _back(visitor, operation_id, "Noted")


def _back(visitor: Visitor, operation_id: str, said: str, kind: str = "done") -> Response:
    return go(visitor, f"/console/t/{visitor.tenant_id}/operations/{operation_id}", said, kind)
