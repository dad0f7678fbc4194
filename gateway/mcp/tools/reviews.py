"""What dreams want a person's word for, and the word."""

from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.http.parameters import ID
from gateway.api.shapes.dreams import OperationOut, operation_out
from gateway.mcp.callers import Reader, Reviewer, spoken
from gateway.mcp.tools.arguments import OperationId, StoreName
from shared.services.operations.review import approve_operation, find_reviews, reject_operation


class Reviews(BaseModel):
    """Operations that wait for a person, oldest first; `after` the last id of a full page there may be more."""

    operations: list[OperationOut]


@spoken
def list_reviews(
    caller: Reader,
    store: StoreName | None = None,
    after: Annotated[str | None, Field(pattern=ID)] = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> Reviews:
    """List operations that wait for a review, oldest first, with their diffs."""
    found = find_reviews(caller.ports.db, caller.tenant_id, store=store, after=after, limit=limit)
    return Reviews(operations=[operation_out(one) for one in found])


@spoken
def approve_review(caller: Reviewer, operation_id: OperationId) -> OperationOut:
    """Keep what an operation did, or do what it proposes."""
    ports = caller.ports
    return operation_out(approve_operation(ports.db, ports.ids, caller.tenant_id, operation_id, actor=caller.actor))


@spoken
def reject_review(
    caller: Reviewer,
    operation_id: OperationId,
    *,
    force: Annotated[bool, Field(description="Restore also over edits made after the dream.")] = False,
) -> OperationOut:
    """Restore what was before an operation, or drop what it proposes."""
    return operation_out(
        reject_operation(caller.ports.db, caller.tenant_id, operation_id, actor=caller.actor, force=force)
    )
