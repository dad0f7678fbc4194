"""Let agents list pending reviews, and approve or reject operations."""

from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.http.parameters import ID
from gateway.api.shapes.dreams import OperationOut, operation_out
from gateway.api.shapes.stores import NAME
from gateway.mcp.callers import Reader, Reviewer, with_tool_errors
from gateway.mcp.tools.arguments import Limit, OperationId
from shared.services.approval import approve
from shared.services.operations.review import find_places, find_reviews, reject_operation


class Reviews(BaseModel):
    """Operations that wait for a review, oldest first. After a full page, call again with its last id as `after`."""

    operations: list[OperationOut]
    note: str | None = Field(None, description="How many operations are hidden from this key.")


@with_tool_errors
def list_reviews(
    caller: Reader,
    store: Annotated[str | None, Field(pattern=NAME, description="The store; default: all stores.")] = None,
    after: Annotated[str | None, Field(pattern=ID, description="The last operation's id of the previous page.")] = None,
    limit: Limit = 10,
) -> Reviews:
    """List operations that wait for a review, oldest first, with their diffs."""
    found = find_reviews(caller.ports.db, caller.tenant_id, store=store, after=after, limit=limit)
    places = find_places(caller.ports.db, caller.tenant_id, found)
    return Reviews(operations=[operation_out(one, places.get(one.id)) for one in found], note=found.note or None)


@with_tool_errors
def approve_review(caller: Reviewer, operation_id: OperationId) -> OperationOut:
    """Approve an operation: keep an applied one, or apply a proposed one."""
    ports = caller.ports
    return operation_out(approve(ports.db, ports.ids, caller.tenant_id, operation_id, actor=caller.actor))


@with_tool_errors
def reject_review(
    caller: Reviewer,
    operation_id: OperationId,
    *,
    force: Annotated[bool, Field(description="Also overwrite edits made after the dream.")] = False,
) -> OperationOut:
    """Reject an operation: undo an applied one, or drop a proposed one."""
    return operation_out(
        reject_operation(caller.ports.db, caller.tenant_id, operation_id, actor=caller.actor, force=force)
    )
